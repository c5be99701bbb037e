//! The residual policy/value network and its initial weights.
//!
//! There is no normalisation and so no running statistic: the network that acts is the network that
//! learned (docs/decisions/0004). A residual branch ends in weights of zero, so that a fresh network
//! is as shallow as its stem and learns stably at any depth (Fixup, Zhang et al. 2019).

mod boards;
mod heads;
mod parameters;
mod winograd;

use burn::module::{Module, Param};
use burn::nn::conv::{Conv2d, Conv2dConfig};
use burn::nn::{Initializer, Linear, LinearConfig, PaddingConfig2d};
use burn::tensor::{Device, Gradients, Tensor, TensorData};
use engine::Shape;
use engine::draws::{Purpose, keyed};
use rand::RngExt;
use serde::{Deserialize, Serialize};

use boards::Boards;
pub use heads::{PolicyHead, ValueHead};
pub use parameters::{Parameter, Parameters, flat_parameters, parameters, with_parameters};

/// The sizes of a network; together with a game's [`Shape`] they fix every tensor.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NetConfig {
    /// Residual blocks of two convolutions each.
    pub blocks: usize,
    /// Channels of the trunk.
    pub channels: usize,
    /// Channels of the policy head before its last layer.
    pub policy_channels: usize,
    /// Channels of the value head before its linear layers.
    pub value_channels: usize,
    /// Width of the value head's hidden layer.
    pub value_hidden: usize,
}

impl Default for NetConfig {
    fn default() -> Self {
        NetConfig {
            blocks: 4,
            channels: 32,
            policy_channels: 8,
            value_channels: 4,
            value_hidden: 32,
        }
    }
}

impl NetConfig {
    /// The sizes that are out of their range, each with the range.
    pub fn faults(&self) -> impl Iterator<Item = (&'static str, String)> {
        let sizes = [
            ("blocks", self.blocks, 64),
            ("channels", self.channels, 1024),
            ("policy_channels", self.policy_channels, 256),
            ("value_channels", self.value_channels, 256),
            ("value_hidden", self.value_hidden, 4096),
        ];
        sizes
            .into_iter()
            .filter(|(_, size, most)| !(1..=*most).contains(size))
            .map(|(key, _, most)| (key, format!("from 1 to {most}")))
    }
}

/// Two convolutions whose result is added to their input. In a network for every board size, what the
/// first finds anywhere on the board reaches all points through its mean and maximum.
#[derive(Module, Debug)]
pub struct Block {
    first: Conv2d,
    pooled: Option<Linear>,
    second: Conv2d,
}

/// A residual network with a policy head and a value head.
///
/// Input `[batch, planes, rows, columns]`; outputs are policy logits `[batch, policy]` and value
/// logits `[batch, outcomes]`, the outcomes being win, (draw,) loss as the mover sees them.
#[derive(Module, Debug)]
pub struct Net {
    stem: Conv2d,
    blocks: Vec<Block>,
    policy: PolicyHead,
    value: ValueHead,
}

impl Net {
    /// A fresh network whose weights depend on the seed alone.
    pub fn new(
        config: &NetConfig,
        shape: Shape,
        outcomes: usize,
        seed: u64,
        device: &Device,
    ) -> Net {
        let mut fresh = Fresh {
            draws: keyed(seed, Purpose::Weights, 0, 0),
            device,
        };
        let channels = config.channels;
        let every_size = shape.head.serves_every_size();
        Net {
            stem: fresh.conv(shape.planes, channels, 3, 1.0),
            blocks: (0..config.blocks)
                .map(|_| Block {
                    first: fresh.conv(channels, channels, 3, 1.0),
                    pooled: every_size.then(|| fresh.linear(2 * channels, channels, 0.1)),
                    second: fresh.conv(channels, channels, 3, 0.0),
                })
                .collect(),
            policy: PolicyHead::new(config, shape, &mut fresh),
            value: ValueHead::new(config, shape, outcomes, &mut fresh),
        }
    }

    /// Whether every weight is a finite number.
    pub fn is_finite(&self) -> bool {
        let weights = flat_parameters(self);
        weights.iter().flatten().all(|weight| weight.is_finite())
    }

    /// The same network with a random number from -0.1 to 0.1 added to every weight, so that no part of
    /// it is the zeros that it begins with. It must be off the autodiff device.
    pub fn stirred(self, seed: u64) -> Net {
        struct Stir(rand_chacha::ChaCha8Rng);
        impl burn::module::ModuleMapper for Stir {
            fn map_float<const D: usize>(&mut self, param: Param<Tensor<D>>) -> Param<Tensor<D>> {
                param.map(|tensor| {
                    let shape = tensor.dims();
                    let count: usize = shape.iter().product();
                    let noise: Vec<f32> =
                        (0..count).map(|_| self.0.random_range(-0.1..0.1)).collect();
                    let noise = TensorData::new(noise, shape);
                    let device = tensor.device();
                    tensor + Tensor::from_data(noise, &device)
                })
            }
        }
        self.map(&mut Stir(keyed(seed, Purpose::Weights, 2, 0)))
    }

    /// The gradient of the stem's weights. Unless second convolutions of blocks are the zeros that they
    /// begin with, it has passed through the whole network.
    pub(crate) fn stem_gradient(&self, gradients: &Gradients) -> Tensor<4> {
        let gradient = self.stem.weight.val().grad(gradients);
        gradient.expect("the stem takes part in every loss")
    }

    /// The number of residual blocks.
    pub fn block_count(&self) -> usize {
        self.blocks.len()
    }

    /// Floating-point operations of a position's evaluation: two for each weight and the places that it
    /// stands at, as in the definition of the layers; biases, relus and pooling are not counted.
    pub fn operations(&self, shape: Shape) -> u64 {
        struct Count {
            cells: usize,
            sum: usize,
        }
        impl burn::module::ModuleVisitor for Count {
            fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<D>>) {
                let weights: usize = param.val().dims().iter().product();
                self.sum += match D {
                    // A convolution, a linear layer, a bias.
                    4 => weights * self.cells,
                    2 => weights,
                    _ => 0,
                };
            }
        }
        let cells = shape.rows * shape.columns;
        let mut count = Count { cells, sum: 0 };
        self.visit(&mut count);
        2 * (count.sum + self.policy.pair_products(cells)) as u64
    }

    /// Policy and value logits of a batch.
    pub fn forward(&self, planes: Tensor<4>) -> (Tensor<2>, Tensor<2>) {
        let features = self.trunk(Boards::new(planes)).features();
        let every_size = matches!(self.policy, PolicyHead::Planes(_));
        (
            self.policy.forward(features.clone()),
            self.value.forward(features, every_size),
        )
    }

    fn trunk(&self, planes: Boards) -> Boards {
        let mut x = planes.convolve(&self.stem).relu();
        for block in &self.blocks {
            let mut branch = x.clone().convolve(&block.first).relu();
            if let Some(linear) = &block.pooled {
                let told = linear.forward(branch.pooled());
                branch = branch.add_everywhere(told);
            }
            x = x.add(branch.convolve(&block.second)).relu();
        }
        x
    }
}

/// Makes layers with weights from our own generator: burn's is one global per backend.
struct Fresh<'a> {
    draws: rand_chacha::ChaCha8Rng,
    device: &'a Device,
}

impl Fresh<'_> {
    /// A convolution that keeps the board's size; `gain` scales the weights of He et al. 2015.
    fn conv(&mut self, from: usize, to: usize, kernel: usize, gain: f64) -> Conv2d {
        let mut conv = Conv2dConfig::new([from, to], [kernel, kernel])
            .with_padding(PaddingConfig2d::Same)
            .with_initializer(Initializer::Zeros)
            .init(self.device);
        let weights = self.weights(from * to * kernel * kernel, from * kernel * kernel, gain);
        conv.weight = self.param(weights, [to, from, kernel, kernel]);
        conv
    }

    fn linear(&mut self, from: usize, to: usize, gain: f64) -> Linear {
        let mut linear = LinearConfig::new(from, to)
            .with_initializer(Initializer::Zeros)
            .init(self.device);
        let weights = self.weights(from * to, from, gain);
        linear.weight = self.param(weights, [from, to]);
        linear
    }

    /// Uniform weights of variance 2 / fan-in, times the gain.
    fn weights(&mut self, count: usize, fan_in: usize, gain: f64) -> Vec<f32> {
        let bound = gain * (6.0 / fan_in as f64).sqrt();
        (0..count)
            .map(|_| (bound * (2.0 * self.draws.random::<f64>() - 1.0)) as f32)
            .collect()
    }

    fn param<const D: usize>(&self, weights: Vec<f32>, shape: [usize; D]) -> Param<Tensor<D>> {
        Param::from_tensor(Tensor::from_data(
            TensorData::new(weights, shape),
            self.device,
        ))
    }
}
