//! The network as a search's evaluator: positions become planes, logits become priors and values.

use std::sync::Arc;
use std::time::{Duration, Instant};

use engine::search::{Evaluations, Evaluator, Leaf};
use engine::{Encode, Key, Status, Symmetry, Value};

use crate::forward::{Buffers, Forward};
use crate::memory::{Memory, Place};

/// Evaluates positions of a game with a network. The network is shared, the working space is not.
///
/// The network is shown the canonical picture of a position ([`Encode::canonical`]), so that positions
/// which symmetries join have one answer, and each picture once: answers are kept. On the fused path
/// what is kept changes no bit of any answer, only the number of times that the network is asked.
#[derive(Debug)]
pub struct NetEvaluator {
    forward: Arc<Forward>,
    planes: Vec<f32>,
    buffers: Buffers,
    memory: Memory,
    /// For each leaf of a batch the symmetry that shows its canonical picture, and that picture's key.
    canonical: Vec<(Symmetry, Key)>,
    /// Where each leaf's answer is.
    places: Vec<Place>,
    /// Policy indices of the legal moves of a batch, in the order of its leaves.
    indices: Vec<u16>,
    /// What has been done so far.
    pub clock: Clock,
}

/// What an evaluator has done.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Clock {
    /// Batches evaluated.
    pub batches: u64,
    /// Positions that an answer was wanted for.
    pub asked: u64,
    /// Positions evaluated: those asked for less those whose answer was known.
    pub positions: u64,
    /// Time from planes to logits.
    pub busy: Duration,
}

impl Clock {
    /// Adds what another evaluator has done.
    pub fn add(&mut self, other: Clock) {
        self.batches += other.batches;
        self.asked += other.asked;
        self.positions += other.positions;
        self.busy += other.busy;
    }

    /// Share of the positions asked about whose answer was known.
    pub fn known_share(&self) -> f64 {
        self.asked.saturating_sub(self.positions) as f64 / self.asked.max(1) as f64
    }
}

impl NetEvaluator {
    /// Answers that an evaluator keeps where nothing else is said: a few megabytes.
    pub const KEPT: usize = 1 << 14;

    /// An evaluator for one thread that keeps up to `kept` answers; with 0 it shares answers within a
    /// batch only.
    pub fn new(forward: Arc<Forward>, kept: usize) -> NetEvaluator {
        let indices = forward.shape().policy;
        assert!(indices <= 1 << 16, "a policy index has 16 bits");
        NetEvaluator {
            forward,
            planes: Vec::new(),
            buffers: Buffers::default(),
            memory: Memory::new(kept),
            canonical: Vec::new(),
            places: Vec::new(),
            indices: Vec::new(),
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
        self.memory.make_room(leaves.len());
        let first_new = self.memory.len();
        let mut planes = std::mem::take(&mut self.planes);
        let used = self.find_places(leaves, &mut planes);
        if used > 0 {
            self.forward(&planes[..used]);
            let (policies, values) = (self.buffers.policy(), self.buffers.values());
            let policy = self.forward.shape().policy;
            self.memory.fill(first_new, policy, policies, values);
        }
        self.planes = planes;
        self.clock.asked += leaves.len() as u64;
        let mut first = 0;
        for (leaf, &place) in leaves.iter().zip(&self.places) {
            let Status::ToMove(side) = leaf.position.status() else {
                unreachable!("only a position with a side to move is evaluated")
            };
            let indices = &self.indices[first..first + leaf.moves.len()];
            first += indices.len();
            let (view, logits) = self.memory.answer(place, indices);
            // The network speaks for the mover; from here on values are absolute.
            out.push_logits(logits, Value::from_view(f64::from(view), side));
        }
    }
}

impl NetEvaluator {
    /// Finds each leaf's answer in the memory, and writes the planes of those that are new to the
    /// beginning of `planes`; returns how long they are.
    fn find_places<G: Encode>(&mut self, leaves: &[Leaf<'_, G>], planes: &mut Vec<f32>) -> usize {
        let input = self.forward.shape().input();
        if planes.len() < leaves.len() * input {
            planes.resize(leaves.len() * input, 0.0);
        }
        self.canonical.clear();
        let canonical = leaves.iter().map(|leaf| leaf.position.canonical());
        self.canonical.extend(canonical);
        // The memory's table is larger than the processor's caches: lookups that follow each other closely
        // wait for it together.
        self.places.clear();
        let keys = self.canonical.iter().map(|&(_, key)| key);
        self.places.extend(keys.map(|key| self.memory.place(key)));
        let mut rows = planes.chunks_exact_mut(input);
        self.indices.clear();
        let found = self.canonical.iter().zip(&self.places);
        for (leaf, (&(symmetry, _), &place)) in leaves.iter().zip(found) {
            let picture = leaf.position.map(symmetry);
            let first = self.indices.len();
            let moves = leaf.moves.iter();
            self.indices.extend(
                moves.map(|&mv| picture.index(leaf.position.map_move(symmetry, mv)) as u16),
            );
            if self.memory.asks_first(place, &self.indices[first..]) {
                picture.planes(rows.next().expect("a row a leaf"));
            }
        }
        let left = rows.len();
        planes.len() - left * input
    }
}
