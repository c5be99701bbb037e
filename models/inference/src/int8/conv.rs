//! A 3×3 convolution with zero padding on whole numbers, with bias, optional residual and relu.

use super::boards::{Floats, Inputs, Outputs, Quantise};
use super::points::filter_rows;
use super::product::{Packed, Product};
use super::words::{run, words_in_vector};
use super::{MOST_ACTIVATION, MOST_WEIGHT};
use crate::aligned::{Aligned, LINE};
use crate::lanes::{Isa, Target};
use crate::weights::{Conv, Error, check, padded};
use crate::winograd::boards::Tiling;
use crate::winograd::plan::{Plan, WORDS};

/// Largest size of a sum: what [`super::boards`] divides, 64 times a sum, must fit 32 bits.
const MOST_SUM: f32 = (1 << 25) as f32;

/// Activation scales of a layer: the float that one whole step stands for.
#[derive(Debug, Clone, Copy)]
pub struct Scales {
    /// Of the input.
    pub input: f32,
    /// Of the output.
    pub output: f32,
}

/// A 3×3 convolution, quantised, transformed and packed.
///
/// Its parts are those of the float layer (`conv3x3::Conv3x3`); weights get a scale for each output
/// channel, the largest of them being 127 steps, or fewer in layers so wide that a sum might not fit.
#[derive(Debug)]
pub struct QuantisedConv {
    isa: Isa,
    tiling: Tiling,
    boards_at_once: usize,
    input: usize,
    output: usize,
    /// A matrix `[in, out]` a point pair.
    weights: Packed,
    /// Float of a sum's unit, by output channel.
    factors: Aligned,
    bias: Aligned,
    /// Whole numbers a unit of the input and of the output.
    input_per_unit: f32,
    per_unit: f32,
}

/// Transformed tiles of one chunk of boards, before (pairs of words) and after the products.
#[derive(Debug)]
pub(crate) struct Stacks {
    inputs: Aligned<i32>,
    products: Aligned<i32>,
}

impl QuantisedConv {
    /// Quantises weights `[out, in, 3, 3]` for boards of `rows` by `columns` and `input` channels.
    ///
    /// # Errors
    /// Weights whose number does not go with the channels.
    pub fn new(
        Target { isa, batch }: Target,
        name: &str,
        [rows, columns]: [usize; 2],
        input: usize,
        conv: Conv<'_>,
        scales: Scales,
    ) -> Result<Self, Error> {
        let output = conv.bias.len();
        check(name, "weight", conv.weight.len(), output * input * 9)?;
        let steps: Vec<f32> = conv.weight.chunks_exact(input * 9).map(step).collect();
        let whole: Vec<i32> = conv
            .weight
            .iter()
            .enumerate()
            .map(|(i, weight)| (weight / steps[i / (input * 9)]).round_ties_even() as i32)
            .collect();

        let plan = Plan::cheapest(&WORDS, batch, [rows, columns], [input, output]);
        let tiling = Tiling::new(rows, columns, plan.side);
        let g = filter_rows(tiling.side);
        let element = |point: usize, i: usize, o: usize| {
            let (row, column) = (g[point / g.len()], g[point % g.len()]);
            let taps = &whole[(o * input + i) * 9..][..9];
            let tap = |t: usize| row[t / 3] * column[t % 3] * taps[t];
            (0..9).map(tap).sum::<i32>() as i16
        };
        let weights = Packed::new(isa, [tiling.points(), input, output], element);
        let factors: Vec<f32> = steps.iter().map(|step| step * scales.input).collect();
        Ok(Self {
            isa,
            boards_at_once: plan.boards,
            tiling,
            input,
            output,
            factors: padded(&factors, weights.columns()),
            bias: padded(conv.bias, weights.columns()),
            weights,
            input_per_unit: 1.0 / scales.input,
            per_unit: 1.0 / scales.output,
        })
    }

    /// Input channels, padded to whole vectors of words.
    fn input_channels(&self) -> usize {
        self.input.next_multiple_of(words_in_vector(self.isa))
    }

    /// Output channels, padded to whole vectors of words.
    fn channels(&self) -> usize {
        self.weights.columns()
    }

    /// How many boards to work on at once.
    pub(crate) fn boards_at_once(&self) -> usize {
        self.boards_at_once
    }

    /// Words of `count` boards of the input or output.
    pub(crate) fn board_words(&self, count: usize) -> [usize; 2] {
        [self.input_channels(), self.channels()]
            .map(|channels| count * (self.tiling.cells() + 1) * channels)
    }

    /// Writes floats `[count][cells + 1][width]` as whole numbers of the input.
    pub(crate) fn quantise(&self, count: usize, floats: &[f32], width: usize, words: &mut [i16]) {
        let quantise = Quantise {
            cells: count * (self.tiling.cells() + 1),
            floats,
            width,
            words,
            channels: self.input_channels(),
            per_unit: self.input_per_unit,
        };
        run(self.isa, quantise);
    }

    /// `output = relu(conv(input) + bias)` for `count` boards, written over `floats` as well.
    pub(crate) fn run_boards(
        &self,
        count: usize,
        input: &[i16],
        output: &mut [i16],
        floats: Option<Floats<'_>>,
        stacks: &mut Stacks,
    ) {
        let [input_step, product_step] = self.steps(count);
        run(
            self.isa,
            Inputs {
                tiling: &self.tiling,
                count,
                channels: self.input_channels(),
                boards: input,
                stack: pulp::bytemuck::cast_slice_mut(&mut stacks.inputs),
                step: 2 * input_step,
            },
        );
        run(
            self.isa,
            Product {
                weights: &self.weights,
                rows: count * self.tiling.tiles.len(),
                a: &stacks.inputs,
                a_stride: self.input_channels() / 2,
                a_step: input_step,
                c: &mut stacks.products,
                c_step: product_step,
            },
        );
        run(
            self.isa,
            Outputs {
                tiling: &self.tiling,
                count,
                channels: self.channels(),
                stack: &stacks.products,
                step: product_step,
                factors: &self.factors,
                bias: &self.bias,
                floats,
                per_unit: self.per_unit,
                words: output,
            },
        );
    }

    /// Distance between matrices of the stacks for `count` boards, in numbers of 32 bits; the odd cache
    /// line is that of the float layer.
    fn steps(&self, count: usize) -> [usize; 2] {
        let rows = count * self.tiling.tiles.len();
        [self.input_channels() / 2, self.channels()].map(|numbers| rows * numbers + LINE)
    }

    /// The layer alone, for checks of its arithmetic: `activations` are whole numbers from -127 to 127,
    /// `[count, in, rows, columns]`, the results from 0 to 127, `[count, out, rows, columns]`.
    pub fn run(&self, activations: &[i8]) -> Vec<u8> {
        let cells = self.tiling.cells();
        let count = activations.len() / (self.input * cells);
        let [mut input, mut output] = self.board_words(count).map(Aligned::<i16>::zeros);
        let at = |width: usize, channels: usize, i: usize| {
            let (board, channel, cell) = (i / (channels * cells), i / cells % channels, i % cells);
            (board * (cells + 1) + cell) * width + channel
        };
        for (i, &activation) in activations.iter().enumerate() {
            input[at(self.input_channels(), self.input, i)] = i16::from(activation);
        }
        let mut stacks = Stacks::new(std::iter::once(self), count);
        self.run_boards(count, &input, &mut output, None, &mut stacks);
        (0..count * self.output * cells)
            .map(|i| output[at(self.channels(), self.output, i)] as u8)
            .collect()
    }
}

/// What one whole step of a channel's weights stands for.
fn step(weights: &[f32]) -> f32 {
    let largest = weights.iter().fold(0.0_f32, |most, w| most.max(w.abs()));
    let all: f32 = weights.iter().map(|w| w.abs()).sum();
    // Every weight may be rounded up by half a step.
    let room = MOST_SUM / MOST_ACTIVATION - weights.len() as f32;
    // A channel without weights has sums of zero at any scale.
    (largest / MOST_WEIGHT)
        .max(all / room)
        .max(f32::MIN_POSITIVE)
}

impl Stacks {
    /// Room for each of `layers` on `count` boards.
    pub(crate) fn new<'a>(layers: impl Iterator<Item = &'a QuantisedConv>, count: usize) -> Self {
        let mut sizes = [0; 2];
        for layer in layers {
            for (size, step) in sizes.iter_mut().zip(layer.steps(count)) {
                *size = (*size).max(layer.tiling.points() * step);
            }
        }
        let [inputs, products] = sizes.map(Aligned::zeros);
        Self { inputs, products }
    }
}
