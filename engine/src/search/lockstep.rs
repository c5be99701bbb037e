//! Many searches in lockstep: one leaf of each tree goes into one batch.

use super::evaluator::{Evaluations, Evaluator};
use super::tree::Tree;
use crate::game::Game;

/// Gathers one leaf of each tree that still needs one, evaluates them as one batch and applies the
/// results. Returns the size of the batch; 0 means that every search is over.
pub fn step<'t, G: Game>(
    trees: impl Iterator<Item = &'t mut Tree<G>>,
    evaluator: &mut (impl Evaluator<G> + ?Sized),
    evaluations: &mut Evaluations,
) -> usize {
    let mut waiting: Vec<_> = trees
        .filter_map(|tree| tree.gather().then_some(tree))
        .collect();
    evaluate(&mut waiting, evaluator, evaluations);
    waiting.len()
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
    while step(trees.iter_mut(), evaluator, evaluations) > 0 {}
}
