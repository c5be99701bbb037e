//! The network as a search's evaluator: positions become planes, logits become priors and values.

use std::sync::Arc;

use burn::tensor::activation::softmax;
use burn::tensor::{Device, Tensor, TensorData};
use engine::search::{Evaluations, Evaluator, Leaf};
use engine::{Encode, Shape, Status, Value};

use crate::net::Net;

/// Evaluates positions of a game with a network. The network is shared, the working space is not.
#[derive(Clone, Debug)]
pub struct NetEvaluator {
    net: Arc<Net>,
    device: Device,
    shape: Shape,
    /// Time spent inside the network, for the share that benchmarks report.
    pub clock: Clock,
}

/// What an evaluator has done.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Clock {
    /// Batches evaluated.
    pub batches: u64,
    /// Positions evaluated.
    pub positions: u64,
    /// Time from planes to logits.
    pub busy: std::time::Duration,
}

impl Clock {
    /// Adds what another evaluator has done.
    pub fn add(&mut self, other: Clock) {
        self.batches += other.batches;
        self.positions += other.positions;
        self.busy += other.busy;
    }
}

impl NetEvaluator {
    /// An evaluator of a game's variant.
    pub fn new<G: Encode>(net: Arc<Net>, variant: &G::Variant, device: &Device) -> NetEvaluator {
        NetEvaluator {
            net,
            device: device.clone(),
            shape: G::shape(variant),
            clock: Clock::default(),
        }
    }

    /// Policy logits `[batch, policy]` and values `[batch]` in the movers' views, for planes
    /// `[batch, planes, rows, columns]`.
    pub fn forward(&mut self, planes: Vec<f32>) -> (Vec<f32>, Vec<f32>) {
        let began = std::time::Instant::now();
        let Shape {
            planes: count,
            rows,
            columns,
            ..
        } = self.shape;
        let batch = planes.len() / self.shape.input();
        let data = TensorData::new(planes, [batch, count, rows, columns]);
        let (policy, value) = self.net.forward(Tensor::from_data(data, &self.device));
        let numbers =
            |data: TensorData| data.try_to_vec::<f32>().expect("outputs are 32-bit floats");
        let policy = numbers(policy.into_data());
        let outcomes = value.dims()[1];
        let value = numbers(softmax(value, 1).into_data());
        let value = value
            .chunks_exact(outcomes)
            .map(|shares| shares[0] - shares[outcomes - 1]);
        let value = value.collect();
        self.clock.batches += 1;
        self.clock.positions += batch as u64;
        self.clock.busy += began.elapsed();
        (policy, value)
    }
}

impl<G: Encode> Evaluator<G> for NetEvaluator {
    fn evaluate(&mut self, leaves: &mut [Leaf<'_, G>], out: &mut Evaluations) {
        let input = self.shape.input();
        let mut planes = vec![0.0; leaves.len() * input];
        for (leaf, planes) in leaves.iter().zip(planes.chunks_exact_mut(input)) {
            leaf.position.planes(planes);
        }
        let (policy, values) = self.forward(planes);
        let rows = policy.chunks_exact(self.shape.policy);
        for ((leaf, logits), view) in leaves.iter().zip(rows).zip(values) {
            let Status::ToMove(side) = leaf.position.status() else {
                unreachable!("only a position with a side to move is evaluated")
            };
            // The network speaks for the mover; from here on values are absolute.
            let value = Value::from_view(f64::from(view), side);
            let value = if view.is_finite() { value } else { Value(0.0) };
            out.push_logits(
                leaf.moves.iter().map(|&mv| logits[leaf.position.index(mv)]),
                value,
            );
        }
    }
}
