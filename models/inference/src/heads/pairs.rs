//! The logits of pairs of cells: products of what leaves a cell with what arrives at another.

// Loops by index: a closure would not carry the instruction set's target features.
#![allow(clippy::needless_range_loop)]

use crate::lanes::{Lanes, Op};

/// Rows of one pass: as many independent chains hide the latency of the multiply-add.
const ROWS: usize = 6;

/// `logits[a * cells + b] = scale * Σ_i from[a][i] · to[b][i]` of one board.
pub(crate) struct Pairs<'a> {
    /// `[cells, width]`
    pub(crate) from: &'a [f32],
    /// `[cells, width]`
    pub(crate) to: &'a [f32],
    pub(crate) cells: usize,
    /// Channels of both, and the channels as they lie in memory.
    pub(crate) inner: usize,
    pub(crate) width: usize,
    pub(crate) scale: f32,
    /// `[inner, cells padded to whole vectors]`
    pub(crate) turned: &'a mut [f32],
    /// As many rows as a pass has, each of the padded cells.
    pub(crate) rows: &'a mut [f32],
    /// `[cells, cells]`
    pub(crate) logits: &'a mut [f32],
}

/// The buffers of [`Pairs`] for boards of `cells`, at any vector width: `turned` and `rows`.
pub(crate) fn buffers(isa_width: usize, cells: usize, inner: usize) -> [usize; 2] {
    let padded = cells.next_multiple_of(isa_width);
    [inner * padded, ROWS * padded]
}

impl Op for Pairs<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let Pairs { cells, inner, .. } = self;
        let padded = cells.next_multiple_of(L::WIDTH);
        for b in 0..cells {
            for i in 0..inner {
                self.turned[i * padded + b] = self.scale * self.to[b * self.width + i];
            }
        }
        let turned = l.vectors(&self.turned[..inner * padded]);
        let vectors = padded / L::WIDTH;
        for first in (0..cells).step_by(ROWS) {
            // Past the end the last cell's row is made again, which changes nothing.
            let mut from: [&[f32]; ROWS] = [&[]; ROWS];
            for r in 0..ROWS {
                from[r] = &self.from[(first + r).min(cells - 1) * self.width..][..inner];
            }
            for v in 0..vectors {
                let mut sums = [l.splat(0.0); ROWS];
                for i in 0..inner {
                    let to = turned[i * vectors + v];
                    for r in 0..ROWS {
                        sums[r] = l.fma(l.splat(from[r][i]), to, sums[r]);
                    }
                }
                for r in 0..ROWS {
                    l.store(&mut self.rows[r * padded + v * L::WIDTH..], sums[r]);
                }
            }
            for r in 0..ROWS.min(cells - first) {
                self.logits[(first + r) * cells..][..cells]
                    .copy_from_slice(&self.rows[r * padded..][..cells]);
            }
        }
    }
}
