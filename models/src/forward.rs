//! A network made ready to evaluate: through burn, or through the fused path for processors.

use std::fmt;
use std::str::FromStr;

use burn::tensor::{Device, Tensor, TensorData};
use engine::{Encode, Head, Shape};
use inference::{Block, Conv, Dense, Network, PolicyHead, Target, ValueHead, Weights, Workspace};
use serde::{Deserialize, Serialize};

use crate::calibration;
use crate::export::onnx::RuntimeError;
use crate::export::onnx::runtime::Runtime;
use crate::net::{Net, flat_parameters};

/// Which code computes a network's answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kernel {
    /// The fused path where the device is the processor, burn elsewhere.
    #[default]
    Auto,
    /// burn everywhere, for comparison.
    Burn,
    /// The fused path with the trunk's blocks on 8-bit weights and 7-bit activations where the device is
    /// the processor, burn elsewhere.
    Int8,
}

impl Kernel {
    /// Every kernel.
    pub const ALL: [Kernel; 3] = [Kernel::Auto, Kernel::Burn, Kernel::Int8];

    /// The kernel's name in configurations, specs and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Kernel::Auto => "auto",
            Kernel::Burn => "burn",
            Kernel::Int8 => "int8",
        }
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Kernel {
    type Err = String;

    fn from_str(text: &str) -> Result<Kernel, String> {
        let found = Kernel::ALL.into_iter().find(|kernel| kernel.name() == text);
        found.ok_or_else(|| {
            let names = Kernel::ALL.map(Kernel::name).join(", ");
            format!("'{text}' is not an evaluator: {names}")
        })
    }
}

/// A network ready to evaluate; shared by all threads.
#[derive(Debug)]
pub struct Forward {
    shape: Shape,
    path: Path,
}

#[derive(Debug)]
enum Path {
    Burn(Box<Net>, Device),
    Fused(Box<Network>),
    Graph(Box<Runtime>),
}

/// One thread's working space.
#[derive(Debug, Default)]
pub struct Buffers {
    /// The fused path's buffers, with the largest batch that they take.
    workspace: Option<(usize, Workspace)>,
    pub(crate) policy: Vec<f32>,
    pub(crate) outcomes: Vec<f32>,
    pub(crate) value: Vec<f32>,
}

impl Buffers {
    /// Policy logits of the last batch, `[batch, policy]`.
    pub fn policy(&self) -> &[f32] {
        &self.policy
    }

    /// Logits of win, (draw,) loss of the last batch, `[batch, outcomes]`, in the view of the side to move.
    pub fn outcomes(&self) -> &[f32] {
        &self.outcomes
    }

    /// Values of the last batch from -1 to 1, `[batch]`, each in the view of its side to move.
    pub fn values(&self) -> &[f32] {
        &self.value
    }
}

impl Forward {
    /// Makes a network for a game's variant ready. Its weights are copied.
    pub fn new<G: Encode>(
        net: &Net,
        variant: &G::Variant,
        device: &Device,
        kernel: Kernel,
    ) -> Forward {
        let shape = G::shape(variant);
        let on_cpu = *device == Device::flex();
        let path = match kernel {
            Kernel::Auto if on_cpu => Path::Fused(Box::new(fused(net, shape, None))),
            Kernel::Int8 if on_cpu => {
                let positions = calibration::positions::<G>(variant, CALIBRATION_POSITIONS);
                let largest = fused(net, shape, None).largest_activations(&positions);
                Path::Fused(Box::new(fused(net, shape, Some(&largest))))
            }
            _ => Path::Burn(Box::new(net.clone()), device.clone()),
        };
        Forward { shape, path }
    }

    /// Makes the network in the bytes of an ONNX file ready for a game's variant.
    ///
    /// # Errors
    /// A build without a runtime for such files; a graph that it refuses.
    pub fn of_graph<G: Encode>(
        bytes: &[u8],
        variant: &G::Variant,
    ) -> Result<Forward, RuntimeError> {
        let shape = G::shape(variant);
        let path = Path::Graph(Box::new(Runtime::new(bytes, shape)?));
        Ok(Forward { shape, path })
    }

    /// The encoding's sizes.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Evaluates planes `[batch, planes, rows, columns]` into the buffers.
    ///
    /// On the fused path a position's answers are the same bits whatever else is in the batch.
    pub fn run(&self, planes: &[f32], buffers: &mut Buffers) {
        let batch = planes.len() / self.shape.input();
        let outcomes = match &self.path {
            // The graph itself ends in values.
            Path::Graph(runtime) => return runtime.run(planes, buffers),
            Path::Fused(network) => run_fused(network, planes, batch, buffers),
            Path::Burn(net, device) => {
                let Shape {
                    planes: count,
                    rows,
                    columns,
                    ..
                } = self.shape;
                let data = TensorData::new(planes.to_vec(), [batch, count, rows, columns]);
                let (policy, outcomes) = net.forward(Tensor::from_data(data, device));
                let [_, count] = outcomes.dims();
                let numbers = |data: TensorData| data.try_to_vec().expect("32-bit floats");
                buffers.policy = numbers(policy.into_data());
                buffers.outcomes = numbers(outcomes.into_data());
                count
            }
        };
        buffers.value.clear();
        let rows = buffers.outcomes.chunks_exact(outcomes);
        buffers.value.extend(rows.map(expected));
    }
}

/// Gives the number of outcomes.
fn run_fused(network: &Network, planes: &[f32], batch: usize, buffers: &mut Buffers) -> usize {
    let Buffers {
        workspace,
        policy,
        outcomes,
        ..
    } = buffers;
    if workspace.as_ref().is_none_or(|&(most, _)| most < batch) {
        *workspace = Some((batch, network.workspace(batch)));
    }
    policy.resize(batch * network.policy_length(), 0.0);
    outcomes.resize(batch * network.value_length(), 0.0);
    if let Some((_, workspace)) = workspace {
        network.run(workspace, planes, policy, outcomes);
    }
    network.value_length()
}

/// Win less loss under the softmax of the outcomes' logits.
fn expected(logits: &[f32]) -> f32 {
    let highest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let total: f32 = logits.iter().map(|logit| (logit - highest).exp()).sum();
    let share = |logit: f32| (logit - highest).exp() / total;
    share(logits[0]) - share(logits[logits.len() - 1])
}

/// The fused form of a network; with the largest activations of its layers, on whole numbers.
fn fused(net: &Net, shape: Shape, largest: Option<&[f32]>) -> Network {
    // The order is that of the network's definition: a layer's weight, then its bias.
    let parameters = flat_parameters(net);
    let mut layers = parameters
        .chunks_exact(2)
        .map(|layer| (&layer[0][..], &layer[1][..]));
    let mut next = || layers.next().expect("a network has all its layers");
    let conv = |(weight, bias)| Conv { weight, bias };
    let dense = |(weight, bias)| Dense { weight, bias };
    let pooled = shape.head.serves_every_size();
    let stem = conv(next());
    let blocks = (0..net.block_count()).map(|_| Block {
        first: conv(next()),
        pooled: pooled.then(|| dense(next())),
        second: conv(next()),
    });
    let weights = Weights {
        planes: shape.planes,
        rows: shape.rows,
        columns: shape.columns,
        stem,
        blocks: blocks.collect(),
        policy: match shape.head {
            Head::Dense => PolicyHead::Dense {
                conv: conv(next()),
                linear: dense(next()),
            },
            Head::Pairs => PolicyHead::Pairs {
                from: conv(next()),
                to: conv(next()),
            },
            Head::Planes { .. } => PolicyHead::Planes {
                conv: conv(next()),
                planes: conv(next()),
                rest: dense(next()),
            },
        },
        value: ValueHead {
            conv: conv(next()),
            pooled,
            hidden: dense(next()),
            output: dense(next()),
        },
    };
    let network = match largest {
        None => Network::new(&weights),
        Some(largest) => Network::quantised(Target::default(), &weights, largest),
    };
    network.expect("the weights are those of the network's own definition")
}

/// Positions on which activations are measured.
const CALIBRATION_POSITIONS: usize = 128;
