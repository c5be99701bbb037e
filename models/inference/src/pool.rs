//! Mean and maximum of every channel over a board's cells, and numbers added on all cells.
//!
//! Boards are `[cells + 1, channels]`, channels last and padded to whole vectors; the guard cell after
//! the last is not read and not written.

// Loops by index: a closure would not carry the instruction set's target features.
#![allow(clippy::needless_range_loop)]

use crate::aligned::Aligned;
use crate::lanes::{Isa, Lanes, Op};
use crate::linear::Linear;
use crate::weights::{Dense, Error, check};

/// The pooling of a block, packed: numbers added on all cells that follow from mean and maximum of every
/// channel.
#[derive(Debug)]
pub(crate) struct Pooling {
    cells: usize,
    linear: Linear,
}

/// One thread's buffers of pooling.
#[derive(Debug)]
pub(crate) struct Pooled {
    /// Mean and maximum of every channel of every board.
    seen: Aligned,
    /// What follows from them.
    told: Aligned,
}

impl Pooled {
    /// Buffers for `count` boards of so many channels, padded.
    pub(crate) fn new(count: usize, channels: usize) -> Self {
        Self {
            seen: Aligned::zeros(count * 2 * channels),
            told: Aligned::zeros(count * channels),
        }
    }
}

impl Pooling {
    /// Packs the pooling of block number `block`.
    pub(crate) fn new(
        isa: Isa,
        block: usize,
        [rows, columns]: [usize; 2],
        channels: usize,
        dense: Dense<'_>,
    ) -> Result<Self, Error> {
        let name = format!("the pooling of block {block}");
        check(&name, "bias", dense.bias.len(), channels)?;
        let width = channels.next_multiple_of(isa.width());
        Ok(Self {
            cells: rows * columns,
            linear: Linear::on_pooled(isa, &name, [channels, width], dense)?,
        })
    }

    /// Runs on `count` boards.
    pub(crate) fn run(&self, isa: Isa, count: usize, boards: &mut [f32], pooled: &mut Pooled) {
        let Pooled { seen, told } = pooled;
        let (cells, channels) = (self.cells, self.linear.width());
        isa.run(Pool {
            boards,
            cells,
            channels,
            count,
            pooled: seen,
        });
        self.linear
            .run(isa, count, (&**seen, 2 * channels), told, false);
        isa.run(AddEverywhere {
            told,
            cells,
            channels,
            count,
            boards,
        });
    }
}

/// `pooled[board] = [mean, maximum]`, each `[channels]`.
pub(crate) struct Pool<'a> {
    pub(crate) boards: &'a [f32],
    pub(crate) cells: usize,
    pub(crate) channels: usize,
    pub(crate) count: usize,
    /// `[count, 2, channels]`
    pub(crate) pooled: &'a mut [f32],
}

impl Op for Pool<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let share = l.splat(1.0 / self.cells as f32);
        let vectors = self.channels / L::WIDTH;
        for board in 0..self.count {
            let cells = &self.boards[board * (self.cells + 1) * self.channels..];
            let cells = l.vectors(&cells[..self.cells * self.channels]);
            let pooled = &mut self.pooled[board * 2 * self.channels..][..2 * self.channels];
            let pooled = l.vectors_mut(pooled);
            for v in 0..vectors {
                let mut sum = cells[v];
                let mut most = cells[v];
                for cell in 1..self.cells {
                    let x = cells[cell * vectors + v];
                    sum = l.add(sum, x);
                    most = l.max(most, x);
                }
                pooled[v] = l.mul(sum, share);
                pooled[vectors + v] = most;
            }
        }
    }
}

/// Adds `told[board]` on every cell of a board.
pub(crate) struct AddEverywhere<'a> {
    /// `[count, channels]`
    pub(crate) told: &'a [f32],
    pub(crate) cells: usize,
    pub(crate) channels: usize,
    pub(crate) count: usize,
    pub(crate) boards: &'a mut [f32],
}

impl Op for AddEverywhere<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let vectors = self.channels / L::WIDTH;
        for board in 0..self.count {
            let told = l.vectors(&self.told[board * self.channels..][..self.channels]);
            let cells = &mut self.boards[board * (self.cells + 1) * self.channels..];
            let cells = l.vectors_mut(&mut cells[..self.cells * self.channels]);
            for cell in 0..self.cells {
                for v in 0..vectors {
                    let at = cell * vectors + v;
                    cells[at] = l.add(cells[at], told[v]);
                }
            }
        }
    }
}
