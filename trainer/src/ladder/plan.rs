//! Who plays whom, and how often.

use crate::matches::{Bout, bouts_of_pair};
use crate::rating::{Clusters, Fit, Game};

/// Which pairs of games are played next, as a function of the results of whole waves before. So a resumed
/// ladder plays the games of an unbroken one.
#[derive(Clone, PartialEq, Debug)]
pub enum Plan {
    /// Every couple plays the same number of pairs.
    Fixed {
        /// The couples, by numbers of players.
        couples: Vec<[usize; 2]>,
        /// Pairs of games of each.
        pairs: u64,
    },
    /// The next pair is the one that narrows the ratings most.
    Adaptive {
        /// Players.
        players: usize,
        /// Pairs of games in all.
        pairs: u64,
    },
}

/// Pairs of an adaptive wave: they are chosen together and played side by side.
pub const WAVE: u64 = 32;

/// Strengths are held to lie within about 350 Elo (one standard deviation) of one another before any game;
/// this only steers the choice of games and enters no rating.
const PRIOR_PRECISION: f64 = 0.25;

impl Plan {
    /// Pairs of games in all.
    pub fn pairs(&self) -> u64 {
        match self {
            Plan::Fixed { couples, pairs } => couples.len() as u64 * pairs,
            Plan::Adaptive { pairs, .. } => *pairs,
        }
    }

    /// The next wave: couples with the numbers of their pairs. Empty when the plan is done.
    pub fn wave(&self, planned: &[([usize; 2], u64)], games: &[Game]) -> Vec<([usize; 2], u64)> {
        match self {
            Plan::Fixed { .. } if !planned.is_empty() => Vec::new(),
            Plan::Fixed { couples, pairs } => {
                let pairs =
                    (0..*pairs).flat_map(|pair| couples.iter().map(move |&two| (two, pair)));
                pairs.collect()
            }
            Plan::Adaptive { players, pairs } => {
                let left = pairs.saturating_sub(planned.len() as u64).min(WAVE);
                narrowest(*players, left, planned, games)
            }
        }
    }
}

/// Chooses pairs one after another, each the one that takes most off the sum of the variances of the
/// strengths, as if the ones before it had been played.
fn narrowest(
    players: usize,
    count: u64,
    planned: &[([usize; 2], u64)],
    games: &[Game],
) -> Vec<([usize; 2], u64)> {
    let clusters = Clusters::of(games);
    let fit = Fit::of(&vec![0; players], &clusters, PRIOR_PRECISION);
    let Some(mut covariance) = fit.curvature().inverse() else {
        return Vec::new();
    };
    let mut wave = Vec::new();
    for _ in 0..count {
        let mut best: Option<(f64, [usize; 2], f64, Vec<f64>)> = None;
        for a in 0..players {
            for b in a + 1..players {
                let column: Vec<_> = (0..players)
                    .map(|row| covariance.at(row, a) - covariance.at(row, b))
                    .collect();
                // Two games of a pair, each worth the variance of its result.
                let [win, _, loss] = fit.chances(fit.strengths[a], fit.strengths[b]);
                let worth = 2.0 * ((win + loss) / 4.0 - ((win - loss) / 2.0).powi(2));
                let scale = worth / (1.0 + worth * (column[a] - column[b]));
                let gain = scale * column.iter().map(|cell| cell * cell).sum::<f64>();
                if best.as_ref().is_none_or(|&(most, ..)| gain > most) {
                    best = Some((gain, [a, b], scale, column));
                }
            }
        }
        let Some((_, couple, scale, column)) = best else {
            break;
        };
        for row in 0..players {
            for other in 0..players {
                covariance.add(row, other, -scale * column[row] * column[other]);
            }
        }
        let number = planned
            .iter()
            .chain(&wave)
            .filter(|(two, _)| *two == couple)
            .count();
        wave.push((couple, number as u64));
    }
    wave
}

/// The games of a wave.
pub fn bouts(wave: &[([usize; 2], u64)], seed: impl Fn([usize; 2]) -> u64) -> Vec<Bout> {
    let of_pair = |&(couple, pair): &([usize; 2], u64)| bouts_of_pair(couple, seed(couple), pair);
    wave.iter().flat_map(of_pair).collect()
}
