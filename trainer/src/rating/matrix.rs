//! Small dense symmetric matrices.

/// A square matrix, row by row.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Matrix {
    pub size: usize,
    pub cells: Vec<f64>,
}

impl Matrix {
    pub fn zero(size: usize) -> Matrix {
        Matrix {
            size,
            cells: vec![0.0; size * size],
        }
    }

    pub fn at(&self, row: usize, column: usize) -> f64 {
        self.cells[row * self.size + column]
    }

    pub fn add(&mut self, row: usize, column: usize, value: f64) {
        self.cells[row * self.size + column] += value;
    }

    /// The inverse of a positive definite matrix, by Gauss and Jordan; none where it is singular.
    pub fn inverse(&self) -> Option<Matrix> {
        let size = self.size;
        let mut left = self.clone();
        let mut inverse = Matrix::zero(size);
        (0..size).for_each(|index| inverse.add(index, index, 1.0));
        for pivot in 0..size {
            let head = left.at(pivot, pivot);
            if head.is_nan() || head <= f64::MIN_POSITIVE {
                return None;
            }
            left.scale_row(pivot, head.recip());
            inverse.scale_row(pivot, head.recip());
            for row in (0..size).filter(|&row| row != pivot) {
                let factor = left.at(row, pivot);
                left.subtract_row(row, pivot, factor);
                inverse.subtract_row(row, pivot, factor);
            }
        }
        Some(inverse)
    }

    pub fn times(&self, vector: &[f64]) -> Vec<f64> {
        let rows = self.cells.chunks_exact(self.size.max(1));
        rows.map(|row| row.iter().zip(vector).map(|(a, b)| a * b).sum())
            .collect()
    }

    pub fn product(&self, other: &Matrix) -> Matrix {
        let mut product = Matrix::zero(self.size);
        for row in 0..self.size {
            for over in 0..self.size {
                let factor = self.at(row, over);
                for column in 0..self.size {
                    product.add(row, column, factor * other.at(over, column));
                }
            }
        }
        product
    }

    fn scale_row(&mut self, row: usize, factor: f64) {
        let cells = &mut self.cells[row * self.size..(row + 1) * self.size];
        cells.iter_mut().for_each(|cell| *cell *= factor);
    }

    fn subtract_row(&mut self, row: usize, other: usize, factor: f64) {
        if factor == 0.0 {
            return;
        }
        for column in 0..self.size {
            let value = factor * self.at(other, column);
            self.add(row, column, -value);
        }
    }
}
