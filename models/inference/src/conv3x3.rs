//! 3×3 convolution with zero padding, bias, optional residual and relu, by Winograd's filtering.
//!
//! Boards are `[cells + 1, channels]`, channels last and padded with zeros to whole vectors; the
//! cell after the last is the guard, always zero (see [`crate::winograd::boards`]). All tiles of a
//! chunk of boards are rows of one matrix a point pair, so a layer is (m + 2)² matrix products.

use crate::aligned::{Aligned, LINE};
use crate::lanes::{Isa, Target};
use crate::product::{Packed, Product};
use crate::weights::{Conv, Error, check, padded};
use crate::winograd::boards::{Inputs, Outputs, Tiling};
use crate::winograd::plan::{FLOATS, Plan};
use crate::winograd::points::filter_rows;

/// A 3×3 convolution, transformed and packed.
#[derive(Debug)]
pub(crate) struct Conv3x3 {
    plan: Plan,
    tiling: Tiling,
    /// `G g Gᵀ`: a matrix `[in, out]` a point pair.
    weights: Packed,
    bias: Aligned,
}

/// Transformed tiles of one chunk of boards, before and after the products.
#[derive(Debug)]
pub(crate) struct Stacks {
    inputs: Aligned,
    products: Aligned,
}

impl Conv3x3 {
    /// Transforms and packs weights `[out, in, 3, 3]` for a board of `rows` by `columns`.
    pub(crate) fn new(
        Target { isa, batch }: Target,
        name: &str,
        [rows, columns]: [usize; 2],
        input: usize,
        conv: Conv<'_>,
    ) -> Result<Self, Error> {
        let output = conv.bias.len();
        check(name, "weight", conv.weight.len(), output * input * 9)?;
        let plan = Plan::cheapest(&FLOATS, batch, [rows, columns], [input, output]);
        let tiling = Tiling::new(rows, columns, plan.side);
        let g = filter_rows(tiling.side);
        let element = |point: usize, i: usize, o: usize| {
            let (row, column) = (g[point / g.len()], g[point % g.len()]);
            let taps = &conv.weight[(o * input + i) * 9..][..9];
            let tap = |t: usize| row[t / 3] * column[t % 3] * f64::from(taps[t]);
            (0..9).map(tap).sum::<f64>() as f32
        };
        let weights = Packed::new(isa, [tiling.points(), input, output], element);
        let bias = padded(conv.bias, weights.columns());
        Ok(Self {
            plan,
            tiling,
            weights,
            bias,
        })
    }

    /// Input channels, padded.
    pub(crate) fn input_channels(&self) -> usize {
        self.weights.padded_depth()
    }

    /// Output channels, padded.
    pub(crate) fn channels(&self) -> usize {
        self.weights.columns()
    }

    /// How many boards to work on at once.
    pub(crate) fn boards_at_once(&self) -> usize {
        self.plan.boards
    }

    /// `output = relu(conv(input) + bias)` for `count` boards; with `residual`, what `output` holds
    /// is added before the relu.
    pub(crate) fn run(
        &self,
        isa: Isa,
        count: usize,
        input: &[f32],
        output: &mut [f32],
        residual: bool,
        stacks: &mut Stacks,
    ) {
        let [input_step, product_step] = self.steps(count);
        isa.run(Inputs {
            tiling: &self.tiling,
            count,
            channels: self.input_channels(),
            boards: input,
            stack: &mut stacks.inputs,
            step: input_step,
        });
        isa.run(Product {
            weights: &self.weights,
            rows: count * self.tiling.tiles.len(),
            a: &stacks.inputs,
            a_stride: self.input_channels(),
            a_step: input_step,
            c: &mut stacks.products,
            c_stride: self.channels(),
            c_step: product_step,
            bias: None,
            relu: false,
        });
        isa.run(Outputs {
            tiling: &self.tiling,
            count,
            channels: self.channels(),
            stack: &stacks.products,
            step: product_step,
            bias: &self.bias,
            residual,
            boards: output,
        });
    }

    /// Distance between matrices of the stacks for `count` boards. The odd cache line keeps the
    /// same row of different matrices out of one cache set.
    fn steps(&self, count: usize) -> [usize; 2] {
        let rows = count * self.tiling.tiles.len();
        [self.input_channels(), self.channels()].map(|channels| rows * channels + LINE)
    }
}

impl Stacks {
    /// Room for each of `layers` on `count` boards.
    pub(crate) fn new<'a>(layers: impl Iterator<Item = &'a Conv3x3>, count: usize) -> Self {
        let mut sizes = [0; 2];
        for layer in layers {
            let steps = layer.steps(count);
            for (size, step) in sizes.iter_mut().zip(steps) {
                *size = (*size).max(layer.tiling.points() * step);
            }
        }
        let [inputs, products] = sizes.map(Aligned::zeros);
        Self { inputs, products }
    }
}
