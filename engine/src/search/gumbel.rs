//! Gumbel search: sequential halving at the root, the improved policy everywhere
//! (Danihelka, Guez, Schrittwieser, Silver: Policy improvement by planning with Gumbel, ICLR 2022).

use rand::RngExt;

use super::params::Method;
use super::tree::{Choice, Explored, ROOT, Tree, completed_with};
use crate::game::{Game, Side};

impl<G: Game> Tree<G> {
    /// Prepares the root's noise and plan once its priors are known.
    pub(super) fn root_begins(&mut self) {
        match self.params.method {
            Method::Gumbel => self.plan_halving(),
            Method::Puct => self.mix_in_noise(),
        }
    }

    fn plan_halving(&mut self) {
        let root = self.nodes[ROOT as usize];
        let scale = self.budget.temperature;
        self.schedule.noisy_logits.clear();
        for edge in root.first..root.first + root.edges {
            // A standard Gumbel variable; 1 - random lies in (0, 1].
            let uniform = 1.0 - self.draws.random::<f64>();
            let gumbel = -(-uniform.max(f64::MIN_POSITIVE).ln())
                .max(f64::MIN_POSITIVE)
                .ln();
            let logit = ln_prior(&self.choices[edge as usize]);
            self.schedule.noisy_logits.push(scale * gumbel + logit);
        }
        let considered = self.params.considered.clamp(1, root.edges);
        self.schedule.plan(considered, self.budget.simulations);
    }

    /// The root's move for the next simulation: among the moves with the scheduled number of visits,
    /// the best by noise, prior and value.
    pub(super) fn scheduled_choice(&self, side: Side) -> u32 {
        let visits = self.schedule.visits[self.done as usize];
        self.best_by_score(side, |choice| choice.visits == visits)
    }

    /// The root's final move: the best of the most visited ones, and none that is lost while the root is
    /// open.
    pub(super) fn halving_winner(&self, side: Side) -> u32 {
        let open = self.choices_of(ROOT).iter();
        let open = open.filter(|choice| !choice.is_lost(side));
        let most = open.map(|choice| choice.visits).max();
        self.best_by_score(side, |choice| {
            Some(choice.visits) == most && !choice.is_lost(side)
        })
    }

    fn best_by_score(&self, side: Side, eligible: impl Fn(&Choice<G::Move>) -> bool) -> u32 {
        let explored = self.explored(ROOT, side);
        let weight = self.value_weight(explored);
        let value = completed_with(explored.mixed, side);
        let mut best = None;
        let choices = self.choices_of(ROOT).iter().enumerate();
        for (index, choice) in choices.filter(|(_, choice)| eligible(choice)) {
            let score = self.schedule.noisy_logits[index] + weight * value(choice);
            if best.is_none_or(|(_, highest)| score > highest) {
                best = Some((index, score));
            }
        }
        // Every root visit raises one move by one, so the plan always finds a move at its count; and not
        // all moves of an open root are lost.
        let (index, _) = best.expect("a move is eligible");
        self.nodes[ROOT as usize].first + index as u32
    }

    /// Inside the tree: the move whose visits lag most behind its share in the improved policy.
    pub(super) fn improving_choice(&mut self, node: u32, side: Side) -> u32 {
        let first = self.nodes[node as usize].first;
        let explored = self.explored(node, side);
        let weight = self.improved_weight(explored, side);
        let mut weights = std::mem::take(&mut self.weights);
        weights.clear();
        let choices = self.choices_of(node);
        weights.extend(choices.iter().map(weight));
        let total: f64 = weights.iter().sum();
        let mut best = (0, f64::NEG_INFINITY);
        for (index, (choice, weight)) in choices.iter().zip(&weights).enumerate() {
            let lag = weight / total - f64::from(choice.visits) / f64::from(1 + explored.visits);
            // A proven move has nothing to be explored; its value counts in any case.
            if !choice.proven && lag > best.1 {
                best = (index, lag);
            }
        }
        self.weights = weights;
        first + best.0 as u32
    }

    /// The improved policy at the root, in the order of the moves.
    pub(super) fn improved_policy(&self, side: Side) -> Vec<f64> {
        let weight = self.improved_weight(self.explored(ROOT, side), side);
        let weights: Vec<_> = self.choices_of(ROOT).iter().map(weight).collect();
        let total: f64 = weights.iter().sum();
        weights.iter().map(|weight| weight / total).collect()
    }

    /// What the moves weigh in the improved policy, the softmax of logit and weighted value: the prior
    /// times the exponential of how far the value is behind the best. Unvisited moves share one value and
    /// one exponential.
    fn improved_weight(
        &self,
        explored: Explored,
        side: Side,
    ) -> impl Fn(&Choice<G::Move>) -> f64 + use<G> {
        let scale = self.value_weight(explored);
        let value = completed_with(explored.mixed, side);
        let factor = move |value: f64| (scale * (value - explored.best)).exp();
        let unvisited = factor(explored.mixed);
        move |choice| {
            let factor = match choice.visits {
                0 => unvisited,
                _ => factor(value(choice)),
            };
            f64::from(choice.prior.max(f32::MIN_POSITIVE)) * factor
        }
    }

    /// What a value from -1 to 1 weighs against the logit of a prior: σ of the paper, whose values
    /// run from 0 to 1.
    fn value_weight(&self, explored: Explored) -> f64 {
        let most = f64::from(explored.most);
        (self.params.value_visits + most) * self.params.value_scale / 2.0
    }
}

fn ln_prior<M>(choice: &Choice<M>) -> f64 {
    f64::from(choice.prior.max(f32::MIN_POSITIVE)).ln()
}
