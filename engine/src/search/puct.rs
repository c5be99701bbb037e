//! PUCT selection and the root noise that goes with it.

use rand::RngExt;

use super::tree::{ROOT, Tree, completed_with};
use crate::game::{Game, Side, Value};

impl<G: Game> Tree<G> {
    /// The move with the highest upper confidence bound, as `side` sees the values.
    pub(super) fn puct_choice(&self, node: u32, side: Side) -> u32 {
        let parent = &self.nodes[node as usize];
        let choices = self.choices_of(node);
        let seen: f64 = choices
            .iter()
            .filter(|choice| choice.visits > 0)
            .map(|choice| f64::from(choice.prior))
            .sum();
        let unvisited =
            Value(parent.value).seen_by(side) - self.params.first_play_reduction * seen.sqrt();
        let value = completed_with(unvisited, side);
        let spread = self.params.exploration * f64::from(parent.visits.max(1)).sqrt();
        let mut best = (0, f64::NEG_INFINITY);
        for (index, choice) in choices.iter().enumerate() {
            // Below the root a proven move has nothing to be explored; its value counts in any case.
            // At the root the visits are the policy.
            if choice.proven && node != ROOT {
                continue;
            }
            let bound =
                value(choice) + spread * f64::from(choice.prior) / f64::from(1 + choice.visits);
            if bound > best.1 {
                best = (index, bound);
            }
        }
        parent.first + best.0 as u32
    }

    /// Mixes Dirichlet noise into the root priors where the budget asks for it.
    pub(super) fn mix_in_noise(&mut self) {
        if !self.budget.noise || self.params.noise_share == 0.0 {
            return;
        }
        let root = &self.nodes[ROOT as usize];
        let (first, last) = (root.first as usize, (root.first + root.edges) as usize);
        let shape = self.params.noise_concentration / f64::from(root.edges);
        let noise: Vec<_> = (first..last)
            .map(|_| gamma(&mut self.draws, shape))
            .collect();
        let total: f64 = noise.iter().sum();
        if total <= 0.0 {
            return;
        }
        let share = self.params.noise_share;
        for (choice, noise) in self.choices[first..last].iter_mut().zip(noise) {
            let mixed = (1.0 - share) * f64::from(choice.prior) + share * noise / total;
            choice.prior = mixed as f32;
        }
    }
}

/// A gamma variable of unit scale (Marsaglia and Tsang 2000; below shape 1 with their boost).
fn gamma(draws: &mut impl rand::Rng, shape: f64) -> f64 {
    if shape < 1.0 {
        let boost = (1.0 - draws.random::<f64>()).powf(1.0 / shape);
        return gamma(draws, shape + 1.0) * boost;
    }
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let normal = normal(draws);
        let v = (1.0 + c * normal).powi(3);
        let uniform = 1.0 - draws.random::<f64>();
        if v > 0.0 && uniform.ln() < 0.5 * normal * normal + d - d * v + d * v.ln() {
            return d * v;
        }
    }
}

/// A standard normal variable (Box and Muller 1958).
fn normal(draws: &mut impl rand::Rng) -> f64 {
    let radius = (-2.0 * (1.0 - draws.random::<f64>()).ln()).sqrt();
    radius * (std::f64::consts::TAU * draws.random::<f64>()).cos()
}
