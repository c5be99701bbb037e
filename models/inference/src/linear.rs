//! Fully connected layer with bias and optional relu: one matrix product over the whole batch.

use crate::aligned::Aligned;
use crate::lanes::Isa;
use crate::product::{Packed, Product};
use crate::weights::{Dense, Error, check, padded};

/// A fully connected layer, packed.
#[derive(Debug)]
pub(crate) struct Linear {
    weights: Packed,
    bias: Aligned,
}

/// A board as the input of a linear layer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Planes {
    pub(crate) cells: usize,
    pub(crate) channels: usize,
    /// Channels as they lie in memory.
    pub(crate) padded: usize,
}

impl Linear {
    /// Packs weights `[in, out]`.
    pub(crate) fn new(isa: Isa, name: &str, input: usize, dense: Dense<'_>) -> Result<Self, Error> {
        let planes = Planes {
            cells: 1,
            channels: input,
            padded: input,
        };
        Self::on_planes(isa, name, planes, dense)
    }

    /// Packs weights whose input is flattened from `[channels, cells]`, to be run on
    /// `[cells, padded channels]`.
    pub(crate) fn on_planes(
        isa: Isa,
        name: &str,
        planes: Planes,
        dense: Dense<'_>,
    ) -> Result<Self, Error> {
        let row = |cell: usize, channel: usize| channel * planes.cells + cell;
        Self::packed(isa, name, planes, dense, row)
    }

    /// Packs weights whose input is the mean and maximum of every channel, `[2, channels]`, to be run
    /// on `[2, padded channels]`.
    pub(crate) fn on_pooled(
        isa: Isa,
        name: &str,
        [channels, padded]: [usize; 2],
        dense: Dense<'_>,
    ) -> Result<Self, Error> {
        let halves = Planes {
            cells: 2,
            channels,
            padded,
        };
        let row = |half: usize, channel: usize| half * channels + channel;
        Self::packed(isa, name, halves, dense, row)
    }

    /// Packs weights to be run on `[cells, padded channels]`, whose row for a cell and a channel is given
    /// by `row`.
    fn packed(
        isa: Isa,
        name: &str,
        planes: Planes,
        dense: Dense<'_>,
        row: impl Fn(usize, usize) -> usize,
    ) -> Result<Self, Error> {
        let Planes {
            cells,
            channels,
            padded: width,
        } = planes;
        let output = dense.bias.len();
        let wanted = cells * channels * output;
        check(name, "weight", dense.weight.len(), wanted)?;
        let element = |_, k: usize, o: usize| {
            let (cell, channel) = (k / width, k % width);
            if channel < channels {
                dense.weight[row(cell, channel) * output + o]
            } else {
                0.0
            }
        };
        let weights = Packed::new(isa, [1, cells * width, output], element);
        let bias = padded(dense.bias, weights.columns());
        Ok(Self { weights, bias })
    }

    /// Outputs, padded.
    pub(crate) fn width(&self) -> usize {
        self.weights.columns()
    }

    /// `output = input · W + bias` for `count` rows that lie `stride` apart.
    pub(crate) fn run(
        &self,
        isa: Isa,
        count: usize,
        (input, stride): (&[f32], usize),
        output: &mut [f32],
        relu: bool,
    ) {
        isa.run(Product {
            weights: &self.weights,
            rows: count,
            a: input,
            a_stride: stride,
            a_step: 0,
            c: output,
            c_stride: self.width(),
            c_step: 0,
            bias: Some(&self.bias),
            relu,
        });
    }
}
