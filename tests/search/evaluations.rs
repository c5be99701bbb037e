//! What becomes of a network's answers: only legal moves count, and unusable policies are repaired.

use engine::Value;
use engine::search::{Budget, Evaluations, Evaluator, Leaf};

use crate::toy::Toy;
use crate::toys::{METHODS, search};

fn priors(logits: &[f32]) -> (Vec<f32>, u64) {
    let mut evaluations = Evaluations::default();
    evaluations.push_logits(logits.iter().copied(), Value(0.0));
    (evaluations.get(0).0.to_vec(), evaluations.repaired)
}

#[test]
fn all_weight_on_illegal_moves_leaves_the_legal_ones_equal() {
    // B1: the illegal move's +80 is never read; -80 and f32::MIN are as good as any other number.
    for logit in [-80.0, f32::MIN] {
        let (priors, repaired) = priors(&[logit; 4]);
        assert_eq!(priors, [0.25; 4]);
        assert_eq!(repaired, 0);
    }
}

#[test]
fn a_policy_that_is_not_finite_is_replaced_and_counted() {
    for bad in [f32::NAN, f32::INFINITY] {
        let (priors, repaired) = priors(&[0.0, bad, 1.0]);
        assert_eq!(priors, [1.0 / 3.0; 3]);
        assert_eq!(repaired, 1);
    }
    let (all_masked, repaired) = priors(&[f32::NEG_INFINITY; 2]);
    assert_eq!((all_masked, repaired), (vec![0.5; 2], 1));
}

#[test]
fn priors_are_the_softmax_of_the_legal_logits() {
    let (priors, _) = priors(&[0.0, 2.0_f32.ln(), 3.0_f32.ln(), 2.0_f32.ln()]);
    for (prior, expected) in priors.iter().zip([0.125, 0.25, 0.375, 0.25]) {
        assert!((prior - expected).abs() < 1e-6);
    }
}

/// A network gone wrong.
struct NotANumber;

impl Evaluator<Toy> for NotANumber {
    fn evaluate(&mut self, leaves: &mut [Leaf<'_, Toy>], out: &mut Evaluations) {
        for leaf in leaves {
            out.push_logits(leaf.moves.iter().map(|_| f32::NAN), Value(0.0));
        }
    }
}

#[test]
fn a_legal_move_is_played_whatever_the_network_says() {
    let game = Toy::new("start: A p q\np: B x y\nq: B x x\nx: = 1\ny: = -1");
    for method in METHODS {
        let verdict = search(&game, method, Budget::play(16), &mut NotANumber);
        assert_eq!(verdict.best, 1);
        assert!(verdict.moves.iter().all(|found| found.share.is_finite()));
    }
}
