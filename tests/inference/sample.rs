//! Random networks, and a forward pass written to be obviously right.

use inference::{Block, Conv, Dense, PolicyHead, ValueHead, Weights};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The form of a network's heads.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Form {
    /// Everything from flattened planes.
    Dense,
    /// Pairs of cells, the value from flattened planes.
    Pairs,
    /// Planes and further logits, everything else through means and maxima.
    Planes,
}

/// A network's sizes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) planes: usize,
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) form: Form,
    pub(crate) channels: usize,
    pub(crate) blocks: usize,
    pub(crate) policy_planes: usize,
    /// Logits of the dense form; planes of the form of that name.
    pub(crate) policy: usize,
    pub(crate) value_planes: usize,
    pub(crate) hidden: usize,
    pub(crate) value: usize,
}

impl Shape {
    /// A square board, with small heads of odd sizes.
    pub(crate) fn square(planes: usize, side: usize, blocks: usize, channels: usize) -> Self {
        Self {
            planes,
            rows: side,
            columns: side,
            form: Form::Dense,
            channels,
            blocks,
            policy_planes: 3,
            policy: 25,
            value_planes: 2,
            hidden: 21,
            value: 3,
        }
    }

    pub(crate) fn cells(&self) -> usize {
        self.rows * self.columns
    }

    /// Logits of a position.
    pub(crate) fn policy_length(&self) -> usize {
        match self.form {
            Form::Dense => self.policy,
            Form::Pairs => self.cells() * self.cells(),
            Form::Planes => self.policy * self.cells() + REST,
        }
    }
}

/// Logits of the form of planes that belong to no cell.
const REST: usize = 2;

struct Layer {
    weight: Vec<f32>,
    bias: Vec<f32>,
}

impl Layer {
    /// Uniform weights that keep the variance through a relu.
    fn random(rng: &mut ChaCha8Rng, inputs: usize, outputs: usize) -> Self {
        let reach = (6.0 / inputs as f32).sqrt();
        let mut draw = |n: usize, reach: f32| {
            (0..n)
                .map(|_| rng.random_range(-reach..reach))
                .collect::<Vec<_>>()
        };
        Self {
            weight: draw(inputs * outputs, reach),
            bias: draw(outputs, 0.2),
        }
    }

    fn conv(&self) -> Conv<'_> {
        Conv {
            weight: &self.weight,
            bias: &self.bias,
        }
    }

    fn dense(&self) -> Dense<'_> {
        Dense {
            weight: &self.weight,
            bias: &self.bias,
        }
    }
}

/// A network with random weights.
pub(crate) struct Sample {
    pub(crate) shape: Shape,
    stem: Layer,
    /// First convolution, pooling (used by the form of planes), second convolution.
    blocks: Vec<[Layer; 3]>,
    policy: Vec<Layer>,
    value: [Layer; 3],
}

impl Sample {
    pub(crate) fn new(shape: Shape, seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut layer = |inputs, outputs| Layer::random(&mut rng, inputs, outputs);
        let (k, cells) = (shape.channels, shape.cells());
        Self {
            shape,
            stem: layer(9 * shape.planes, k),
            blocks: (0..shape.blocks)
                .map(|_| [layer(9 * k, k), layer(2 * k, k), layer(9 * k, k)])
                .collect(),
            policy: match shape.form {
                Form::Dense => vec![
                    layer(k, shape.policy_planes),
                    layer(shape.policy_planes * cells, shape.policy),
                ],
                Form::Pairs => vec![layer(k, shape.policy_planes), layer(k, shape.policy_planes)],
                Form::Planes => vec![
                    layer(k, shape.policy_planes),
                    layer(shape.policy_planes, shape.policy),
                    layer(2 * shape.policy_planes, REST),
                ],
            },
            value: [
                layer(k, shape.value_planes),
                layer(
                    shape.value_planes * if shape.form == Form::Planes { 2 } else { cells },
                    shape.hidden,
                ),
                layer(shape.hidden, shape.value),
            ],
        }
    }

    pub(crate) fn weights(&self) -> Weights<'_> {
        Weights {
            planes: self.shape.planes,
            rows: self.shape.rows,
            columns: self.shape.columns,
            stem: self.stem.conv(),
            blocks: self
                .blocks
                .iter()
                .map(|[first, pooled, second]| Block {
                    first: first.conv(),
                    pooled: (self.shape.form == Form::Planes).then(|| pooled.dense()),
                    second: second.conv(),
                })
                .collect(),
            policy: match &self.policy[..] {
                [from, to] if self.shape.form == Form::Pairs => PolicyHead::Pairs {
                    from: from.conv(),
                    to: to.conv(),
                },
                [conv, linear] => PolicyHead::Dense {
                    conv: conv.conv(),
                    linear: linear.dense(),
                },
                [conv, planes, rest] => PolicyHead::Planes {
                    conv: conv.conv(),
                    planes: planes.conv(),
                    rest: rest.dense(),
                },
                _ => unreachable!("a policy head has two or three layers"),
            },
            value: ValueHead {
                conv: self.value[0].conv(),
                pooled: self.shape.form == Form::Planes,
                hidden: self.value[1].dense(),
                output: self.value[2].dense(),
            },
        }
    }

    /// Random positions, half of the inputs zero as board planes are.
    pub(crate) fn positions(&self, count: usize, seed: u64) -> Vec<f32> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let length = count * self.shape.planes * self.shape.cells();
        (0..length)
            .map(|_| rng.random_range(-1.0_f32..1.0).max(0.0))
            .collect()
    }

    /// Policy logits and value outputs of one position.
    pub(crate) fn reference(&self, position: &[f32]) -> (Vec<f32>, Vec<f32>) {
        let mut x = relu(self.conv(position, &self.stem, 3));
        for [first, pooled, second] in &self.blocks {
            let mut y = relu(self.conv(&x, first, 3));
            if self.shape.form == Form::Planes {
                let told = dense(&self.pooled(&y), pooled);
                for (cells, told) in y.chunks_exact_mut(self.shape.cells()).zip(told) {
                    cells.iter_mut().for_each(|y| *y += told);
                }
            }
            let y = self.conv(&y, second, 3);
            x = relu(x.iter().zip(y).map(|(x, y)| x + y).collect());
        }
        let value = relu(self.conv(&x, &self.value[0], 1));
        let seen = match self.shape.form {
            Form::Planes => self.pooled(&value),
            _ => value,
        };
        let hidden = relu(dense(&seen, &self.value[1]));
        (self.policy(&x), dense(&hidden, &self.value[2]))
    }

    fn policy(&self, x: &[f32]) -> Vec<f32> {
        let cells = self.shape.cells();
        match self.shape.form {
            Form::Dense => dense(&relu(self.conv(x, &self.policy[0], 1)), &self.policy[1]),
            Form::Pairs => {
                let [from, to] = [0, 1].map(|i| self.conv(x, &self.policy[i], 1));
                let inner = self.shape.policy_planes;
                let pair = |at: usize| {
                    let terms = (0..inner).map(|i| {
                        f64::from(from[i * cells + at / cells])
                            * f64::from(to[i * cells + at % cells])
                    });
                    (terms.sum::<f64>() / (inner as f64).sqrt()) as f32
                };
                (0..cells * cells).map(pair).collect()
            }
            Form::Planes => {
                let inner = relu(self.conv(x, &self.policy[0], 1));
                let mut logits = self.conv(&inner, &self.policy[1], 1);
                logits.extend(dense(&self.pooled(&inner), &self.policy[2]));
                logits
            }
        }
    }

    /// The mean of every channel, then the maximum of every channel.
    fn pooled(&self, x: &[f32]) -> Vec<f32> {
        let cells = self.shape.cells();
        let mean = |x: &[f32]| x.iter().sum::<f32>() / cells as f32;
        let most = |x: &[f32]| x.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let means = x.chunks_exact(cells).map(mean);
        means.chain(x.chunks_exact(cells).map(most)).collect()
    }

    /// Convolution with zero padding, summed in double precision.
    fn conv(&self, input: &[f32], layer: &Layer, kernel: usize) -> Vec<f32> {
        let (rows, columns, cells) = (self.shape.rows, self.shape.columns, self.shape.cells());
        let (inputs, outputs) = (input.len() / cells, layer.bias.len());
        let pad = kernel / 2;
        let mut output = vec![0.0; outputs * cells];
        for o in 0..outputs {
            for row in 0..rows {
                for column in 0..columns {
                    let mut sum = f64::from(layer.bias[o]);
                    for i in 0..inputs {
                        for kr in 0..kernel {
                            for kc in 0..kernel {
                                let (r, c) = (row + kr, column + kc);
                                if r < pad || c < pad || r - pad >= rows || c - pad >= columns {
                                    continue;
                                }
                                let at = (i * rows + r - pad) * columns + c - pad;
                                let w = ((o * inputs + i) * kernel + kr) * kernel + kc;
                                sum += f64::from(input[at]) * f64::from(layer.weight[w]);
                            }
                        }
                    }
                    output[(o * rows + row) * columns + column] = sum as f32;
                }
            }
        }
        output
    }
}

fn dense(input: &[f32], layer: &Layer) -> Vec<f32> {
    let outputs = layer.bias.len();
    let sum = |o: usize| {
        let terms = input.iter().enumerate();
        let sum: f64 = terms
            .map(|(i, &x)| f64::from(x) * f64::from(layer.weight[i * outputs + o]))
            .sum();
        (sum + f64::from(layer.bias[o])) as f32
    };
    (0..outputs).map(sum).collect()
}

fn relu(mut x: Vec<f32>) -> Vec<f32> {
    x.iter_mut().for_each(|x| *x = x.max(0.0));
    x
}
