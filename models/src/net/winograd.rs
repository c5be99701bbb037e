//! Convolutions of small boards as matrix products, which learning on processors gains most from.
//!
//! A 3×3 convolution is, by Winograd's method (Lavin and Gray 2016), an input transform, one matrix
//! product between channels for each transformed point, and an output transform. With activations as
//! `[cells, batch, channels]` and both transforms of the whole board written as one matrix each, all
//! three are plain matrix products without a copy in between, forward and backward. burn's convolution
//! makes one small product for each board instead (docs/decisions/0010).

use burn::tensor::{Device, Tensor, TensorData};

/// The largest side of a board whose transforms stay smaller than what they save.
pub(super) const LARGEST_SIDE: usize = 8;

/// The transforms of one board size, as constants on a device.
#[derive(Clone, Debug)]
pub(super) struct Transforms {
    /// `[points, cells]`
    input: Tensor<2>,
    /// `[points, 9]`
    filter: Tensor<2>,
    /// `[cells, points]`
    output: Tensor<2>,
}

impl Transforms {
    /// The transforms of boards of `rows` × `columns`.
    pub(super) fn new(rows: usize, columns: usize, device: &Device) -> Transforms {
        let [vertical, horizontal] = [rows, columns].map(Axis::new);
        let tensor = |matrix: Matrix| {
            let numbers: Vec<_> = matrix.numbers.iter().map(|&number| number as f32).collect();
            let shape = [matrix.rows, matrix.columns];
            Tensor::from_data(TensorData::new(numbers, shape), device)
        };
        Transforms {
            input: tensor(vertical.input.kronecker(&horizontal.input)),
            filter: tensor(vertical.filter.kronecker(&horizontal.filter)),
            output: tensor(vertical.output.kronecker(&horizontal.output)),
        }
    }

    /// Convolves `[cells, batch, in]` with weights `[out, in, 3, 3]`, zeros around the board:
    /// `[cells, batch, out]`.
    pub(super) fn convolve(&self, x: Tensor<3>, weight: Tensor<4>) -> Tensor<3> {
        let [cells, batch, from] = x.dims();
        let to = weight.dims()[0];
        let points = self.input.dims()[0];
        let x = self.input.clone().matmul(x.reshape([cells, batch * from]));
        let taps = weight.permute([2, 3, 1, 0]).reshape([9, from * to]);
        let taps = self.filter.clone().matmul(taps).reshape([points, from, to]);
        let y = x.reshape([points, batch, from]).matmul(taps);
        let y = self.output.clone().matmul(y.reshape([points, batch * to]));
        y.reshape([cells, batch, to])
    }
}

/// The one-dimensional transforms of a line of cells, cut into tiles.
struct Axis {
    input: Matrix,
    filter: Matrix,
    output: Matrix,
}

impl Axis {
    fn new(length: usize) -> Axis {
        let side = tile_side(length);
        let tiles = length.div_ceil(side);
        let Tile {
            input,
            filter,
            output,
        } = Tile::new(side);
        let points = side + 2;
        let mut axis = Axis {
            input: Matrix::zeros(tiles * points, length),
            filter: Matrix::zeros(tiles * points, 3),
            output: Matrix::zeros(length, tiles * points),
        };
        for (tile, point) in (0..tiles).flat_map(|tile| (0..points).map(move |point| (tile, point)))
        {
            let row = tile * points + point;
            for (tap, &weight) in input[point].iter().enumerate() {
                // A tile's first input is the cell before its first output.
                let cell = (tile * side + tap).wrapping_sub(1);
                if cell < length {
                    *axis.input.at(row, cell) = weight;
                }
            }
            for (tap, &weight) in filter[point].iter().enumerate() {
                *axis.filter.at(row, tap) = weight;
            }
            for (cell, weights) in (tile * side..length).zip(&output) {
                *axis.output.at(cell, row) = weights[point];
            }
        }
        axis
    }
}

/// The side of the tiles for a line: few transformed points, and a rounding error below 1e-5.
fn tile_side(length: usize) -> usize {
    match length {
        1..=6 => length.max(2),
        _ => (2..=5)
            .min_by_key(|side| length.div_ceil(*side) * (side + 2))
            .unwrap_or(4),
    }
}

/// `F(m, 3)` of Cook and Toom at m + 2 points, the last of which is infinity.
struct Tile {
    /// `[points][points]`
    input: Vec<Vec<f64>>,
    /// `[points][3]`
    filter: Vec<[f64; 3]>,
    /// `[m][points]`
    output: Vec<Vec<f64>>,
}

impl Tile {
    fn new(m: usize) -> Tile {
        // Small points of both signs, chosen for their rounding error (Barabasz et al. 2020).
        const POINTS: [f64; 7] = [0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0];
        let finite = &POINTS[..m + 1];
        let others = |without: usize| {
            let kept = (0..finite.len()).filter(move |&other| other != without);
            kept.map(|other| finite[other])
        };
        let mut input = Vec::new();
        let mut filter = Vec::new();
        for (index, &point) in finite.iter().enumerate() {
            let scale: f64 = others(index).map(|other| point - other).product();
            filter.push([1.0, point, point * point].map(|power| power / scale));
            input.push(coefficients(others(index), m + 2));
        }
        filter.push([0.0, 0.0, 1.0]);
        input.push(coefficients(finite.iter().copied(), m + 2));
        let output = (0..m).map(|k| {
            let at = |&point: &f64| point.powi(k as i32);
            let at_infinity = f64::from(u8::from(k + 1 == m));
            finite.iter().map(at).chain([at_infinity]).collect()
        });
        Tile {
            output: output.collect(),
            input,
            filter,
        }
    }
}

/// The coefficients of `Π (x - root)`, lowest first, `length` of them.
fn coefficients(roots: impl Iterator<Item = f64>, length: usize) -> Vec<f64> {
    let mut all = vec![0.0; length];
    all[0] = 1.0;
    for root in roots {
        for k in (0..length).rev() {
            let lower = k.checked_sub(1).map_or(0.0, |lower| all[lower]);
            all[k] = lower - root * all[k];
        }
    }
    all
}

struct Matrix {
    rows: usize,
    columns: usize,
    numbers: Vec<f64>,
}

impl Matrix {
    fn zeros(rows: usize, columns: usize) -> Matrix {
        Matrix {
            rows,
            columns,
            numbers: vec![0.0; rows * columns],
        }
    }

    fn at(&mut self, row: usize, column: usize) -> &mut f64 {
        &mut self.numbers[row * self.columns + column]
    }

    /// The product by which one matrix works on the rows and the other on the columns of a board.
    fn kronecker(&self, other: &Matrix) -> Matrix {
        let mut product = Matrix::zeros(self.rows * other.rows, self.columns * other.columns);
        for (i, &left) in self.numbers.iter().enumerate() {
            for (j, &right) in other.numbers.iter().enumerate() {
                let row = i / self.columns * other.rows + j / other.columns;
                let column = i % self.columns * other.columns + j % other.columns;
                *product.at(row, column) = left * right;
            }
        }
        product
    }
}
