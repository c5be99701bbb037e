//! What results say: score and interval over pairs, distinct games, and the written rule of a gate.

use std::collections::HashSet;

use engine::{Outcome, Side};
use serde::{Deserialize, Serialize};

use super::table::GameResult;
use crate::rating::{LEAST_DISTINCT_SHARE, mean_interval, spread, verdict};

/// The result of a match as player A sees it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Score {
    /// Games won by A.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost by A.
    pub losses: u64,
    /// Games that a cap cut short; each counts half, like a draw.
    pub truncated: u64,
    /// Share of the points.
    pub score: f64,
    /// The 95 % interval of the score, from the spread of the distinct pairs; at most `[0, 1]`.
    pub interval: [f64; 2],
    /// Games that differ from one another.
    pub distinct_games: u64,
    /// Whether the games say anything: false when most of them repeat others.
    pub counted: bool,
    /// Plies of a game on average.
    pub plies: f64,
}

impl Score {
    /// Adds up a match. Each two results in a row are a pair.
    pub fn of(results: &[GameResult]) -> Score {
        let mut score = Score {
            wins: 0,
            draws: 0,
            losses: 0,
            truncated: 0,
            score: 0.0,
            interval: [0.0, 1.0],
            distinct_games: 0,
            counted: true,
            plies: 0.0,
        };
        for result in results {
            match (result.outcome, points(result)) {
                (Outcome::Truncated, _) => score.truncated += 1,
                (Outcome::Draw, _) => score.draws += 1,
                (_, 1.0) => score.wins += 1,
                _ => score.losses += 1,
            }
            score.plies += result.plies as f64 / results.len() as f64;
        }
        let fingerprints: HashSet<_> = results.iter().map(|game| game.fingerprint).collect();
        score.distinct_games = fingerprints.len() as u64;
        score.counted = fingerprints.len() as f64 >= LEAST_DISTINCT_SHARE * results.len() as f64;

        if results.is_empty() {
            return score;
        }
        let points: Vec<_> = results.iter().map(points).collect();
        score.score = points.iter().sum::<f64>() / results.len() as f64;
        score.interval = mean_interval(&pair_scores(results, &points));
        score
    }

    /// Games played.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses + self.truncated
    }

    /// What the interval allows one to say of A against B.
    pub fn verdict(&self) -> &'static str {
        verdict(self.counted, self.interval)
    }
}

/// A match's score with the luck of the dice taken off.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Adjusted {
    /// Share of the points.
    pub score: f64,
    /// The 95 % interval of the score, as in [`Score`].
    pub interval: [f64; 2],
    /// How many times the plain score's variance over pairs is the adjusted one's.
    pub variance_factor: f64,
}

impl Adjusted {
    /// Takes the points that A owes to the dice off each game. `None` for a match of no games.
    pub fn of(results: &[GameResult], luck: &[f64]) -> Option<Adjusted> {
        let plain: Vec<_> = results.iter().map(points).collect();
        let adjusted: Vec<_> = plain
            .iter()
            .zip(luck)
            .map(|(points, luck)| points - luck)
            .collect();
        let (before, after) = (
            pair_scores(results, &plain),
            pair_scores(results, &adjusted),
        );
        (!results.is_empty()).then(|| Adjusted {
            score: adjusted.iter().sum::<f64>() / results.len() as f64,
            interval: mean_interval(&after),
            variance_factor: spread(&before) / spread(&after).max(f64::MIN_POSITIVE),
        })
    }
}

/// The mean points of each pair. A pair that repeats another adds nothing; every distinct one counts once.
fn pair_scores(results: &[GameResult], points: &[f64]) -> Vec<f64> {
    let mut seen = HashSet::new();
    let pairs = results.chunks(2).zip(points.chunks(2));
    pairs
        .filter(|(pair, _)| {
            seen.insert(pair.iter().map(|game| game.fingerprint).collect::<Vec<_>>())
        })
        .map(|(_, points)| points.iter().sum::<f64>() / points.len() as f64)
        .collect()
}

fn points(result: &GameResult) -> f64 {
    let winner = match result.outcome {
        Outcome::Win(side) => Some(side),
        Outcome::Draw | Outcome::Truncated => None,
    };
    winner.map_or(0.5, |winner: Side| {
        f64::from(u8::from(winner == result.a_side))
    })
}

/// The rule by which a candidate net may replace the acting one: at least `threshold` of the points,
/// a draw counting half.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Gate {
    /// The least score.
    pub threshold: f64,
}

impl Gate {
    /// Whether a candidate with these results is accepted, with the line that says so. `nets` names the
    /// candidate and the acting net by step and weights.
    pub fn judge(
        &self,
        nets: [&(u64, String); 2],
        wins: u64,
        draws: u64,
        losses: u64,
    ) -> (bool, String) {
        let games = (wins + draws + losses).max(1) as f64;
        let score = (wins as f64 + 0.5 * draws as f64) / games;
        let accepted = score >= self.threshold;
        let verdict = if accepted { "accepted" } else { "refused" };
        let line = format!(
            "gate: step {} (weights {}) against step {} (weights {}): {wins}-{draws}-{losses} (W-D-L), \
             score {score:.4}, threshold {:.4}: {verdict}",
            nets[0].0, nets[0].1, nets[1].0, nets[1].1, self.threshold
        );
        (accepted, line)
    }
}
