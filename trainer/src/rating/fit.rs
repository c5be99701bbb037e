//! One joint fit of all strengths, the advantage of the first move and the frequency of draws.
//!
//! Bradley and Terry (1952) with draws after Davidson (1970) and an advantage of order after Davidson and
//! Beaver (1977). With `d` the difference of strengths plus the advantage, a win of the first player has
//! weight `e^(d/2)`, a win of the second `e^(-d/2)` and a draw `e^draws`. The logarithm of the likelihood
//! is concave, so Newton's method finds its one maximum.

use super::Result;
use super::clusters::{Cluster, Clusters};
use super::matrix::Matrix;

/// Strengths in natural units; [`super::ELO`] makes them Elo points.
#[derive(Clone, Debug)]
pub(crate) struct Fit {
    /// Strengths, each relative to the reference of its component (which is 0).
    pub strengths: Vec<f64>,
    /// Advantage of the first move.
    pub advantage: f64,
    /// Weight of draws, as a logarithm; none where no game was drawn.
    pub draws: Option<f64>,
    places: Vec<Option<usize>>,
    covariance: Matrix,
    information: Matrix,
}

/// Half a game won by each side among equals. It keeps the advantage and the draws finite where, say, the
/// first player wins every game, and weighs nothing against a few dozen games.
const IMAGINED: f64 = 0.5;

/// Pairs that each two players who met are held to have played besides, in the variance only (the rule of
/// three: after n pairs alike, a pair of another kind may still be as frequent as 3/n).
const UNSEEN_PAIRS: f64 = 3.0;

const STEPS: usize = 100;

impl Fit {
    /// Fits all games between players of the same component. Each component has its first member as its
    /// reference. `ridge` is the precision of a normal prior on every strength; 0 for none.
    pub fn of(components: &[usize], clusters: &Clusters, ridge: f64) -> Fit {
        let mut model = Model::new(components, clusters, ridge);
        for _ in 0..STEPS {
            if !model.improve() {
                break;
            }
        }
        let covariance = model.covariance();
        let strengths = model
            .places
            .iter()
            .map(|place| place.map_or(0.0, |at| model.values[at]));
        Fit {
            strengths: strengths.collect(),
            advantage: model.values[model.advantage],
            draws: model.draws.map(|at| model.values[at]),
            places: model.places.clone(),
            information: model.slopes().1,
            covariance,
        }
    }

    /// The variance of the difference of two strengths of the same component.
    pub fn variance_between(&self, a: usize, b: usize) -> f64 {
        let part = |a: usize, b: usize| match (self.places[a], self.places[b]) {
            (Some(a), Some(b)) => self.covariance.at(a, b),
            _ => 0.0,
        };
        (part(a, a) + part(b, b) - 2.0 * part(a, b)).max(0.0)
    }

    /// The information of the strengths alone, the advantage and the draws being held fixed.
    pub fn curvature(&self) -> Matrix {
        let size = self.places.iter().flatten().count();
        let mut strengths = Matrix::zero(size);
        for row in 0..size {
            for column in 0..size {
                strengths.add(row, column, self.information.at(row, column));
            }
        }
        strengths
    }

    /// The variance of the advantage of the first move.
    pub fn advantage_variance(&self) -> f64 {
        let at = self.places.iter().flatten().count();
        self.covariance.at(at, at).max(0.0)
    }

    /// Probabilities of a win of the first player, a draw and a win of the second.
    pub fn chances(&self, first: f64, second: f64) -> [f64; 3] {
        chances(first + self.advantage - second, self.draws)
    }
}

fn chances(difference: f64, draws: Option<f64>) -> [f64; 3] {
    let logs = [
        difference / 2.0,
        draws.unwrap_or(f64::NEG_INFINITY),
        -difference / 2.0,
    ];
    let highest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights = logs.map(|log| (log - highest).exp());
    let total: f64 = weights.iter().sum();
    weights.map(|weight| weight / total)
}

/// What a game says about the numbers that are fitted: the strengths of both, the advantage, the draws.
struct Model<'a> {
    clusters: Vec<(&'a Cluster, f64)>,
    /// The place of a player's strength among the values; references have none.
    places: Vec<Option<usize>>,
    advantage: usize,
    draws: Option<usize>,
    values: Vec<f64>,
    ridge: f64,
}

impl<'a> Model<'a> {
    fn new(components: &[usize], clusters: &'a Clusters, ridge: f64) -> Model<'a> {
        let inside = |cluster: &&Cluster| {
            let (first, second, _) = cluster[0];
            components[first] == components[second]
        };
        let clusters: Vec<_> = clusters
            .counts
            .iter()
            .filter(|(cluster, _)| inside(cluster))
            .map(|(cluster, &count)| (cluster, count as f64))
            .collect();
        // A prior makes every strength a number of its own: nobody is the reference.
        let is_free = |player: usize| player != components[player] || ridge > 0.0;
        let place = |player| is_free(player).then(|| (0..player).filter(|&p| is_free(p)).count());
        let places: Vec<_> = (0..components.len()).map(place).collect();
        let next = places.iter().flatten().count();
        let drawn = |&(_, _, result): &(usize, usize, Result)| result == Result::Level;
        let any_drawn = clusters
            .iter()
            .any(|(cluster, _)| cluster.iter().any(drawn));
        Model {
            clusters,
            places,
            advantage: next,
            draws: any_drawn.then_some(next + 1),
            values: vec![0.0; next + 1 + usize::from(any_drawn)],
            ridge,
        }
    }

    /// One step of Newton's method, shortened until it improves; `false` when nothing is left to improve.
    fn improve(&mut self) -> bool {
        let (gradient, information) = self.slopes();
        if gradient.iter().all(|slope| slope.abs() < 1e-9) {
            return false;
        }
        let Some(inverse) = information.inverse() else {
            return false;
        };
        let step = inverse.times(&gradient);
        let (before, at) = (self.likelihood(), self.values.clone());
        for halving in 0..40 {
            let share = 0.5_f64.powi(halving);
            for (value, (&old, &step)) in self.values.iter_mut().zip(at.iter().zip(&step)) {
                *value = old + share * step;
            }
            if self.likelihood() > before {
                return true;
            }
        }
        self.values = at;
        false
    }

    /// The logarithm of the likelihood, the imagined games and the prior included.
    fn likelihood(&self) -> f64 {
        let game = |&(first, second, result): &(usize, usize, Result)| {
            self.chances(first, second)[place_of(result)].ln()
        };
        let games: f64 = self
            .clusters
            .iter()
            .map(|(cluster, count)| count * cluster.iter().map(game).sum::<f64>())
            .sum();
        let level = chances(self.values[self.advantage], self.draws());
        let prior: f64 = self
            .places
            .iter()
            .flatten()
            .map(|&at| self.values[at].powi(2))
            .sum();
        games + IMAGINED * (level[0].ln() + level[2].ln()) - 0.5 * self.ridge * prior
    }

    /// Gradient and information (the negative second derivatives) of the likelihood.
    fn slopes(&self) -> (Vec<f64>, Matrix) {
        let mut gradient = vec![0.0; self.values.len()];
        let mut information = Matrix::zero(self.values.len());
        for &(cluster, count) in &self.clusters {
            for &(first, second, result) in cluster {
                for (place, slope) in self.slope(Some((first, second)), result) {
                    gradient[place] += count * slope;
                }
                self.add_information(&mut information, Some((first, second)), count);
            }
        }
        for result in [Result::First, Result::Second] {
            for (place, slope) in self.slope(None, result) {
                gradient[place] += IMAGINED * slope;
            }
            self.add_information(&mut information, None, IMAGINED);
        }
        for &at in self.places.iter().flatten() {
            gradient[at] -= self.ridge * self.values[at];
            information.add(at, at, self.ridge);
        }
        (gradient, information)
    }

    /// The covariance of the values: the sandwich of information and the spread of the clusters (Huber
    /// 1967; clusters after Liang and Zeger 1986), because the games of a pair share their luck.
    fn covariance(&self) -> Matrix {
        let mut spread = Matrix::zero(self.values.len());
        let mut couples = std::collections::BTreeSet::new();
        for &(cluster, count) in &self.clusters {
            let mut slopes = vec![0.0; self.values.len()];
            for &(first, second, result) in cluster {
                couples.insert([first.min(second), first.max(second)]);
                for (place, slope) in self.slope(Some((first, second)), result) {
                    slopes[place] += slope;
                }
            }
            let touched: Vec<_> = (0..slopes.len()).filter(|&at| slopes[at] != 0.0).collect();
            for &row in &touched {
                for &column in &touched {
                    spread.add(row, column, count * slopes[row] * slopes[column]);
                }
            }
        }
        for [a, b] in couples {
            self.add_information(&mut spread, Some((a, b)), UNSEEN_PAIRS);
            self.add_information(&mut spread, Some((b, a)), UNSEEN_PAIRS);
        }
        self.add_information(&mut spread, None, 2.0 * IMAGINED);
        let (_, information) = self.slopes();
        match information.inverse() {
            Some(inverse) => inverse.product(&spread).product(&inverse),
            None => Matrix::zero(self.values.len()),
        }
    }

    /// The slope of one game's likelihood; no players stand for two equals.
    fn slope(&self, players: Option<(usize, usize)>, result: Result) -> Vec<(usize, f64)> {
        let [win, draw, loss] = self.chances_of(players);
        let score = result.halves() as f64 / 2.0 - 0.5;
        let of_difference = score - (win - loss) / 2.0;
        let of_draws = f64::from(u8::from(result == Result::Level)) - draw;
        let weights = self.weights(players);
        let differences = weights.map(|(place, sign)| (place, sign * of_difference));
        differences
            .chain(self.draws.map(|at| (at, of_draws)))
            .collect()
    }

    /// Adds `count` times the information of one game.
    fn add_information(&self, matrix: &mut Matrix, players: Option<(usize, usize)>, count: f64) {
        let [win, draw, loss] = self.chances_of(players);
        let mean = (win - loss) / 2.0;
        let of_difference = (win + loss) / 4.0 - mean * mean;
        let weights: Vec<_> = self.weights(players).collect();
        for &(row, one) in &weights {
            for &(column, other) in &weights {
                matrix.add(row, column, count * one * other * of_difference);
            }
            if let Some(at) = self.draws {
                matrix.add(row, at, -count * one * mean * draw);
                matrix.add(at, row, -count * one * mean * draw);
            }
        }
        if let Some(at) = self.draws {
            matrix.add(at, at, count * draw * (1.0 - draw));
        }
    }

    /// The values that a game's difference is made of, with their signs.
    fn weights(&self, players: Option<(usize, usize)>) -> impl Iterator<Item = (usize, f64)> {
        let place = |player: usize, sign: f64| self.places[player].map(|at| (at, sign));
        let strengths = players.map(|(first, second)| [place(first, 1.0), place(second, -1.0)]);
        let strengths = strengths.into_iter().flatten().flatten();
        strengths.chain([(self.advantage, 1.0)])
    }

    fn chances_of(&self, players: Option<(usize, usize)>) -> [f64; 3] {
        match players {
            Some((first, second)) => self.chances(first, second),
            None => chances(self.values[self.advantage], self.draws()),
        }
    }

    fn chances(&self, first: usize, second: usize) -> [f64; 3] {
        let strength = |player: usize| self.places[player].map_or(0.0, |at| self.values[at]);
        let difference = strength(first) + self.values[self.advantage] - strength(second);
        chances(difference, self.draws())
    }

    fn draws(&self) -> Option<f64> {
        self.draws.map(|at| self.values[at])
    }
}

const fn place_of(result: Result) -> usize {
    match result {
        Result::First => 0,
        Result::Level => 1,
        Result::Second => 2,
    }
}
