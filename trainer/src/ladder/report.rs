//! What a ladder has found so far.

use std::collections::BTreeMap;

use serde::Serialize;

use super::line::{Contestant, Ending, ResultLine, games};
use super::tables::{rating, remarks};
use crate::rating::{SprtReport, Standings};

/// The state of a ladder.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    /// Version of the format.
    pub format: u32,
    /// The game's name.
    pub game: &'static str,
    /// Version of the rules.
    pub rules: u16,
    /// The ladder's seed.
    pub seed: u64,
    /// Games that the plan asks for.
    pub planned: u64,
    /// Whether the ladder is done; a sequential test may end it before all planned games.
    pub complete: bool,
    /// The players, in the order of the configuration.
    pub players: Vec<Contestant>,
    /// Ratings with all that belongs to them.
    pub standings: Standings,
    /// The sequential test, if there is one.
    pub sprt: Option<SprtReport>,
    /// Results by opening.
    pub openings: Vec<Opening>,
    /// Games that a player lost by a fault, by player and reason.
    pub faults: BTreeMap<String, BTreeMap<String, u64>>,
    /// Winning probability that a net's moves give away against exact play, by player.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub regrets: BTreeMap<String, f64>,
    /// Share of the threads' time spent inside networks, over the games of the last start.
    pub evaluation_share: f64,
    /// Positions that networks evaluated, over the games of the last start.
    pub evaluations_a_second: f64,
}

/// The results from one first position.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Opening {
    /// The position as text.
    pub opening: String,
    /// Games.
    pub games: u64,
    /// Won by whoever had the first side.
    pub first_wins: u64,
    /// Without a winner.
    pub draws: u64,
    /// Won by whoever had the second side.
    pub second_wins: u64,
}

/// The results by opening, the most frequent first.
pub(super) fn openings(lines: &[ResultLine]) -> Vec<Opening> {
    let mut found = BTreeMap::<&str, Opening>::new();
    for line in lines {
        let opening = found.entry(&line.opening).or_insert_with(|| Opening {
            opening: line.opening.clone(),
            ..Opening::default()
        });
        opening.games += 1;
        match line.result {
            Ending::First => opening.first_wins += 1,
            Ending::Second => opening.second_wins += 1,
            Ending::Draw | Ending::Truncated => opening.draws += 1,
        }
    }
    let mut openings: Vec<_> = found.into_values().collect();
    openings.sort_by_key(|opening| std::cmp::Reverse(opening.games));
    openings
}

pub(super) fn faults(lines: &[ResultLine]) -> BTreeMap<String, BTreeMap<String, u64>> {
    let mut faults = BTreeMap::<String, BTreeMap<String, u64>>::new();
    for line in lines {
        let Some(loser) = line.failed() else { continue };
        *faults
            .entry(loser.name.clone())
            .or_default()
            .entry(line.reason.clone())
            .or_default() += 1;
    }
    faults
}

/// The players in front, in a few words.
pub(super) fn leaders(names: &[String], anchor: Option<usize>, lines: &[ResultLine]) -> String {
    let standings = Standings::of(names, &games(names, lines), anchor);
    let best = standings.players.iter().take(3);
    let words: Vec<_> = best
        .map(|line| format!("{} {}", line.player, rating(line)))
        .collect();
    words.join(", ")
}

impl Report {
    /// What the table of standings cannot hold.
    pub fn remarks(&self) -> Vec<String> {
        let mut remarks = remarks(&self.standings);
        if let (Some(test), [a, b, ..]) = (&self.sprt, &self.players[..]) {
            remarks.push(format!("sprt, {} against {}: {test}", a.name, b.name));
        }
        for (player, reasons) in &self.faults {
            let reasons: Vec<_> = reasons
                .iter()
                .map(|(reason, games)| format!("{reason} {games}"))
                .collect();
            remarks.push(format!(
                "games that {player} lost by a fault: {}",
                reasons.join(", ")
            ));
        }
        for (player, regret) in &self.regrets {
            remarks.push(format!(
                "{player}: regret {regret:.4}, the winning probability that a move gives away"
            ));
        }
        remarks
    }
}
