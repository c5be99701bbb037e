//! All residual blocks of a trunk on whole numbers.

use super::MOST_ACTIVATION;
use super::conv::{QuantisedConv, Scales, Stacks};
use crate::aligned::Aligned;
use crate::lanes::Target;
use crate::weights::{Error, Weights};

/// Residual blocks, quantised.
#[derive(Debug)]
pub(crate) struct Blocks {
    channels: usize,
    cells: usize,
    /// Whole numbers a unit of the stem's activations.
    per_unit: f32,
    blocks: Vec<[QuantisedConv; 2]>,
}

/// One thread's boards of words.
#[derive(Debug)]
pub(crate) struct Boards {
    x: Aligned<i16>,
    y: Aligned<i16>,
    stacks: Stacks,
}

impl Blocks {
    /// Quantises the blocks of `weights`. `largest` holds the largest activation of the stem and of
    /// each convolution after it, in order.
    pub(crate) fn new(
        target: Target,
        weights: &Weights<'_>,
        largest: &[f32],
    ) -> Result<Self, Error> {
        let channels = weights.stem.bias.len();
        let board = [weights.rows, weights.columns];
        // A layer that is never active has whole numbers of zero at any scale.
        let scale = |at: usize| (largest[at] / MOST_ACTIVATION).max(f32::MIN_POSITIVE);
        let conv = |block: usize, at: usize| {
            let name = format!("convolution {at} of block {block}");
            let layer = 2 * block + at;
            let scales = Scales {
                input: scale(layer),
                output: scale(layer + 1),
            };
            QuantisedConv::new(
                target,
                &name,
                board,
                channels,
                weights.blocks[block][at],
                scales,
            )
        };
        let blocks = (0..weights.blocks.len())
            .map(|block| Ok([conv(block, 0)?, conv(block, 1)?]))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            channels,
            cells: board[0] * board[1],
            per_unit: 1.0 / scale(0),
            blocks,
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

    /// Runs on the stem's activations `[count][cells + 1][width]`, over which the last block's are written.
    pub(crate) fn run(&self, count: usize, width: usize, x: &mut [f32], boards: &mut Boards) {
        let Boards {
            x: words,
            y,
            stacks,
        } = boards;
        self.quantise(count, width, x, words);
        for [first, second] in &self.blocks {
            first.run_boards(count, words, y, None, stacks);
            second.run_boards(count, y, words, Some((&mut *x, width)), stacks);
        }
    }

    /// Writes floats as the nearest whole numbers.
    fn quantise(&self, count: usize, width: usize, x: &[f32], words: &mut [i16]) {
        let cells = count * (self.cells + 1);
        let layer = self.layers().next();
        let channels = layer.map_or(1, |layer| layer.board_words(1)[0] / (self.cells + 1));
        let rows = x.chunks_exact(width).zip(words.chunks_exact_mut(channels));
        for (floats, words) in rows.take(cells) {
            for (word, float) in words.iter_mut().zip(&floats[..self.channels]) {
                *word = (float * self.per_unit)
                    .min(MOST_ACTIVATION)
                    .round_ties_even() as i16;
            }
        }
    }

    fn layers(&self) -> impl Iterator<Item = &QuantisedConv> {
        self.blocks.iter().flatten()
    }
}
