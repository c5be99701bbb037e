//! Ratings with all that is needed not to overclaim: anchors, intervals, bounds, cycles, verdicts.

use serde::Serialize;

use super::bounds::bounds;
use super::components::Components;
use super::couples::{Couple, NOT_DECIDED, distinct, halves_of};
use super::{Clusters, ELO, Fit, Game, NORMAL_95, cycles};

/// What a set of games says about its players.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Standings {
    /// Games rated.
    pub games: u64,
    /// Games that differ from one another.
    pub distinct_games: u64,
    /// The players, island by island, the best first.
    pub players: Vec<Line>,
    /// What the first move is worth; none where no games tell.
    pub first_move: Option<Advantage>,
    /// Every two players that met.
    pub couples: Vec<Couple>,
    /// Players that beat one another in a ring, each match decided; no single number shows that.
    pub cycles: Vec<Vec<String>>,
}

/// One player's rating.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Line {
    /// The player.
    pub player: String,
    /// The player at 0 Elo on the player's island; ratings of two islands cannot be compared.
    pub anchor: String,
    /// What the numbers are.
    pub bearing: Bearing,
    /// Elo points above the anchor.
    pub rating: Option<f64>,
    /// The 95 % interval of the rating; where the rating is infinite, a one-sided bound.
    pub interval: [Option<f64>; 2],
    /// Games played.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// Games without a winner.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Games lost by a fault of the player's own.
    pub faults: u64,
    /// Games that differ from one another.
    pub distinct_games: u64,
    /// Whether the player is stronger than the next one of its island.
    pub against_next: Option<&'static str>,
}

/// What a line's numbers are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Bearing {
    /// The zero of its island.
    Anchor,
    /// A rating with an interval.
    Rated,
    /// Unbeaten by those below: only a lower bound.
    AtLeast,
    /// Beaten by all above: only an upper bound.
    AtMost,
    /// Two bounds and no likeliest value.
    Between,
    /// The games allow no number.
    Unrated,
}

/// The worth of the first move.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Advantage {
    /// In Elo points, for whoever moves first.
    pub elo: f64,
    /// The 95 % interval.
    pub interval: [f64; 2],
    /// Whether the interval leaves out 0.
    pub verdict: &'static str,
}

impl Standings {
    /// Rates players by their games. `anchor` is the player at 0 Elo, where its results tie it to the
    /// others from both sides; otherwise, and on other islands, the one with the most games is.
    pub fn of(names: &[String], games: &[Game], anchor: Option<usize>) -> Standings {
        let clusters = Clusters::of(games);
        let parts = Components::of(names.len(), &clusters);
        let fit = Fit::of(&parts.strong, &clusters, 0.0);
        let mut players = Vec::new();
        for island in (0..names.len()).filter(|&player| parts.island[player] == player) {
            let island = Island::of(island, &parts, games, anchor);
            players.extend(island.lines(names, games, &clusters, &fit));
        }
        let couples: Vec<_> = clusters
            .couples()
            .into_iter()
            .map(|[a, b]| Couple::of([a, b], names, games))
            .collect();
        let number = |name: &String| names.iter().position(|other| other == name);
        let beats = couples.iter().filter_map(|couple| {
            let (a, b) = (number(&couple.a)?, number(&couple.b)?);
            match couple.verdict {
                "A is stronger" => Some((a, b)),
                "B is stronger" => Some((b, a)),
                _ => None,
            }
        });
        let rings = cycles(names.len(), &beats.collect::<Vec<_>>());
        let named = |ring: Vec<usize>| {
            ring.into_iter()
                .map(|player| names[player].clone())
                .collect()
        };
        let inside = |game: &Game| parts.strong[game.first] == parts.strong[game.second];
        Standings {
            games: games.len() as u64,
            distinct_games: distinct(games.iter()),
            players,
            first_move: games.iter().any(inside).then(|| Advantage::of(&fit)),
            couples,
            cycles: rings.into_iter().map(named).collect(),
        }
    }
}

/// Players that are joined by games, and the one among them whose rating is 0.
struct Island<'a> {
    members: Vec<usize>,
    zero: usize,
    parts: &'a Components,
}

impl<'a> Island<'a> {
    fn of(
        island: usize,
        parts: &'a Components,
        games: &[Game],
        anchor: Option<usize>,
    ) -> Island<'a> {
        let members: Vec<_> = (0..parts.island.len())
            .filter(|&player| parts.island[player] == island)
            .collect();
        let played = |player: usize| {
            games
                .iter()
                .filter(|game| game.first == player || game.second == player)
                .count()
        };
        let anchor = anchor.filter(|anchor| members.contains(anchor));
        let largest = members
            .iter()
            .map(|&player| parts.strong_size(player))
            .max();
        let in_largest = |&player: &usize| Some(parts.strong_size(player)) == largest;
        let zero = match anchor {
            Some(anchor) if in_largest(&anchor) => anchor,
            _ => {
                let candidates = members.iter().copied().filter(in_largest);
                // Of several players with the most games the first one.
                candidates
                    .rev()
                    .max_by_key(|&player| played(player))
                    .unwrap_or(island)
            }
        };
        Island {
            members,
            zero,
            parts,
        }
    }

    fn lines(&self, names: &[String], games: &[Game], clusters: &Clusters, fit: &Fit) -> Vec<Line> {
        let strong = &self.parts.strong;
        let shift = fit.strengths[self.zero];
        let known: Vec<_> = (0..names.len())
            .map(|player| {
                (strong[player] == strong[self.zero]).then(|| {
                    let half = NORMAL_95 * fit.variance_between(player, self.zero).sqrt();
                    let strength = fit.strengths[player] - shift;
                    [strength - half, strength + half]
                })
            })
            .collect();
        let [low, high] = bounds(fit, clusters, &known);
        let mut lines: Vec<_> = self
            .members
            .iter()
            .map(|&player| {
                let elo = |bound: Option<f64>| bound.map(|strength| strength * ELO);
                let ends = [elo(low[player]), elo(high[player])];
                let rating = known[player].map(|_| (fit.strengths[player] - shift) * ELO);
                let mut line = Line::of(player, names, games, rating, ends);
                line.anchor.clone_from(&names[self.zero]);
                if player == self.zero {
                    line.bearing = Bearing::Anchor;
                }
                (player, line)
            })
            .collect();
        lines.sort_by(|(_, a), (_, b)| b.place().total_cmp(&a.place()));
        for at in 1..lines.len() {
            let (above, below) = (lines[at - 1].0, lines[at].0);
            let decided = match known[above].is_some() && known[below].is_some() {
                true => {
                    let difference = fit.strengths[above] - fit.strengths[below];
                    difference > NORMAL_95 * fit.variance_between(above, below).sqrt()
                }
                false => low[above]
                    .zip(high[below])
                    .is_some_and(|(low, high)| low > high),
            };
            lines[at - 1].1.against_next = Some(if decided { "stronger" } else { NOT_DECIDED });
        }
        lines.into_iter().map(|(_, line)| line).collect()
    }
}

impl Line {
    fn of(
        player: usize,
        names: &[String],
        games: &[Game],
        rating: Option<f64>,
        interval: [Option<f64>; 2],
    ) -> Line {
        let bearing = match (rating, interval) {
            (Some(_), _) => Bearing::Rated,
            (None, [Some(_), None]) => Bearing::AtLeast,
            (None, [None, Some(_)]) => Bearing::AtMost,
            (None, [Some(_), Some(_)]) => Bearing::Between,
            (None, [None, None]) => Bearing::Unrated,
        };
        let own: Vec<_> = games
            .iter()
            .filter(|game| game.first == player || game.second == player)
            .collect();
        let mut ends = [0; 3];
        let mut faults = 0;
        for game in &own {
            let halves = halves_of(game, player);
            ends[halves as usize] += 1;
            faults += u64::from(game.fault && halves == 0);
        }
        Line {
            player: names[player].clone(),
            anchor: String::new(),
            bearing,
            rating,
            interval,
            games: own.len() as u64,
            wins: ends[2],
            draws: ends[1],
            losses: ends[0],
            faults,
            distinct_games: distinct(own.into_iter()),
            against_next: None,
        }
    }

    /// Where the line stands in the list.
    fn place(&self) -> f64 {
        let ends = self.interval.iter().flatten();
        self.rating
            .or(ends.copied().next())
            .unwrap_or(f64::NEG_INFINITY)
    }
}

impl Advantage {
    fn of(fit: &Fit) -> Advantage {
        let half = NORMAL_95 * fit.advantage_variance().sqrt();
        let interval = [(fit.advantage - half) * ELO, (fit.advantage + half) * ELO];
        let verdict = match interval {
            [low, _] if low > 0.0 => "the first move helps",
            [_, high] if high < 0.0 => "the first move harms",
            _ => NOT_DECIDED,
        };
        Advantage {
            elo: fit.advantage * ELO,
            interval,
            verdict,
        }
    }
}
