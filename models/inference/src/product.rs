//! Row-major matrix times packed matrix, for the small sizes of board networks.
//!
//! `C[r][j] = bias[j] + Σ_k A[r][k] · W[k][j]`, `A` and `C` row-major with a stride, `W` packed once
//! into column panels of two vectors (Goto and van de Geijn, "Anatomy of high-performance
//! matrix multiplication", 2008; without the copy of `A`, which is small enough to stay in cache).
//! A register tile holds up to six rows of one panel. Every element of `C` is one chain of
//! multiply-adds over `k` in ascending order, whatever the tile, so a row's bits do not depend on
//! the rows around it.

// Loops by index: a closure would not carry the instruction set's target features.
#![allow(clippy::needless_range_loop)]

use crate::aligned::Aligned;
use crate::lanes::{Isa, Lanes, Op};
use crate::prefetch::prefetch;

/// Most rows in a register tile: six rows of two vectors fill the 16 registers of AVX2.
const MOST_ROWS: usize = 6;

/// Bytes of weights that stay in a second-level cache from one layer's pass to its next chunk.
const NEAR_BYTES: usize = 256 << 10;

/// Vectors in a panel.
const PANEL: usize = 2;

/// A stack of `count` matrices of one shape `[depth, columns]`, packed for the product kernel.
///
/// Each matrix is cut into panels of two vectors (one, the last of an odd number); a panel stores
/// its `depth` rows one after the other. Columns are padded with zeros to whole vectors.
#[derive(Debug)]
pub(crate) struct Packed {
    data: Aligned,
    count: usize,
    depth: usize,
    /// Columns in vectors.
    vectors: usize,
    width: usize,
}

impl Packed {
    /// Packs the matrices whose element `(which, k, column)` is given by `element`.
    pub(crate) fn new(
        isa: Isa,
        [count, depth, columns]: [usize; 3],
        element: impl Fn(usize, usize, usize) -> f32,
    ) -> Self {
        let width = isa.width();
        let vectors = columns.div_ceil(width);
        let mut data = Aligned::zeros(count * depth * vectors * width);
        let mut slots = data.iter_mut();
        for which in 0..count {
            for first in (0..vectors).step_by(PANEL) {
                let last = (first + PANEL).min(vectors);
                for k in 0..depth {
                    for (column, slot) in (first * width..last * width).zip(&mut slots) {
                        *slot = if column < columns {
                            element(which, k, column)
                        } else {
                            0.0
                        };
                    }
                }
            }
        }
        Self {
            data,
            count,
            depth,
            vectors,
            width,
        }
    }

    /// Columns, padded to whole vectors.
    pub(crate) fn columns(&self) -> usize {
        self.vectors * self.width
    }

    /// Rows, padded like columns.
    pub(crate) fn padded_depth(&self) -> usize {
        self.depth.next_multiple_of(self.width)
    }

    fn matrix(&self, which: usize) -> &[f32] {
        let size = self.depth * self.columns();
        &self.data[which * size..][..size]
    }
}

/// `C = A · W` for every matrix of a stack; the matrices of `A` and of `C` lie one `step` apart.
pub(crate) struct Product<'a> {
    pub(crate) weights: &'a Packed,
    pub(crate) rows: usize,
    pub(crate) a: &'a [f32],
    /// Distance between rows of `a`, and between its matrices.
    pub(crate) a_stride: usize,
    pub(crate) a_step: usize,
    pub(crate) c: &'a mut [f32],
    /// Distance between rows of `c` (at least the padded columns), and between its matrices.
    pub(crate) c_stride: usize,
    pub(crate) c_step: usize,
    /// Added to every row; as long as the padded columns.
    pub(crate) bias: Option<&'a [f32]>,
    pub(crate) relu: bool,
}

impl Op for Product<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let w = self.weights;
        debug_assert_eq!(L::WIDTH, w.width);
        for which in 0..w.count {
            let mut one = One {
                weights: w.matrix(which),
                depth: w.depth,
                vectors: w.vectors,
                rows: self.rows,
                a: &self.a[which * self.a_step..],
                a_stride: self.a_stride,
                c: &mut self.c[which * self.c_step..],
                c_stride: self.c_stride,
                bias: self.bias,
                relu: self.relu,
                far: w.data.len() * size_of::<f32>() > NEAR_BYTES,
            };
            one.run(lanes);
        }
    }
}

/// The product with one matrix of the stack.
struct One<'a> {
    weights: &'a [f32],
    depth: usize,
    vectors: usize,
    rows: usize,
    a: &'a [f32],
    a_stride: usize,
    c: &'a mut [f32],
    c_stride: usize,
    bias: Option<&'a [f32]>,
    relu: bool,
    /// Whether the stack's weights come from beyond the second-level cache.
    far: bool,
}

impl One<'_> {
    /// Panels outside, row tiles inside: a panel stays in the first-level cache. With few rows,
    /// several panels at once keep enough independent chains in flight to hide the latency of the
    /// multiply-add.
    #[inline(always)]
    fn run<L: Lanes>(&mut self, lanes: L) {
        let mut first = 0;
        while first + PANEL <= self.vectors {
            let panels = (self.vectors - first) / PANEL;
            first += PANEL
                * match (self.rows, panels) {
                    (1, 4..) => self.tile::<L, 1, 4, PANEL, false>(lanes, 0, first),
                    (2, 2..) => self.tile::<L, 2, 2, PANEL, false>(lanes, 0, first),
                    (3, 2..) => self.tile::<L, 3, 2, PANEL, false>(lanes, 0, first),
                    _ => self.rows::<L, PANEL>(lanes, first),
                };
        }
        if first < self.vectors {
            self.rows::<L, 1>(lanes, first);
        }
    }

    /// All rows of the panel of `NV` vectors that starts at vector `first`; returns 1, the panels
    /// done.
    #[inline(always)]
    fn rows<L: Lanes, const NV: usize>(&mut self, lanes: L, first: usize) -> usize {
        let mut row = 0;
        while row < self.rows {
            let left = self.rows - row;
            // Seven to eleven rows make two even tiles rather than a full one and a sliver.
            let rows = match left {
                0..=MOST_ROWS => left,
                _ if left >= 2 * MOST_ROWS => MOST_ROWS,
                _ => left.div_ceil(2),
            };
            let ahead = self.far && row == 0;
            match rows {
                4 if ahead => self.tile::<L, 4, 1, NV, true>(lanes, row, first),
                5 if ahead => self.tile::<L, 5, 1, NV, true>(lanes, row, first),
                6 if ahead => self.tile::<L, 6, 1, NV, true>(lanes, row, first),
                1 => self.tile::<L, 1, 1, NV, false>(lanes, row, first),
                2 => self.tile::<L, 2, 1, NV, false>(lanes, row, first),
                3 => self.tile::<L, 3, 1, NV, false>(lanes, row, first),
                4 => self.tile::<L, 4, 1, NV, false>(lanes, row, first),
                5 => self.tile::<L, 5, 1, NV, false>(lanes, row, first),
                _ => self.tile::<L, MOST_ROWS, 1, NV, false>(lanes, row, first),
            };
            row += rows;
        }
        1
    }

    /// One register tile: `MR` rows by `NP` panels of `NV` vectors; returns the panels done.
    /// With `AHEAD`, the next panel's weights are asked for on the way.
    #[inline(always)]
    fn tile<L: Lanes, const MR: usize, const NP: usize, const NV: usize, const AHEAD: bool>(
        &mut self,
        lanes: L,
        row: usize,
        first: usize,
    ) -> usize {
        let depth = self.depth;
        let mut a: [&[f32]; MR] = [&[]; MR];
        for i in 0..MR {
            a[i] = &self.a[(row + i) * self.a_stride..][..depth];
        }
        let size = depth * NV * L::WIDTH;
        let mut w: [&[[L::V; NV]]; NP] = [&[]; NP];
        for p in 0..NP {
            let panel = &self.weights[first * depth * L::WIDTH + p * size..][..size];
            w[p] = &lanes.vectors(panel).as_chunks::<NV>().0[..depth];
        }

        let mut sums = [[[lanes.splat(0.0); NV]; NP]; MR];
        if let Some(bias) = self.bias {
            for p in 0..NP {
                for v in 0..NV {
                    let bias = lanes.load(&bias[(first + p * NV + v) * L::WIDTH..]);
                    for i in 0..MR {
                        sums[i][p][v] = bias;
                    }
                }
            }
        }
        for k in 0..depth {
            if AHEAD {
                prefetch(w[0].as_ptr().wrapping_add(depth + k));
            }
            for i in 0..MR {
                let x = lanes.splat(a[i][k]);
                for p in 0..NP {
                    for v in 0..NV {
                        sums[i][p][v] = lanes.fma(x, w[p][k][v], sums[i][p][v]);
                    }
                }
            }
        }
        for i in 0..MR {
            let c = &mut self.c[(row + i) * self.c_stride..];
            for p in 0..NP {
                for v in 0..NV {
                    let sum = sums[i][p][v];
                    let sum = if self.relu { lanes.relu(sum) } else { sum };
                    lanes.store(&mut c[(first + p * NV + v) * L::WIDTH..], sum);
                }
            }
        }
        NP
    }
}
