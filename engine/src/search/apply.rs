//! The way up: an evaluation becomes a node, and every node of the path takes in what its child learned.

use super::tree::{Kind, ROOT, Step, Tree};
use crate::game::{Game, Side, Value};

impl<G: Game> Tree<G> {
    /// Takes the evaluation of the position that [`Tree::gather`] stopped at.
    ///
    /// `priors` are in the order of the leaf's moves and sum to 1; `value` is absolute.
    pub fn apply(&mut self, priors: &[f32], value: Value) {
        assert_eq!(
            priors.len(),
            self.leaf_moves.len(),
            "one prior a legal move"
        );
        let node = self.add_decision(Some(value.0), |index| priors[index]);
        if node == ROOT {
            self.nodes[ROOT as usize].visits = 1;
            self.root_begins();
        } else {
            self.back_up();
        }
    }

    /// Counts the simulation at the end of the path and refreshes the nodes above it, bottom up.
    pub(super) fn back_up(&mut self) {
        self.done += 1;
        let Some(&last) = self.path.last() else {
            unreachable!("a simulation takes at least one step from the root")
        };
        let end = self.child_of(last);
        self.nodes[end as usize].visits += 1;
        for index in (0..self.path.len()).rev() {
            let step = self.path[index];
            match self.nodes[step.node as usize].kind {
                Kind::Decision { side } => self.refresh_decision(step, side),
                Kind::Chance => self.refresh_chance(step),
                Kind::Terminal => unreachable!("a finished game has no edges"),
            }
        }
    }

    fn child_of(&self, step: Step) -> u32 {
        match self.nodes[step.node as usize].kind {
            Kind::Decision { .. } => self.choices[step.edge as usize].child,
            _ => self.chances[step.edge as usize].child,
        }
    }

    fn refresh_decision(&mut self, step: Step, side: Side) {
        let choice = &mut self.choices[step.edge as usize];
        let child = &self.nodes[choice.child as usize];
        let newly_proven = child.proven && !choice.proven;
        let before = f64::from(choice.visits) * choice.value;
        choice.visits += 1;
        choice.value = child.value;
        choice.proven = child.proven;
        let change = f64::from(choice.visits) * choice.value - before;
        let wins = choice.proven && Value(choice.value).seen_by(side) >= 1.0;

        let node = &mut self.nodes[step.node as usize];
        node.visits += 1;
        node.total += change;
        node.open -= u32::from(newly_proven);
        // The own evaluation counts as one visit.
        let mean = (node.own.unwrap_or(0.0) + node.total) / f64::from(node.visits);
        if choice.proven {
            node.floor = node.floor.max(Value(choice.value).seen_by(side));
        }
        // The side can have its best proven move whatever the others are worth.
        node.value = Value::from_view(Value(mean).seen_by(side).max(node.floor), side).0;
        if wins || node.open == 0 {
            self.prove_decision(step.node, side);
        }
    }

    /// The side takes its best proven move: exact once that wins or all are proven.
    fn prove_decision(&mut self, node: u32, side: Side) {
        let node = &mut self.nodes[node as usize];
        node.value = Value::from_view(node.floor, side).0;
        node.proven = true;
    }

    /// A chance node's value is the mean of the rolls seen so far, weighted by their probabilities.
    fn refresh_chance(&mut self, step: Step) {
        let chance = &mut self.chances[step.edge as usize];
        let child = &self.nodes[chance.child as usize];
        let newly_proven = child.proven && !chance.proven;
        chance.visits += 1;
        chance.value = child.value;
        chance.proven = child.proven;

        let node = &mut self.nodes[step.node as usize];
        node.visits += 1;
        node.open -= u32::from(newly_proven);
        node.proven = node.open == 0;
        let (first, last) = (node.first as usize, (node.first + node.edges) as usize);
        let (mut weight, mut total) = (0.0, 0.0);
        for chance in self.chances[first..last]
            .iter()
            .filter(|chance| chance.visits > 0)
        {
            weight += chance.probability;
            total += chance.probability * chance.value;
        }
        self.nodes[step.node as usize].value = total / weight;
    }
}
