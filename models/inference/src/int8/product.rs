//! Matrix product of 16-bit words with sums of 32 bits.
//!
//! `C[r][j] = Σ_k A[r][k] · W[k][j]` for every matrix of a stack. `A` is row-major `[rows, depth]`,
//! read two words at a time; `W` is packed into panels `[depth / 2][2 vectors][word pairs]`, so that one
//! multiply-add of pairs (x86's `vpmaddwd`) takes two steps of the depth; `C` is row-major
//! `[rows, columns]`. The blocking is that of [`crate::product`] (Goto and van de Geijn 2008): a panel
//! outside, register tiles of six rows inside. Sums are exact modulo 2³², so their order is of no
//! account.

// Loops by index: a closure would not carry the instruction set's target features.
#![allow(clippy::needless_range_loop)]

use super::words::{WordOp, Words, words_in_vector};
use crate::aligned::Aligned;
use crate::lanes::Isa;

/// Most rows in a register tile: six rows of two sums, two vectors of weights, a pair and a product
/// fill the 16 registers of AVX2.
const MOST_ROWS: usize = 6;

/// Vectors of sums in a panel.
const PANEL: usize = 2;

/// A stack of `count` matrices of one shape `[depth, columns]`, packed.
#[derive(Debug)]
pub(crate) struct Packed {
    data: Aligned<i16>,
    count: usize,
    /// Pairs of rows.
    pairs: usize,
    /// Columns, padded to whole panels.
    columns: usize,
}

impl Packed {
    /// Packs the matrices whose element `(which, k, column)` is given by `element`.
    pub(crate) fn new(
        isa: Isa,
        [count, depth, columns]: [usize; 3],
        element: impl Fn(usize, usize, usize) -> i16,
    ) -> Self {
        // A panel is two vectors of sums, as many as one vector has words.
        let panel = words_in_vector(isa);
        let (pairs, padded) = (depth.div_ceil(2), columns.next_multiple_of(panel));
        let mut data = Aligned::zeros(count * pairs * 2 * padded);
        let mut slots = data.iter_mut();
        for which in 0..count {
            for first in (0..padded).step_by(panel) {
                for k in 0..pairs {
                    for (place, slot) in (0..2 * panel).zip(&mut slots) {
                        let (k, column) = (2 * k + place % 2, first + place / 2);
                        if k < depth && column < columns {
                            *slot = element(which, k, column);
                        }
                    }
                }
            }
        }
        Self {
            data,
            count,
            pairs,
            columns: padded,
        }
    }

    /// Columns, padded to whole vectors of words.
    pub(crate) fn columns(&self) -> usize {
        self.columns
    }
}

/// `C = A · W` for every matrix of a stack; the matrices of `A` and of `C` lie one step apart.
pub(crate) struct Product<'a> {
    pub(crate) weights: &'a Packed,
    pub(crate) rows: usize,
    /// Pairs of words.
    pub(crate) a: &'a [i32],
    /// Distance between rows of `a`, and between its matrices, in pairs.
    pub(crate) a_stride: usize,
    pub(crate) a_step: usize,
    pub(crate) c: &'a mut [i32],
    /// Distance between matrices of `c`; its rows are as long as the padded columns.
    pub(crate) c_step: usize,
}

impl WordOp for Product<'_> {
    #[inline(always)]
    fn run<L: Words>(self, lanes: L) {
        let w = self.weights;
        let size = w.pairs * 2 * w.columns;
        for which in 0..w.count {
            let mut one = One {
                weights: &w.data[which * size..][..size],
                pairs: w.pairs,
                a: &self.a[which * self.a_step..],
                a_stride: self.a_stride,
                c: &mut self.c[which * self.c_step..],
                columns: w.columns,
            };
            for panel in 0..w.columns / (PANEL * L::WIDTH) {
                one.panel(lanes, self.rows, panel);
            }
        }
    }
}

/// The product with one matrix of the stack.
struct One<'a> {
    weights: &'a [i16],
    pairs: usize,
    a: &'a [i32],
    a_stride: usize,
    c: &'a mut [i32],
    columns: usize,
}

impl One<'_> {
    /// All rows of a panel.
    #[inline(always)]
    fn panel<L: Words>(&mut self, lanes: L, rows: usize, panel: usize) {
        let mut row = 0;
        while row < rows {
            let left = rows - row;
            // Seven to eleven rows make two even tiles rather than a full one and a sliver.
            let tile = match left {
                0..=MOST_ROWS => left,
                _ if left >= 2 * MOST_ROWS => MOST_ROWS,
                _ => left.div_ceil(2),
            };
            match tile {
                1 => self.tile::<L, 1>(lanes, row, panel),
                2 => self.tile::<L, 2>(lanes, row, panel),
                3 => self.tile::<L, 3>(lanes, row, panel),
                4 => self.tile::<L, 4>(lanes, row, panel),
                5 => self.tile::<L, 5>(lanes, row, panel),
                _ => self.tile::<L, MOST_ROWS>(lanes, row, panel),
            }
            row += tile;
        }
    }

    /// One register tile: `MR` rows by the vectors of a panel.
    #[inline(always)]
    fn tile<L: Words, const MR: usize>(&mut self, lanes: L, row: usize, panel: usize) {
        let pairs = self.pairs;
        let mut a: [&[i32]; MR] = [&[]; MR];
        for i in 0..MR {
            a[i] = &self.a[(row + i) * self.a_stride..][..pairs];
        }
        let width = 2 * L::WIDTH;
        let size = pairs * PANEL * width;
        let weights = &self.weights[panel * size..][..size];
        let mut sums = [[lanes.zeros(); PANEL]; MR];
        for (k, w) in weights.chunks_exact(PANEL * width).enumerate() {
            let w = [lanes.words(w), lanes.words(&w[width..])];
            for i in 0..MR {
                for v in 0..PANEL {
                    sums[i][v] = lanes.multiply_pair(a[i][k], w[v], sums[i][v]);
                }
            }
        }
        for i in 0..MR {
            let c = &mut self.c[(row + i) * self.columns + panel * width..];
            for v in 0..PANEL {
                lanes.store_numbers(&mut c[v * L::WIDTH..], sums[i][v]);
            }
        }
    }
}
