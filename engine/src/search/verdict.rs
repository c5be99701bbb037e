//! What a finished search says: the move, the value and the policy to learn from.

use super::params::Method;
use super::tree::{Choice, Kind, ROOT, Tree, completed_with};
use crate::draws;
use crate::game::{Game, Side, Value};

/// The result of a search.
#[derive(Clone, PartialEq, Debug)]
pub struct Verdict<M> {
    /// The move to play.
    pub best: M,
    /// The value of the position under the searched policy.
    pub value: Value,
    /// Whether the value is exact.
    pub proven: bool,
    /// Plies searched in full, if the search goes by depth.
    pub depth: Option<u32>,
    /// What was found for each legal move, in the game's order.
    pub moves: Vec<Searched<M>>,
}

/// What a search found for one move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Searched<M> {
    /// The move.
    pub mv: M,
    /// Its share in the policy to learn from: the improved policy of Gumbel, or the share of visits.
    pub share: f64,
    /// Its prior probability.
    pub prior: f64,
    /// Simulations through it, or positions visited after it.
    pub visits: u32,
    /// The value after it, where it was visited.
    pub value: Option<Value>,
}

impl<G: Game> Tree<G> {
    /// The result of the search, once it is over ([`Tree::is_over`]).
    pub fn verdict(&mut self) -> Verdict<G::Move> {
        let root = self.nodes[ROOT as usize];
        let Kind::Decision { side } = root.kind else {
            unreachable!("a search begins where a side is to move")
        };
        let shares = match self.params.method {
            Method::Gumbel => self.improved_policy(side),
            Method::Puct => self.visit_shares(),
        };
        let best = if root.proven {
            self.proven_best(side)
        } else {
            match self.params.method {
                Method::Gumbel => self.halving_winner(side),
                Method::Puct => self.by_visits(side),
            }
        };
        let value = match self.params.method {
            Method::Gumbel if !root.proven => self.mean_under(&shares, side),
            _ => Value(root.value),
        };
        let searched = |(choice, share): (&Choice<G::Move>, f64)| Searched {
            mv: choice.mv,
            share,
            prior: f64::from(choice.prior),
            visits: choice.visits,
            value: (choice.visits > 0).then_some(Value(choice.value)),
        };
        Verdict {
            best: self.choices[best as usize].mv,
            value,
            proven: root.proven,
            depth: None,
            moves: self
                .choices_of(ROOT)
                .iter()
                .zip(shares)
                .map(searched)
                .collect(),
        }
    }

    fn visit_shares(&self) -> Vec<f64> {
        let choices = self.choices_of(ROOT);
        let visits: u32 = choices.iter().map(|choice| choice.visits).sum();
        if visits == 0 {
            return choices
                .iter()
                .map(|choice| f64::from(choice.prior))
                .collect();
        }
        let share = |choice: &Choice<G::Move>| f64::from(choice.visits) / f64::from(visits);
        choices.iter().map(share).collect()
    }

    fn mean_under(&self, shares: &[f64], side: Side) -> Value {
        let value = completed_with(self.explored(ROOT, side).mixed, side);
        let choices = self.choices_of(ROOT).iter();
        Value::from_view(
            choices
                .zip(shares)
                .map(|(choice, share)| share * value(choice))
                .sum(),
            side,
        )
    }

    fn proven_best(&self, side: Side) -> u32 {
        let proven = |choice: &Choice<G::Move>| {
            if choice.proven {
                Value(choice.value).seen_by(side)
            } else {
                f64::NEG_INFINITY
            }
        };
        self.first_highest(proven)
    }

    /// The most visited move, ties by value; with a temperature, a draw by visits^(1/temperature). Lost
    /// moves have no part in it: while the root is open there are others.
    fn by_visits(&mut self, side: Side) -> u32 {
        let temperature = self.budget.temperature;
        let first = self.nodes[ROOT as usize].first;
        let visits = |choice: &Choice<G::Move>| match choice.is_lost(side) {
            true => 0,
            false => choice.visits,
        };
        let choices = self.choices_of(ROOT).iter();
        let most = choices.clone().map(visits).max().unwrap_or(0);
        if temperature > 0.0 && most > 0 {
            let weights: Vec<_> = choices
                .map(|choice| f64::from(visits(choice)) / f64::from(most))
                .map(|share| share.powf(1.0 / temperature))
                .collect();
            return first + draws::weighted(&mut self.draws, weights.iter().copied()) as u32;
        }
        self.first_highest(|choice| match most {
            _ if choice.is_lost(side) => f64::NEG_INFINITY,
            0 => f64::from(choice.prior),
            _ => f64::from(choice.visits) + Value(choice.value).seen_by(side) / 4.0,
        })
    }

    fn first_highest(&self, score: impl Fn(&Choice<G::Move>) -> f64) -> u32 {
        let mut best = (0, f64::NEG_INFINITY);
        for (index, choice) in self.choices_of(ROOT).iter().enumerate() {
            let score = score(choice);
            if score > best.1 {
                best = (index, score);
            }
        }
        self.nodes[ROOT as usize].first + best.0 as u32
    }
}
