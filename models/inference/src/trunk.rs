//! The trunk: stem and residual blocks, run on a chunk of boards that stays in cache.

use crate::aligned::Aligned;
use crate::conv3x3::{Conv3x3, Stacks};
use crate::int8;
use crate::lanes::{Isa, Target};
use crate::pool::{Pooled, Pooling};
use crate::weights::{Block, Conv, Error, Weights, check};

/// Stem and residual blocks, packed.
#[derive(Debug)]
pub(crate) struct Trunk {
    planes: usize,
    cells: usize,
    stem: Conv3x3,
    blocks: Blocks,
}

/// The residual blocks in one arithmetic or the other.
#[derive(Debug)]
enum Blocks {
    Floats(Vec<Packed>),
    Words(int8::blocks::Blocks),
}

/// A residual block, packed.
#[derive(Debug)]
struct Packed {
    first: Conv3x3,
    pooling: Option<Pooling>,
    second: Conv3x3,
}

/// One thread's boards: input planes, and the two activations a block works on.
#[derive(Debug)]
pub(crate) struct Boards {
    planes: Aligned,
    x: Aligned,
    y: Aligned,
    stacks: Stacks,
    pooled: Pooled,
    words: Option<int8::blocks::Boards>,
}

impl Trunk {
    /// Packs the stem and the blocks of `weights`; with `largest`, the largest activation of every layer,
    /// the blocks work on whole numbers.
    pub(crate) fn new(
        target: Target,
        weights: &Weights<'_>,
        largest: Option<&[f32]>,
    ) -> Result<Self, Error> {
        let board = [weights.rows, weights.columns];
        let channels = weights.stem.bias.len();
        let stem = Conv3x3::new(target, "the stem", board, weights.planes, weights.stem)?;
        let block = |(i, block): (usize, &Block<'_>)| {
            let conv = |place, conv: &Conv<'_>| {
                let name = format!("the {place} convolution of block {i}");
                check(&name, "bias", conv.bias.len(), channels)?;
                Conv3x3::new(target, &name, board, channels, *conv)
            };
            let pooling = |dense| Pooling::new(target.isa, i, board, channels, dense);
            Ok(Packed {
                first: conv("first", &block.first)?,
                pooling: block.pooled.map(pooling).transpose()?,
                second: conv("second", &block.second)?,
            })
        };
        let blocks = weights.blocks.iter().enumerate().map(block);
        let blocks = match largest {
            None => Blocks::Floats(blocks.collect::<Result<_, _>>()?),
            Some(largest) => {
                check(
                    "the activations",
                    "largest",
                    largest.len(),
                    1 + 2 * weights.blocks.len(),
                )?;
                let width = stem.channels();
                Blocks::Words(int8::blocks::Blocks::new(target, weights, largest, width)?)
            }
        };
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
        let blocks = match &self.blocks {
            Blocks::Floats(_) => None,
            Blocks::Words(blocks) => blocks.boards_at_once(),
        };
        let floats = self.layers().map(Conv3x3::boards_at_once);
        floats.chain(blocks).min().unwrap_or(1)
    }

    /// Buffers for chunks of `count` boards.
    pub(crate) fn boards(&self, count: usize) -> Boards {
        Boards {
            planes: Aligned::zeros(count * (self.cells + 1) * self.stem.input_channels()),
            x: Aligned::zeros(count * self.board_size()),
            y: Aligned::zeros(count * self.board_size()),
            stacks: Stacks::new(self.layers(), count),
            pooled: Pooled::new(count, self.stem.channels()),
            words: match &self.blocks {
                Blocks::Floats(_) => None,
                Blocks::Words(blocks) => Some(blocks.boards(count)),
            },
        }
    }

    /// Runs on positions `[planes, cells]` and returns the boards `[cells + 1, channels]`.
    pub(crate) fn run<'a>(&self, isa: Isa, positions: &[f32], boards: &'a mut Boards) -> &'a [f32] {
        self.run_observed(isa, positions, boards, &mut |_, _| {})
    }

    /// The same; `observe` is shown the boards that each layer in floats has written.
    pub(crate) fn run_observed<'a>(
        &self,
        isa: Isa,
        positions: &[f32],
        boards: &'a mut Boards,
        observe: &mut impl FnMut(usize, &[f32]),
    ) -> &'a [f32] {
        let count = positions.len() / (self.planes * self.cells);
        let Boards {
            planes,
            x,
            y,
            stacks,
            pooled,
            words,
        } = boards;
        let size = count * self.board_size();
        self.channels_last(positions, planes);
        self.stem.run(isa, count, planes, x, false, stacks);
        observe(0, &x[..size]);
        match (&self.blocks, words) {
            (Blocks::Floats(blocks), _) => {
                for (i, block) in blocks.iter().enumerate() {
                    block.first.run(isa, count, x, y, false, stacks);
                    if let Some(pooling) = &block.pooling {
                        pooling.run(isa, count, y, pooled);
                    }
                    observe(2 * i + 1, &y[..size]);
                    block.second.run(isa, count, y, x, true, stacks);
                    observe(2 * i + 2, &x[..size]);
                }
            }
            (Blocks::Words(blocks), Some(words)) => {
                blocks.run(count, [x, y], pooled, words);
            }
            (Blocks::Words(_), None) => unreachable!("the boards are another network's"),
        }
        &x[..size]
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

    /// The layers in floats.
    fn layers(&self) -> impl Iterator<Item = &Conv3x3> {
        let blocks = match &self.blocks {
            Blocks::Floats(blocks) => &blocks[..],
            Blocks::Words(_) => &[],
        };
        let layers = blocks
            .iter()
            .flat_map(|block| [&block.first, &block.second]);
        std::iter::once(&self.stem).chain(layers)
    }
}
