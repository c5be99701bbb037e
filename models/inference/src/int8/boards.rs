//! The two-dimensional transforms between boards and stacks of tile rows, in whole numbers.
//!
//! Boards of words are `[cells + 1, channels]`, channels last and padded to whole vectors of words; the
//! last cell is the guard, always zero, as in [`crate::winograd::boards`]. A stack is one matrix
//! `[tiles, channels]` a point pair (r, c), the matrices a `step` apart.

// Loops by index: a closure would not carry the instruction set's target features.
#![allow(clippy::needless_range_loop)]

use super::MOST_ACTIVATION;
use super::points::Filtering;
use super::words::{WordOp, Words};
use crate::winograd::boards::Tiling;

/// A transform of tiles, compiled for each tile's side.
trait Transform: Sized {
    /// The transform by `F(M, 3)`, whose sizes are those of [`Filtering`].
    fn sized<L: Words, const M: usize, const A: usize, const P: usize>(self, lanes: L);
}

/// Runs a transform for tiles of `side`² outputs.
#[inline(always)]
fn transform<L: Words>(side: usize, transform: impl Transform, lanes: L) {
    match side {
        2 => transform.sized::<L, 2, 4, 1>(lanes),
        3 => transform.sized::<L, 3, 5, 2>(lanes),
        4 => transform.sized::<L, 4, 6, 2>(lanes),
        other => unreachable!("no transform in whole numbers for tiles of side {other}"),
    }
}

/// `V = Bᵀ d B` for every tile of `count` boards.
pub(crate) struct Inputs<'a> {
    pub(crate) tiling: &'a Tiling,
    pub(crate) count: usize,
    pub(crate) channels: usize,
    pub(crate) boards: &'a [i16],
    pub(crate) stack: &'a mut [i16],
    pub(crate) step: usize,
}

impl WordOp for Inputs<'_> {
    #[inline(always)]
    fn run<L: Words>(self, lanes: L) {
        transform(self.tiling.side, self, lanes);
    }
}

impl Transform for Inputs<'_> {
    #[inline(always)]
    fn sized<L: Words, const M: usize, const A: usize, const P: usize>(self, lanes: L) {
        let channels = self.channels;
        let board_size = (self.tiling.cells() + 1) * channels;
        let tiles = self.tiling.tiles.len();
        let boards = self.boards.chunks_exact(board_size).take(self.count);
        for (at, board) in boards.enumerate() {
            for (t, place) in self.tiling.tiles.iter().enumerate() {
                let inputs: &[[u32; A]] = place.inputs.as_chunks().0;
                let first = (at * tiles + t) * channels;
                for channel in (0..channels).step_by(2 * L::WIDTH) {
                    let zero = lanes.words(&board[board_size - channels..]);
                    let mut lines = [[zero; A]; A];
                    for r in 0..A {
                        for c in 0..A {
                            let place = inputs[r][c] as usize * channels + channel;
                            lines[r][c] = lanes.words(&board[place..]);
                        }
                        lines[r] = Filtering::<M, A, P>::input(lanes, lines[r]);
                    }
                    for c in 0..A {
                        let mut line = [zero; A];
                        for r in 0..A {
                            line[r] = lines[r][c];
                        }
                        let line = Filtering::<M, A, P>::input(lanes, line);
                        for r in 0..A {
                            let place = (r * A + c) * self.step + first + channel;
                            lanes.store_words(&mut self.stack[place..], line[r]);
                        }
                    }
                }
            }
        }
    }
}

/// Boards of floats that activations are written over.
pub(crate) struct Floats<'a> {
    pub(crate) boards: &'a mut [f32],
    /// Channels, padded to whole vectors of floats.
    pub(crate) width: usize,
    /// Whether what they hold is added before the relu.
    pub(crate) residual: bool,
}

/// From sums to activations: `y = relu(Aᵀ M A · factor + bias)` for every tile of `count` boards,
/// written as words and, where there are boards of floats, as floats.
pub(crate) struct Outputs<'a> {
    pub(crate) tiling: &'a Tiling,
    pub(crate) count: usize,
    /// Channels of the stack and of the words.
    pub(crate) channels: usize,
    pub(crate) stack: &'a [i32],
    pub(crate) step: usize,
    /// By channel.
    pub(crate) factors: &'a [f32],
    /// By channel.
    pub(crate) bias: &'a [f32],
    pub(crate) floats: Option<Floats<'a>>,
    /// Whole numbers a unit of `y`.
    pub(crate) per_unit: f32,
    pub(crate) words: &'a mut [i16],
}

impl WordOp for Outputs<'_> {
    #[inline(always)]
    fn run<L: Words>(self, lanes: L) {
        transform(self.tiling.side, self, lanes);
    }
}

impl Transform for Outputs<'_> {
    #[inline(always)]
    fn sized<L: Words, const M: usize, const A: usize, const P: usize>(mut self, lanes: L) {
        let channels = self.channels;
        let Tiling { rows, columns, .. } = *self.tiling;
        let tiles = self.tiling.tiles.len();
        let cells = self.tiling.cells() + 1;
        for at in 0..self.count {
            for (t, place) in self.tiling.tiles.iter().enumerate() {
                let first = (at * tiles + t) * channels;
                for channel in (0..channels).step_by(L::WIDTH) {
                    let factor = lanes.floats(&self.factors[channel..]);
                    let bias = lanes.floats(&self.bias[channel..]);
                    let mut lines = [[lanes.zeros(); M]; A];
                    for r in 0..A {
                        let mut line = [lanes.zeros(); A];
                        for c in 0..A {
                            let place = (r * A + c) * self.step + first + channel;
                            line[c] = lanes.numbers(&self.stack[place..]);
                        }
                        lines[r] = Filtering::<M, A, P>::output(lanes, line);
                    }
                    for c in 0..M.min(columns - place.column) {
                        let mut line = [lanes.zeros(); A];
                        for r in 0..A {
                            line[r] = lines[r][c];
                        }
                        let line = Filtering::<M, A, P>::output(lanes, line);
                        let cell = at * cells + place.row * columns + place.column + c;
                        for r in 0..M.min(rows - place.row) {
                            let sum = lanes.to_floats(without_gain::<L, M>(lanes, line[r]));
                            let y = lanes.add_floats(lanes.mul_floats(sum, factor), bias);
                            let cell = cell + r * columns;
                            let y = match &mut self.floats {
                                Some(floats) if channel < floats.width => {
                                    let slot = &mut floats.boards[cell * floats.width + channel..];
                                    let y = if floats.residual {
                                        lanes.add_floats(y, lanes.floats(slot))
                                    } else {
                                        y
                                    };
                                    let y = lanes.relu(y);
                                    lanes.store_floats(slot, y);
                                    y
                                }
                                _ => lanes.relu(y),
                            };
                            let slot = &mut self.words[cell * channels + channel..];
                            lanes.store_rounded(slot, y, self.per_unit, MOST_ACTIVATION);
                        }
                    }
                }
            }
        }
    }
}

/// Floats `[cells, width]` as the nearest whole numbers `[cells, channels]`, either kind of channels
/// padded to whole vectors of its own.
pub(crate) struct Quantise<'a> {
    pub(crate) cells: usize,
    pub(crate) floats: &'a [f32],
    pub(crate) width: usize,
    pub(crate) words: &'a mut [i16],
    pub(crate) channels: usize,
    /// Whole numbers a unit.
    pub(crate) per_unit: f32,
}

impl WordOp for Quantise<'_> {
    #[inline(always)]
    fn run<L: Words>(self, lanes: L) {
        for cell in 0..self.cells {
            let floats = &self.floats[cell * self.width..][..self.width];
            let words = &mut self.words[cell * self.channels..][..self.channels];
            for channel in (0..self.width).step_by(L::WIDTH) {
                let y = lanes.floats(&floats[channel..]);
                let slot = &mut words[channel..];
                lanes.store_rounded(slot, y, self.per_unit, MOST_ACTIVATION);
            }
        }
    }
}

/// Exact division by the gain of `F(M, 3)` in two dimensions: 2², 12² or 24², a power of two times 1
/// or 9. Modulo 2³² a division by 9 is a multiplication by its inverse.
#[inline(always)]
fn without_gain<L: Words, const M: usize>(lanes: L, sum: L::N) -> L::N {
    const INVERSE_OF_9: i32 = 0x38E3_8E39;
    match M {
        2 => lanes.shift::<2>(sum),
        3 => lanes.shift::<4>(lanes.scale(sum, INVERSE_OF_9)),
        _ => lanes.shift::<6>(lanes.scale(sum, INVERSE_OF_9)),
    }
}
