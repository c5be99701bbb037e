//! 1×1 convolution with bias and optional relu: one matrix product over the cells of all boards.

use crate::aligned::Aligned;
use crate::lanes::Isa;
use crate::product::{Packed, Product};
use crate::weights::{Conv, Error, check, padded};

/// A 1×1 convolution, packed. Boards are laid out as for [`crate::conv3x3`]; the output's guard
/// cells are not zero and must not be read.
#[derive(Debug)]
pub(crate) struct Conv1x1 {
    weights: Packed,
    bias: Aligned,
    relu: bool,
}

impl Conv1x1 {
    /// Packs weights `[out, in, 1, 1]`.
    pub(crate) fn new(isa: Isa, name: &str, input: usize, conv: Conv<'_>) -> Result<Self, Error> {
        let output = conv.bias.len();
        check(name, "weight", conv.weight.len(), output * input)?;
        let element = |_, i: usize, o: usize| conv.weight[o * input + i];
        let weights = Packed::new(isa, [1, input, output], element);
        let bias = padded(conv.bias, weights.columns());
        Ok(Self {
            weights,
            bias,
            relu: false,
        })
    }

    /// The same, followed by relu.
    pub(crate) fn with_relu(self) -> Self {
        Self { relu: true, ..self }
    }

    /// Output channels, padded.
    pub(crate) fn channels(&self) -> usize {
        self.weights.columns()
    }

    /// `output = conv(input) + bias`, with relu if so made, for `cells` cells.
    pub(crate) fn run(&self, isa: Isa, cells: usize, input: &[f32], output: &mut [f32]) {
        isa.run(Product {
            weights: &self.weights,
            rows: cells,
            a: input,
            a_stride: self.weights.padded_depth(),
            a_step: 0,
            c: output,
            c_stride: self.channels(),
            c_step: 0,
            bias: Some(&self.bias),
            relu: self.relu,
        });
    }
}
