//! The heads, on features `[cells, batch, channels]`.

use burn::module::Module;
use burn::nn::Linear;
use burn::nn::conv::Conv2d;
use burn::tensor::Tensor;
use burn::tensor::activation::relu;
use engine::encode::{Head, Shape};

use super::boards::{pointwise, pooled};
use super::{Fresh, NetConfig};

/// The policy head, by the form of the game's policy indices.
#[derive(Module, Debug)]
pub enum PolicyHead {
    /// A linear layer on all points.
    Dense(DensePolicy),
    /// A product of what leaves a point with what arrives at another.
    Pairs(PairsPolicy),
    /// Planes of the board, and indices that belong to no point.
    Planes(PlanesPolicy),
}

/// 1×1 convolution, relu, flatten, linear.
#[derive(Module, Debug)]
pub struct DensePolicy {
    conv: Conv2d,
    linear: Linear,
}

/// Two 1×1 convolutions; the logit of a pair of points is the scaled product of the two vectors there
/// (attention without softmax, Vaswani et al. 2017).
#[derive(Module, Debug)]
pub struct PairsPolicy {
    from: Conv2d,
    to: Conv2d,
}

/// 1×1 convolution, relu, 1×1 convolution to the policy planes; a linear layer on mean and maximum
/// for the indices that belong to no point.
#[derive(Module, Debug)]
pub struct PlanesPolicy {
    conv: Conv2d,
    planes: Conv2d,
    rest: Linear,
}

impl PolicyHead {
    pub(super) fn new(config: &NetConfig, shape: Shape, fresh: &mut Fresh<'_>) -> PolicyHead {
        let area = shape.rows * shape.columns;
        let (channels, inner) = (config.channels, config.policy_channels);
        match shape.head {
            Head::Dense => PolicyHead::Dense(DensePolicy {
                conv: fresh.conv(channels, inner, 1, 1.0),
                linear: fresh.linear(inner * area, shape.policy, 0.1),
            }),
            Head::Pairs => PolicyHead::Pairs(PairsPolicy {
                from: fresh.conv(channels, inner, 1, 0.3),
                to: fresh.conv(channels, inner, 1, 0.3),
            }),
            Head::Planes { count } => PolicyHead::Planes(PlanesPolicy {
                conv: fresh.conv(channels, inner, 1, 1.0),
                planes: fresh.conv(inner, count, 1, 0.1),
                rest: fresh.linear(2 * inner, shape.policy - count * area, 0.1),
            }),
        }
    }

    /// Products of two activations in a position's evaluation.
    pub(super) fn pair_products(&self, cells: usize) -> usize {
        match self {
            PolicyHead::Pairs(PairsPolicy { from, .. }) => cells * cells * from.weight.dims()[0],
            PolicyHead::Dense(_) | PolicyHead::Planes(_) => 0,
        }
    }

    /// Policy logits `[batch, policy]`.
    pub(super) fn forward(&self, x: Tensor<3>) -> Tensor<2> {
        match self {
            PolicyHead::Dense(DensePolicy { conv, linear }) => {
                linear.forward(flattened(relu(pointwise(x, conv))))
            }
            PolicyHead::Pairs(PairsPolicy { from, to }) => {
                let [cells, batch, _] = x.dims();
                let inner = from.weight.dims()[0];
                let from = pointwise(x.clone(), from).permute([1, 0, 2]);
                let to = pointwise(x, to).permute([1, 2, 0]);
                let scale = 1.0 / (inner as f32).sqrt();
                let pairs = from.matmul(to).mul_scalar(scale);
                pairs.reshape([batch, cells * cells])
            }
            PolicyHead::Planes(PlanesPolicy { conv, planes, rest }) => {
                let x = relu(pointwise(x, conv));
                let rest = rest.forward(pooled(x.clone()));
                Tensor::cat(vec![flattened(pointwise(x, planes)), rest], 1)
            }
        }
    }
}

/// 1×1 convolution, relu, then all points (or, for every board size, mean and maximum over them),
/// linear, relu, linear.
#[derive(Module, Debug)]
pub struct ValueHead {
    conv: Conv2d,
    hidden: Linear,
    output: Linear,
}

impl ValueHead {
    pub(super) fn new(
        config: &NetConfig,
        shape: Shape,
        outcomes: usize,
        fresh: &mut Fresh<'_>,
    ) -> ValueHead {
        let seen = match shape.head.serves_every_size() {
            true => 2,
            false => shape.rows * shape.columns,
        };
        let inner = config.value_channels;
        ValueHead {
            conv: fresh.conv(config.channels, inner, 1, 1.0),
            hidden: fresh.linear(seen * inner, config.value_hidden, 1.0),
            output: fresh.linear(config.value_hidden, outcomes, 0.1),
        }
    }

    /// Value logits `[batch, outcomes]`.
    pub(super) fn forward(&self, x: Tensor<3>, every_size: bool) -> Tensor<2> {
        let x = relu(pointwise(x, &self.conv));
        let x = if every_size { pooled(x) } else { flattened(x) };
        self.output.forward(relu(self.hidden.forward(x)))
    }
}

/// `[cells, batch, channels]` as `[batch, channels * cells]`.
fn flattened(x: Tensor<3>) -> Tensor<2> {
    let [cells, batch, channels] = x.dims();
    x.permute([1, 2, 0]).reshape([batch, channels * cells])
}
