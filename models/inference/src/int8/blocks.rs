//! All residual blocks of a trunk on whole numbers.

use super::MOST_ACTIVATION;
use super::boards::Floats;
use super::conv::{QuantisedConv, Scales, Stacks};
use crate::aligned::Aligned;
use crate::lanes::{Isa, Target};
use crate::pool::{Pooled, Pooling};
use crate::weights::{Error, Weights};

/// Residual blocks, quantised.
#[derive(Debug)]
pub(crate) struct Blocks {
    isa: Isa,
    /// Channels of the boards of floats.
    width: usize,
    blocks: Vec<Block>,
}

/// A residual block, quantised. Its pooling works on floats, from which the second convolution's whole
/// numbers are made.
#[derive(Debug)]
struct Block {
    first: QuantisedConv,
    pooling: Option<Pooling>,
    second: QuantisedConv,
}

/// One thread's boards of words.
#[derive(Debug)]
pub(crate) struct Boards {
    x: Aligned<i16>,
    y: Aligned<i16>,
    stacks: Stacks,
}

impl Blocks {
    /// Quantises the blocks of `weights`. `largest` holds the largest size of an activation of the stem
    /// and of each convolution after it, in order; `width` the channels of the stem's boards.
    pub(crate) fn new(
        target: Target,
        weights: &Weights<'_>,
        largest: &[f32],
        width: usize,
    ) -> Result<Self, Error> {
        let channels = weights.stem.bias.len();
        let board = [weights.rows, weights.columns];
        // A layer that is never active has whole numbers of zero at any scale.
        let scale = |at: usize| (largest[at] / MOST_ACTIVATION).max(f32::MIN_POSITIVE);
        let block = |i: usize| {
            let block = &weights.blocks[i];
            let conv = |place, conv, layer| {
                let name = format!("the {place} convolution of block {i}");
                let scales = Scales {
                    input: scale(layer),
                    output: scale(layer + 1),
                };
                QuantisedConv::new(target, &name, board, channels, conv, scales)
            };
            let pooling = |dense| Pooling::new(target.isa, i, board, channels, dense);
            Ok(Block {
                first: conv("first", block.first, 2 * i)?,
                pooling: block.pooled.map(pooling).transpose()?,
                second: conv("second", block.second, 2 * i + 1)?,
            })
        };
        Ok(Self {
            isa: target.isa,
            width,
            blocks: (0..weights.blocks.len())
                .map(block)
                .collect::<Result<_, _>>()?,
        })
    }

    /// How many boards to work on at once.
    pub(crate) fn boards_at_once(&self) -> Option<usize> {
        self.layers().map(QuantisedConv::boards_at_once).min()
    }

    /// Buffers for chunks of `count` boards.
    pub(crate) fn boards(&self, count: usize) -> Boards {
        let words = self
            .layers()
            .next()
            .map_or(0, |layer| layer.board_words(count)[0]);
        Boards {
            x: Aligned::zeros(words),
            y: Aligned::zeros(words),
            stacks: Stacks::new(self.layers(), count),
        }
    }

    /// Runs on the stem's activations, `x` of `[count][cells + 1][width]`, over which the last block's
    /// are written; `y` are boards of the same size.
    pub(crate) fn run(
        &self,
        count: usize,
        [x, y]: [&mut [f32]; 2],
        pooled: &mut Pooled,
        boards: &mut Boards,
    ) {
        let width = self.width;
        let stacks = &mut boards.stacks;
        if let Some(block) = self.blocks.first() {
            block.first.quantise(count, x, width, &mut boards.x);
        }
        for block in &self.blocks {
            let between = block.pooling.is_some().then_some(Floats {
                boards: &mut *y,
                width,
                residual: false,
            });
            block
                .first
                .run_boards(count, &boards.x, &mut boards.y, between, stacks);
            if let Some(pooling) = &block.pooling {
                pooling.run(self.isa, count, y, pooled);
                block.second.quantise(count, y, width, &mut boards.y);
            }
            let stream = Floats {
                boards: &mut *x,
                width,
                residual: true,
            };
            block
                .second
                .run_boards(count, &boards.y, &mut boards.x, Some(stream), stacks);
        }
    }

    fn layers(&self) -> impl Iterator<Item = &QuantisedConv> {
        self.blocks
            .iter()
            .flat_map(|block| [&block.first, &block.second])
    }
}
