//! Two players' games: score, interval, pentanomial counts and what they allow one to say.

use std::collections::{BTreeMap, HashSet};

use serde::Serialize;

use super::clusters::couple;
use super::{Clusters, Game, mean_interval};

/// The games of two players, in the view of A.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Couple {
    /// Player A.
    pub a: String,
    /// Player B.
    pub b: String,
    /// Games won by A.
    pub wins: u64,
    /// Games without a winner.
    pub draws: u64,
    /// Games lost by A.
    pub losses: u64,
    /// Share of the points of A; a game without a winner counts half.
    pub score: f64,
    /// The 95 % interval of the score, over distinct pairs.
    pub interval: [f64; 2],
    /// Pairs in which A scored 0, ½, 1, 1½ and 2 points.
    pub pentanomial: [u64; 5],
    /// Games that differ from one another.
    pub distinct_games: u64,
    /// What the interval allows one to say.
    pub verdict: &'static str,
}

pub(super) const NOT_DECIDED: &str = "not decided";

/// Below this share of distinct games a match says little more than its first games.
pub(crate) const LEAST_DISTINCT_SHARE: f64 = 0.5;

impl Couple {
    pub(super) fn of([a, b]: [usize; 2], names: &[String], games: &[Game]) -> Couple {
        let own: Vec<_> = games
            .iter()
            .filter(|game| couple(game) == [a, b])
            .cloned()
            .collect();
        let mut ends = [0_u64; 3];
        own.iter()
            .for_each(|game| ends[halves_of(game, a) as usize] += 1);
        let mut pentanomial = [0; 5];
        for halves in pairs_of(&own, a)
            .values()
            .filter_map(|pair| pair.complete())
        {
            pentanomial[halves as usize] += 1;
        }
        let scores: Vec<_> = Clusters::of(&own)
            .counts
            .iter()
            .flat_map(|(cluster, &count)| {
                let halves = cluster.iter().map(|&(first, _, result)| match first == a {
                    true => result.halves(),
                    false => 2 - result.halves(),
                });
                let score = halves.sum::<u64>() as f64 / (2 * cluster.len()) as f64;
                std::iter::repeat_n(score, count as usize)
            })
            .collect();
        let count = own.len() as u64;
        let distinct_games = distinct(own.iter());
        let counted = distinct_games as f64 >= LEAST_DISTINCT_SHARE * count as f64;
        let interval = mean_interval(&scores);
        Couple {
            a: names[a].clone(),
            b: names[b].clone(),
            wins: ends[2],
            draws: ends[1],
            losses: ends[0],
            score: (2 * ends[2] + ends[1]) as f64 / (2 * count.max(1)) as f64,
            interval,
            pentanomial,
            distinct_games,
            verdict: verdict(counted, interval),
        }
    }
}

/// What an interval of A's score allows one to say.
pub fn verdict(counted: bool, interval: [f64; 2]) -> &'static str {
    match interval {
        _ if !counted => "not counted: most games repeat others",
        [low, _] if low > 0.5 => "A is stronger",
        [_, high] if high < 0.5 => "B is stronger",
        _ => NOT_DECIDED,
    }
}

/// Games of one pair, and the points of one player in halves.
#[derive(Clone, Copy, Debug, Default)]
struct PairHalves {
    games: u64,
    halves: u64,
}

impl PairHalves {
    /// The points, once both games are there.
    fn complete(self) -> Option<u64> {
        (self.games == 2).then_some(self.halves)
    }
}

/// The pairs of two players by number, in the view of player `a`.
fn pairs_of(games: &[Game], a: usize) -> BTreeMap<u64, PairHalves> {
    let mut pairs = BTreeMap::<u64, PairHalves>::new();
    for game in games {
        if let Some(pair) = game.pair {
            let pair = pairs.entry(pair).or_default();
            pair.games += 1;
            pair.halves += halves_of(game, a);
        }
    }
    pairs
}

/// A player's points of a game in halves.
pub(super) fn halves_of(game: &Game, player: usize) -> u64 {
    match player == game.first {
        true => game.result.halves(),
        false => 2 - game.result.halves(),
    }
}

/// Games that differ in players or course; a game that does not say its course counts as different.
pub(super) fn distinct<'a>(games: impl Iterator<Item = &'a Game>) -> u64 {
    let (mut prints, mut unknown) = (HashSet::new(), 0);
    for game in games {
        match game.fingerprint {
            Some(print) => {
                prints.insert((game.first, game.second, print));
            }
            None => unknown += 1,
        }
    }
    prints.len() as u64 + unknown
}
