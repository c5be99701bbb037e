//! The trunk: stem and residual blocks, run on a chunk of boards that stays in cache.

use crate::aligned::Aligned;
use crate::conv3x3::{Conv3x3, Stacks};
use crate::lanes::{Isa, Target};
use crate::linear::Linear;
use crate::pool::{AddEverywhere, Pool};
use crate::weights::{Block, Conv, Error, Weights, check};

/// Stem and residual blocks, packed.
#[derive(Debug)]
pub(crate) struct Trunk {
    planes: usize,
    cells: usize,
    stem: Conv3x3,
    blocks: Vec<Packed>,
}

/// A residual block, packed.
#[derive(Debug)]
struct Packed {
    first: Conv3x3,
    pooled: Option<Linear>,
    second: Conv3x3,
}

/// One thread's boards: input planes, and the two activations a block works on.
#[derive(Debug)]
pub(crate) struct Boards {
    planes: Aligned,
    x: Aligned,
    y: Aligned,
    stacks: Stacks,
    /// Mean and maximum of every channel of every board, and what follows from them.
    pooled: Aligned,
    told: Aligned,
}

impl Trunk {
    /// Packs the stem and the blocks of `weights`.
    pub(crate) fn new(target: Target, weights: &Weights<'_>) -> Result<Self, Error> {
        let board = [weights.rows, weights.columns];
        let channels = weights.stem.bias.len();
        let stem = Conv3x3::new(target, "the stem", board, weights.planes, weights.stem)?;
        let width = stem.channels();
        let block = |(i, block): (usize, &Block<'_>)| {
            let conv = |place, conv: &Conv<'_>| {
                let name = format!("the {place} convolution of block {i}");
                check(&name, "bias", conv.bias.len(), channels)?;
                Conv3x3::new(target, &name, board, channels, *conv)
            };
            let pooled = |dense| {
                let name = format!("the pooling of block {i}");
                Linear::on_pooled(target.isa, &name, [channels, width], dense)
            };
            Ok(Packed {
                first: conv("first", &block.first)?,
                pooled: block.pooled.map(pooled).transpose()?,
                second: conv("second", &block.second)?,
            })
        };
        let blocks = weights
            .blocks
            .iter()
            .enumerate()
            .map(block)
            .collect::<Result<_, _>>()?;
        Ok(Self {
            planes: weights.planes,
            cells: board[0] * board[1],
            stem,
            blocks,
        })
    }

    /// Floats of one output board, guard included.
    pub(crate) fn board_size(&self) -> usize {
        (self.cells + 1) * self.stem.channels()
    }

    /// Boards worked on at once.
    pub(crate) fn chunk(&self) -> usize {
        self.layers()
            .map(Conv3x3::boards_at_once)
            .min()
            .unwrap_or(1)
    }

    /// Buffers for chunks of `count` boards.
    pub(crate) fn boards(&self, count: usize) -> Boards {
        Boards {
            planes: Aligned::zeros(count * (self.cells + 1) * self.stem.input_channels()),
            x: Aligned::zeros(count * self.board_size()),
            y: Aligned::zeros(count * self.board_size()),
            stacks: Stacks::new(self.layers(), count),
            pooled: Aligned::zeros(count * 2 * self.stem.channels()),
            told: Aligned::zeros(count * self.stem.channels()),
        }
    }

    /// Runs on positions `[planes, cells]` and returns the boards `[cells + 1, channels]`.
    pub(crate) fn run<'a>(&self, isa: Isa, positions: &[f32], boards: &'a mut Boards) -> &'a [f32] {
        let count = positions.len() / (self.planes * self.cells);
        let Boards {
            planes,
            x,
            y,
            stacks,
            pooled,
            told,
        } = boards;
        let (cells, channels) = (self.cells, self.stem.channels());
        self.channels_last(positions, planes);
        self.stem.run(isa, count, planes, x, false, stacks);
        for block in &self.blocks {
            block.first.run(isa, count, x, y, false, stacks);
            if let Some(linear) = &block.pooled {
                isa.run(Pool {
                    boards: y,
                    cells,
                    channels,
                    count,
                    pooled,
                });
                linear.run(isa, count, (&**pooled, 2 * channels), told, false);
                isa.run(AddEverywhere {
                    told,
                    cells,
                    channels,
                    count,
                    boards: y,
                });
            }
            block.second.run(isa, count, y, x, true, stacks);
        }
        &x[..count * self.board_size()]
    }

    /// Transposes positions `[planes, cells]` into boards `[cells + 1, padded planes]`.
    fn channels_last(&self, positions: &[f32], boards: &mut [f32]) {
        let channels = self.stem.input_channels();
        let positions = positions.chunks_exact(self.planes * self.cells);
        let boards = boards.chunks_exact_mut((self.cells + 1) * channels);
        for (position, board) in positions.zip(boards) {
            for (p, plane) in position.chunks_exact(self.cells).enumerate() {
                for (cell, &value) in board.chunks_exact_mut(channels).zip(plane) {
                    cell[p] = value;
                }
            }
        }
    }

    fn layers(&self) -> impl Iterator<Item = &Conv3x3> {
        let blocks = self.blocks.iter();
        std::iter::once(&self.stem).chain(blocks.flat_map(|block| [&block.first, &block.second]))
    }
}
