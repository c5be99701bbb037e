//! The seam between search and evaluation: positions in, priors and absolute values out.

use rand_chacha::ChaCha8Rng;

use crate::game::{Game, Value};

/// A position that waits for its evaluation. A side is to move in it.
#[derive(Debug)]
pub struct Leaf<'a, G: Game> {
    /// The position.
    pub position: &'a G,
    /// Its legal moves, in the game's order.
    pub moves: &'a [G::Move],
    /// The search's own randomness, for evaluators that draw.
    pub draws: &'a mut ChaCha8Rng,
}

/// Evaluates positions in batches.
pub trait Evaluator<G: Game> {
    /// Adds one evaluation a leaf to `out`, in order.
    fn evaluate(&mut self, leaves: &mut [Leaf<'_, G>], out: &mut Evaluations);
}

/// The evaluations of a batch.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Evaluations {
    priors: Vec<f32>,
    ends: Vec<usize>,
    values: Vec<Value>,
    /// Positions whose policy could not be used, so that all legal moves got the same prior, or whose value
    /// was not finite, so that they count as level.
    pub repaired: u64,
}

impl Evaluations {
    /// Forgets the last batch; the count of repaired policies stays.
    pub fn clear(&mut self) {
        self.priors.clear();
        self.ends.clear();
        self.values.clear();
    }

    /// Adds an evaluation that holds all `moves` legal moves equally good.
    pub fn push_uniform(&mut self, moves: usize, value: Value) {
        self.priors
            .extend(std::iter::repeat_n(1.0 / moves as f32, moves));
        self.end(value);
    }

    /// Adds an evaluation from the logits of the legal moves alone: whatever a network says of illegal
    /// moves never enters. Logits without a finite softmax give equal priors, a value that is not finite
    /// counts as 0, and either is counted as repaired.
    pub fn push_logits(&mut self, logits: impl ExactSizeIterator<Item = f32>, value: Value) {
        let first = self.priors.len();
        let moves = logits.len();
        self.priors.extend(logits);
        let priors = &mut self.priors[first..];
        let highest = priors.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        priors
            .iter_mut()
            .for_each(|prior| *prior = (*prior - highest).exp());
        let total: f32 = priors.iter().sum();
        let usable = total.is_finite() && total > 0.0;
        if usable {
            priors.iter_mut().for_each(|prior| *prior /= total);
        } else {
            priors.fill(1.0 / moves as f32);
        }
        let finite = value.0.is_finite();
        self.repaired += u64::from(!usable || !finite);
        self.end(if finite { value } else { Value(0.0) });
    }

    fn end(&mut self, value: Value) {
        self.ends.push(self.priors.len());
        self.values.push(value);
    }

    /// Puts another value in the place of an evaluation's.
    pub fn set_value(&mut self, index: usize, value: Value) {
        self.values[index] = value;
    }

    /// Number of evaluations.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Priors and value of one position.
    pub fn get(&self, index: usize) -> (&[f32], Value) {
        let first = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        (&self.priors[first..self.ends[index]], self.values[index])
    }
}
