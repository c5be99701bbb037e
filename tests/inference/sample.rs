//! Random networks, and a forward pass written to be obviously right.

use inference::{Conv, Dense, PolicyHead, ValueHead, Weights};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A network's sizes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) planes: usize,
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) channels: usize,
    pub(crate) blocks: usize,
    pub(crate) policy_planes: usize,
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
}

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
    blocks: Vec<[Layer; 2]>,
    policy: [Layer; 2],
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
                .map(|_| [layer(9 * k, k), layer(9 * k, k)])
                .collect(),
            policy: [
                layer(k, shape.policy_planes),
                layer(shape.policy_planes * cells, shape.policy),
            ],
            value: [
                layer(k, shape.value_planes),
                layer(shape.value_planes * cells, shape.hidden),
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
                .map(|[a, b]| [a.conv(), b.conv()])
                .collect(),
            policy: PolicyHead {
                conv: self.policy[0].conv(),
                linear: self.policy[1].dense(),
            },
            value: ValueHead {
                conv: self.value[0].conv(),
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
        for [first, second] in &self.blocks {
            let y = self.conv(&relu(self.conv(&x, first, 3)), second, 3);
            x = relu(x.iter().zip(y).map(|(x, y)| x + y).collect());
        }
        let policy = relu(self.conv(&x, &self.policy[0], 1));
        let value = relu(self.conv(&x, &self.value[0], 1));
        let hidden = relu(dense(&value, &self.value[1]));
        (
            dense(&policy, &self.policy[1]),
            dense(&hidden, &self.value[2]),
        )
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
