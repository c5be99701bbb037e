//! Many searches in lockstep: one leaf of each tree goes into one batch.

use super::evaluator::{Evaluations, Evaluator};
use super::tree::Tree;
use crate::game::Game;

/// Gathers one leaf of each tree that still needs one, evaluates them as one batch and applies the
/// results. Returns whether any search went on.
pub fn step<'t, G: Game>(
    trees: impl Iterator<Item = &'t mut Tree<G>>,
    evaluator: &mut (impl Evaluator<G> + ?Sized),
    evaluations: &mut Evaluations,
) -> bool {
    let mut waiting: Vec<_> = Vec::new();
    let mut goes_on = false;
    for tree in trees {
        goes_on |= !tree.is_over();
        if tree.gather() {
            waiting.push(tree);
        }
    }
    evaluate(&mut waiting, evaluator, evaluations);
    goes_on
}

/// Evaluates the leaves of trees that all wait for an evaluation, as one batch, and applies the results.
pub fn evaluate<G: Game>(
    waiting: &mut [&mut Tree<G>],
    evaluator: &mut (impl Evaluator<G> + ?Sized),
    evaluations: &mut Evaluations,
) {
    if waiting.is_empty() {
        return;
    }
    let mut leaves: Vec<_> = waiting.iter_mut().map(|tree| tree.leaf()).collect();
    evaluations.clear();
    evaluator.evaluate(&mut leaves, evaluations);
    for (index, tree) in waiting.iter_mut().enumerate() {
        let (priors, value) = evaluations.get(index);
        tree.apply(priors, value);
    }
}

/// Steps until every search is over.
pub fn finish<G: Game>(
    trees: &mut [Tree<G>],
    evaluator: &mut (impl Evaluator<G> + ?Sized),
    evaluations: &mut Evaluations,
) {
    while step(trees.iter_mut(), evaluator, evaluations) {}
}
