//! The network as a search's evaluator: positions become planes, logits become priors and values.

use std::sync::Arc;
use std::time::{Duration, Instant};

use engine::search::{Evaluations, Evaluator, Leaf};
use engine::{Encode, Status, Value};

use crate::forward::{Buffers, Forward};

/// Evaluates positions of a game with a network. The network is shared, the working space is not.
#[derive(Debug)]
pub struct NetEvaluator {
    forward: Arc<Forward>,
    planes: Vec<f32>,
    buffers: Buffers,
    /// What has been done so far.
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
    pub busy: Duration,
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
    /// An evaluator for one thread.
    pub fn new(forward: Arc<Forward>) -> NetEvaluator {
        NetEvaluator {
            forward,
            planes: Vec::new(),
            buffers: Buffers::default(),
            clock: Clock::default(),
        }
    }

    /// Evaluates planes `[batch, planes, rows, columns]`; the answers lie in the buffers.
    pub fn forward(&mut self, planes: &[f32]) -> &Buffers {
        let began = Instant::now();
        self.forward.run(planes, &mut self.buffers);
        self.clock.batches += 1;
        self.clock.positions += (planes.len() / self.forward.shape().input()) as u64;
        self.clock.busy += began.elapsed();
        &self.buffers
    }
}

impl<G: Encode> Evaluator<G> for NetEvaluator {
    fn evaluate(&mut self, leaves: &mut [Leaf<'_, G>], out: &mut Evaluations) {
        let shape = self.forward.shape();
        let mut planes = std::mem::take(&mut self.planes);
        planes.resize(leaves.len() * shape.input(), 0.0);
        for (leaf, planes) in leaves.iter().zip(planes.chunks_exact_mut(shape.input())) {
            leaf.position.planes(planes);
        }
        let answers = self.forward(&planes);
        let rows = answers.policy().chunks_exact(shape.policy);
        for ((leaf, logits), &view) in leaves.iter().zip(rows).zip(answers.values()) {
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
        self.planes = planes;
    }
}
