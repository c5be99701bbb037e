//! The weights a network is built from: borrowed slices in the layouts of PyTorch and burn.

use crate::aligned::Aligned;

/// A convolution's weights. The kernel's size is known from where the layer stands.
#[derive(Debug, Clone, Copy)]
pub struct Conv<'a> {
    /// `[out, in, kernel rows, kernel columns]`
    pub weight: &'a [f32],
    /// `[out]`
    pub bias: &'a [f32],
}

/// A fully connected layer's weights.
#[derive(Debug, Clone, Copy)]
pub struct Dense<'a> {
    /// `[in, out]`, as burn stores it; an input that is a board comes flattened from
    /// `[channels, rows, columns]`.
    pub weight: &'a [f32],
    /// `[out]`
    pub bias: &'a [f32],
}

/// A residual block: `x = relu(x + second(y + pooled(y)))` with `y = relu(first(x))`, both
/// convolutions 3×3.
#[derive(Debug, Clone, Copy)]
pub struct Block<'a> {
    /// The first convolution.
    pub first: Conv<'a>,
    /// From mean and maximum of every channel, `[2 * channels]`, to a number a channel that is added
    /// on all cells.
    pub pooled: Option<Dense<'a>>,
    /// The second convolution.
    pub second: Conv<'a>,
}

/// The policy head. All its convolutions are 1×1.
#[derive(Debug, Clone, Copy)]
pub enum PolicyHead<'a> {
    /// Convolution, relu, flatten, linear.
    Dense {
        /// The convolution over the trunk's channels.
        conv: Conv<'a>,
        /// From the flattened planes to the logits.
        linear: Dense<'a>,
    },
    /// The logit of cells a and b, at `a * cells + b`, is the product of `from` at a and `to` at b,
    /// divided by the root of their channels.
    Pairs {
        /// What leaves a cell.
        from: Conv<'a>,
        /// What arrives at a cell.
        to: Conv<'a>,
    },
    /// Convolution and relu; of that a convolution to planes of logits, and a linear layer from mean
    /// and maximum of every channel to further logits.
    Planes {
        /// The convolution over the trunk's channels.
        conv: Conv<'a>,
        /// From those channels to the planes.
        planes: Conv<'a>,
        /// From their mean and maximum to the logits that belong to no cell.
        rest: Dense<'a>,
    },
}

/// 1×1 convolution, relu, flatten (or mean and maximum of every channel), linear, relu, linear.
#[derive(Debug, Clone, Copy)]
pub struct ValueHead<'a> {
    /// The convolution over the trunk's channels.
    pub conv: Conv<'a>,
    /// Whether mean and maximum over the cells stand in for all cells.
    pub pooled: bool,
    /// From the flattened planes to the hidden layer.
    pub hidden: Dense<'a>,
    /// From the hidden layer to the outputs.
    pub output: Dense<'a>,
}

/// All weights of a residual network; widths follow from the lengths of the biases.
///
/// Normalisation layers must be folded into the convolutions before.
#[derive(Debug, Clone)]
pub struct Weights<'a> {
    /// Input planes.
    pub planes: usize,
    /// Board rows.
    pub rows: usize,
    /// Board columns.
    pub columns: usize,
    /// 3×3 convolution from the planes to the trunk's channels, then relu.
    pub stem: Conv<'a>,
    /// The residual blocks.
    pub blocks: Vec<Block<'a>>,
    /// The policy head.
    pub policy: PolicyHead<'a>,
    /// The value head.
    pub value: ValueHead<'a>,
}

/// Why weights were refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// A slice of weights has a length that does not go with the rest of the network.
    #[error(
        "the {what} of {layer} holds {got} numbers where the network's shape asks for {wanted}"
    )]
    Shape {
        /// The layer's place in the network.
        layer: String,
        /// Which of its arrays.
        what: &'static str,
        /// The length given.
        got: usize,
        /// The length that fits.
        wanted: usize,
    },
}

/// Refuses a weight or bias of another length than `wanted`.
pub(crate) fn check(
    layer: &str,
    what: &'static str,
    got: usize,
    wanted: usize,
) -> Result<(), Error> {
    if got == wanted {
        return Ok(());
    }
    Err(Error::Shape {
        layer: layer.to_owned(),
        what,
        got,
        wanted,
    })
}

/// `values`, followed by zeros up to `length`.
pub(crate) fn padded(values: &[f32], length: usize) -> Aligned {
    let mut all = Aligned::zeros(length);
    all[..values.len()].copy_from_slice(values);
    all
}
