//! The two-dimensional transforms between boards and stacks of tile rows.
//!
//! A board is `[cells + 1, channels]`, channels last and padded to whole vectors; the cell after the
//! last is the guard, always zero, which stands for everything off the board. A stack is one matrix
//! `[tiles, channels]` a point pair (r, c), the matrices a `step` apart.

// Loops by index: a closure would not carry the instruction set's target features.
#![allow(clippy::needless_range_loop)]

use super::points::Filtering;
use crate::lanes::{Lanes, Op};

/// How a board is cut into m×m tiles of outputs.
#[derive(Debug)]
pub(crate) struct Tiling {
    /// Outputs along a tile's side: the m of `F(m, 3)`.
    pub(crate) side: usize,
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) tiles: Vec<TilePlace>,
}

/// One tile's place on the board.
#[derive(Debug)]
pub(crate) struct TilePlace {
    /// Cell of each input of the (m+2)×(m+2) tile, row-major; the guard cell off the board.
    pub(crate) inputs: Vec<u32>,
    /// First row and column of the outputs.
    pub(crate) row: usize,
    pub(crate) column: usize,
}

impl Tiling {
    /// The tiling of a board by tiles of `side`².
    pub(crate) fn new(rows: usize, columns: usize, side: usize) -> Self {
        let cell = |row: usize, column: usize| {
            // Row and column count from the cell before the board's first, so 0 is off the board.
            let on = (1..=rows).contains(&row) && (1..=columns).contains(&column);
            if on {
                ((row - 1) * columns + column - 1) as u32
            } else {
                (rows * columns) as u32
            }
        };
        let points = side + 2;
        let place = |row: usize, column: usize| TilePlace {
            inputs: (0..points * points)
                .map(|i| cell(row + i / points, column + i % points))
                .collect(),
            row,
            column,
        };
        let tiles = (0..rows)
            .step_by(side)
            .flat_map(|row| (0..columns).step_by(side).map(move |column| (row, column)))
            .map(|(row, column)| place(row, column))
            .collect();
        Self {
            side,
            rows,
            columns,
            tiles,
        }
    }

    /// Matrices in a stack: (m + 2)².
    pub(crate) fn points(&self) -> usize {
        (self.side + 2) * (self.side + 2)
    }

    pub(crate) fn cells(&self) -> usize {
        self.rows * self.columns
    }
}

/// A transform of tiles, compiled for each tile's side.
trait Transform: Sized {
    /// The transform by `F(M, 3)`, whose sizes are those of [`Filtering`].
    fn sized<L: Lanes, const M: usize, const A: usize, const P: usize>(self, lanes: L);
}

/// Runs a transform for tiles of `side`² outputs.
#[inline(always)]
fn transform<L: Lanes>(side: usize, transform: impl Transform, lanes: L) {
    match side {
        2 => transform.sized::<L, 2, 4, 1>(lanes),
        3 => transform.sized::<L, 3, 5, 2>(lanes),
        4 => transform.sized::<L, 4, 6, 2>(lanes),
        5 => transform.sized::<L, 5, 7, 3>(lanes),
        6 => transform.sized::<L, 6, 8, 3>(lanes),
        other => unreachable!("no transform for tiles of side {other}"),
    }
}

/// `V = Bᵀ d B` for every tile of `count` boards.
pub(crate) struct Inputs<'a> {
    pub(crate) tiling: &'a Tiling,
    pub(crate) count: usize,
    pub(crate) channels: usize,
    pub(crate) boards: &'a [f32],
    pub(crate) stack: &'a mut [f32],
    pub(crate) step: usize,
}

impl Op for Inputs<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        transform(self.tiling.side, self, lanes);
    }
}

impl Transform for Inputs<'_> {
    #[inline(always)]
    fn sized<L: Lanes, const M: usize, const A: usize, const P: usize>(self, lanes: L) {
        let channels = self.channels;
        let board_size = (self.tiling.cells() + 1) * channels;
        let tiles = self.tiling.tiles.len();
        // Every tile writes all of it: made once, it need not be cleared for each.
        let mut lines = [[lanes.splat(0.0); A]; A];
        for (at, board) in self
            .boards
            .chunks_exact(board_size)
            .take(self.count)
            .enumerate()
        {
            for (t, place) in self.tiling.tiles.iter().enumerate() {
                let inputs: &[[u32; A]] = place.inputs.as_chunks().0;
                let first = (at * tiles + t) * channels;
                for channel in (0..channels).step_by(L::WIDTH) {
                    for r in 0..A {
                        for c in 0..A {
                            let place = inputs[r][c] as usize * channels + channel;
                            lines[r][c] = lanes.load(&board[place..]);
                        }
                        lines[r] = Filtering::<M, A, P>::input(lanes, lines[r]);
                    }
                    for c in 0..A {
                        let mut line = [lanes.splat(0.0); A];
                        for r in 0..A {
                            line[r] = lines[r][c];
                        }
                        let line = Filtering::<M, A, P>::input(lanes, line);
                        for r in 0..A {
                            let place = (r * A + c) * self.step + first + channel;
                            lanes.store(&mut self.stack[place..], line[r]);
                        }
                    }
                }
            }
        }
    }
}

/// `Y = relu(Aᵀ M A + bias)` for every tile of `count` boards; with `residual`, what the output board
/// holds is added before the relu.
pub(crate) struct Outputs<'a> {
    pub(crate) tiling: &'a Tiling,
    pub(crate) count: usize,
    pub(crate) channels: usize,
    pub(crate) stack: &'a [f32],
    pub(crate) step: usize,
    pub(crate) bias: &'a [f32],
    pub(crate) residual: bool,
    pub(crate) boards: &'a mut [f32],
}

impl Op for Outputs<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        transform(self.tiling.side, self, lanes);
    }
}

impl Transform for Outputs<'_> {
    #[inline(always)]
    fn sized<L: Lanes, const M: usize, const A: usize, const P: usize>(self, lanes: L) {
        let channels = self.channels;
        let Tiling { rows, columns, .. } = *self.tiling;
        let board_size = (self.tiling.cells() + 1) * channels;
        let tiles = self.tiling.tiles.len();
        let mut lines = [[lanes.splat(0.0); M]; A];
        let boards = self.boards.chunks_exact_mut(board_size).take(self.count);
        for (at, board) in boards.enumerate() {
            for (t, place) in self.tiling.tiles.iter().enumerate() {
                let first = (at * tiles + t) * channels;
                for channel in (0..channels).step_by(L::WIDTH) {
                    let bias = lanes.load(&self.bias[channel..]);
                    for r in 0..A {
                        let mut line = [lanes.splat(0.0); A];
                        for c in 0..A {
                            let place = (r * A + c) * self.step + first + channel;
                            line[c] = lanes.load(&self.stack[place..]);
                        }
                        lines[r] = Filtering::<M, A, P>::output(lanes, line);
                    }
                    for c in 0..M.min(columns - place.column) {
                        let mut line = [lanes.splat(0.0); A];
                        for r in 0..A {
                            line[r] = lines[r][c];
                        }
                        let line = Filtering::<M, A, P>::output(lanes, line);
                        let cell = place.row * columns + place.column + c;
                        for r in 0..M.min(rows - place.row) {
                            let slot = &mut board[(cell + r * columns) * channels + channel..];
                            let y = lanes.add(line[r], bias);
                            let y = if self.residual {
                                lanes.add(y, lanes.load(slot))
                            } else {
                                y
                            };
                            lanes.store(slot, lanes.relu(y));
                        }
                    }
                }
            }
        }
    }
}
