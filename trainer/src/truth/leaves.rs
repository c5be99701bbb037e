//! Exact leaf values in search.

use engine::Game;
use engine::search::{Evaluations, Evaluator, Leaf};

use super::Truth;

/// An evaluator whose values are exact where a table covers the leaf. The priors stay those of the
/// evaluator inside, so the policy is still what a net learns.
#[derive(Debug)]
pub struct ExactLeaves<'t, E> {
    /// The evaluator of everything else.
    pub inner: E,
    truth: Option<&'t Truth>,
    /// Values that came from the table.
    pub replaced: u64,
}

impl<'t, E> ExactLeaves<'t, E> {
    /// Wraps an evaluator; without a table its values pass unchanged.
    pub fn new(inner: E, truth: Option<&'t Truth>) -> ExactLeaves<'t, E> {
        ExactLeaves {
            inner,
            truth,
            replaced: 0,
        }
    }
}

impl<G: Game, E: Evaluator<G>> Evaluator<G> for ExactLeaves<'_, E> {
    fn evaluate(&mut self, leaves: &mut [Leaf<'_, G>], out: &mut Evaluations) {
        let first = out.len();
        self.inner.evaluate(leaves, out);
        let Some(truth) = self.truth else { return };
        for (index, leaf) in (first..).zip(leaves) {
            if let Some(value) = truth.value(leaf.position) {
                out.set_value(index, value);
                self.replaced += 1;
            }
        }
    }
}
