//! The residual blocks on whole numbers, against plain whole-number arithmetic and against floats.

use inference::{Conv, Isa, Network, QuantisedConv, Scales, Target};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::sample::{Form, Sample, Shape};

const SCALES: Scales = Scales {
    input: 0.02,
    output: 0.03,
};

/// A convolution and activations for it.
struct Case {
    board: [usize; 2],
    input: usize,
    weight: Vec<f32>,
    bias: Vec<f32>,
    activations: Vec<i8>,
}

impl Case {
    fn random(board: [usize; 2], [input, output]: [usize; 2], count: usize) -> Case {
        let mut rng = ChaCha8Rng::seed_from_u64((board[0] * 1000 + input) as u64);
        let reach = (6.0 / (9 * input) as f32).sqrt();
        let draw = |_| rng.random_range(-reach..reach);
        let weight = (0..9 * input * output).map(draw).collect();
        let bias = (0..output).map(|_| rng.random_range(-0.5..0.5)).collect();
        let activations = (0..count * input * board[0] * board[1])
            .map(|_| rng.random_range(-127..=127))
            .collect();
        Case {
            board,
            input,
            weight,
            bias,
            activations,
        }
    }

    fn run(&self, target: Target) -> Vec<u8> {
        self.run_to(target, SCALES.output)
    }

    /// With another scale of the output.
    fn run_to(&self, target: Target, output: f32) -> Vec<u8> {
        let scales = Scales { output, ..SCALES };
        let conv = Conv {
            weight: &self.weight,
            bias: &self.bias,
        };
        QuantisedConv::new(target, "the layer", self.board, self.input, conv, scales)
            .unwrap()
            .run(&self.activations)
    }

    /// The definition: whole weights, exact sums of nine taps, one rounding to floats and one back.
    fn reference(&self) -> Vec<u8> {
        let [rows, columns] = self.board;
        let cells = rows * columns;
        let mut answer = Vec::new();
        for position in self.activations.chunks_exact(self.input * cells) {
            for (weights, bias) in self.weight.chunks_exact(9 * self.input).zip(&self.bias) {
                let largest = weights.iter().fold(0.0_f32, |most, w| most.max(w.abs()));
                let step = largest / 127.0;
                let whole: Vec<i64> = weights
                    .iter()
                    .map(|w| (w / step).round_ties_even() as i64)
                    .collect();
                for at in 0..cells {
                    let sum = self.sum(&whole, position, [at / columns, at % columns]);
                    let y = (sum as f32 * (step * SCALES.input) + bias).max(0.0);
                    let scaled = (y * (1.0 / SCALES.output)).min(127.0);
                    answer.push(scaled.round_ties_even() as u8);
                }
            }
        }
        answer
    }

    fn sum(&self, whole: &[i64], position: &[i8], [row, column]: [usize; 2]) -> i64 {
        let [rows, columns] = self.board;
        let mut sum = 0;
        for input in 0..self.input {
            for tap in 0..9 {
                let (r, c) = (row + tap / 3, column + tap % 3);
                if (1..=rows).contains(&r) && (1..=columns).contains(&c) {
                    let activation = position[(input * rows + r - 1) * columns + c - 1];
                    sum += whole[input * 9 + tap] * i64::from(activation);
                }
            }
        }
        sum
    }
}

fn targets() -> impl Iterator<Item = Target> {
    [Isa::detect(), Isa::portable()]
        .into_iter()
        .flat_map(|isa| [1, 32].map(|batch| Target { isa, batch }))
}

#[test]
fn every_board_side_gives_the_integers_of_the_definition() {
    for side in 1..=14 {
        let case = Case::random([side, side], [32, 16], 3);
        let right = case.reference();
        assert!(
            right.iter().any(|&a| a > 0 && a < 127),
            "nothing to compare"
        );
        for target in targets() {
            assert!(case.run(target) == right, "side {side} on {target:?}");
        }
    }
}

#[test]
fn every_width_gives_the_integers_of_the_definition() {
    for channels in [[1, 1], [7, 9], [16, 48], [33, 17], [64, 64], [96, 96]] {
        let case = Case::random([5, 7], channels, 2);
        let right = case.reference();
        for target in targets() {
            assert!(case.run(target) == right, "{channels:?} on {target:?}");
        }
    }
}

#[test]
fn the_largest_numbers_do_not_overflow() {
    // All activations and weights at their limit, in the patterns that make transformed tiles largest.
    for sign in [
        |_: usize| 1.0,
        |i: usize| if i.is_multiple_of(2) { 1.0 } else { -1.0 },
    ] {
        let mut case = Case::random([8, 8], [200, 1], 1);
        case.weight = (0..9 * case.input).map(sign).collect();
        for dark in [127, 0, -127] {
            for (i, activation) in case.activations.iter_mut().enumerate() {
                let checkered = (i / 8 + i % 8) % 2 == 0;
                *activation = if checkered { dark } else { 127 };
            }
            // A bias that brings the sums into the range of the output.
            let [sum] = [case.reference_sum()];
            case.bias = vec![1.0 - sum];
            let right = case.reference();
            for target in targets() {
                assert!(case.run(target) == right, "{target:?}");
            }
        }
    }
}

impl Case {
    /// The float that the sum in the middle of the board stands for.
    fn reference_sum(&self) -> f32 {
        let step = 1.0 / 127.0;
        let whole: Vec<i64> = self
            .weight
            .iter()
            .map(|w| (w / step).round() as i64)
            .collect();
        self.sum(&whole, &self.activations, [4, 4]) as f32 * step * SCALES.input
    }
}

#[test]
fn layers_too_wide_for_32_bits_get_smaller_weights() {
    let mut case = Case::random([5, 5], [400, 1], 1);
    case.weight.fill(1.0);
    case.activations.fill(127);
    case.bias = vec![0.0];
    // 9 · 400 weights of 1 on activations of 127 · 0.02 in the middle of the board, 4 · 400 in a corner:
    // 9144 and 4064. Weights are rounded by at most half a step, 1 of 146, and sums are as far off.
    for target in targets() {
        let found = case.run_to(target, 100.0);
        for (place, wanted) in [(12, 91.44), (0, 40.64)] {
            let off = (f32::from(found[place]) - wanted).abs();
            assert!(off <= 0.5 + wanted / 146.0, "{} for {wanted}", found[place]);
        }
    }
}

#[test]
fn a_quantised_network_stays_near_the_plain_pass() {
    for isa in [Isa::detect(), Isa::portable()] {
        let pooled = Shape {
            form: Form::Planes,
            ..Shape::square(20, 8, 4, 36)
        };
        for shape in [
            Shape::square(17, 5, 4, 64),
            Shape::square(20, 8, 6, 40),
            pooled,
        ] {
            let target = Target { isa, batch: 32 };
            let sample = Sample::new(shape, 11);
            let exact = Network::for_target(target, &sample.weights()).unwrap();
            let largest = exact.largest_activations(&sample.positions(16, 12));
            let quantised = Network::quantised(target, &sample.weights(), &largest).unwrap();
            let count = 9;
            let positions = sample.positions(count, 13);
            let run = |network: &Network| {
                let mut policy = vec![0.0; count * shape.policy_length()];
                let mut value = vec![0.0; count * shape.value];
                let mut workspace = network.workspace(count);
                network.run(&mut workspace, &positions, &mut policy, &mut value);
                policy.extend(value);
                policy
            };
            let (right, got) = (run(&exact), run(&quantised));
            let size = (right.iter().map(|x| x * x).sum::<f32>() / right.len() as f32).sqrt();
            let off: f32 = right.iter().zip(&got).map(|(a, b)| (a - b).powi(2)).sum();
            let off = (off / right.len() as f32).sqrt() / size;
            println!("{shape:?} on {isa:?}: off by {off} of the outputs' size");
            assert!(off > 0.0, "nothing was quantised");
            assert!(off < 0.05, "off by {off} of the outputs' size");
        }
    }
}

#[test]
fn activations_of_another_network_are_refused() {
    let sample = Sample::new(Shape::square(4, 5, 2, 8), 7);
    let error = Network::quantised(Target::default(), &sample.weights(), &[1.0; 4]).unwrap_err();
    let wanted =
        "the largest of the activations holds 4 numbers where the network's shape asks for 5";
    assert_eq!(error.to_string(), wanted);
}
