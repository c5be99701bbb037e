//! Result lines: one JSON object a game, from any source, and what of them can be rated together.

use std::collections::{BTreeMap, HashSet};

use engine::{Outcome, Side};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::matches::GameResult;
use crate::rating::{Game, Result as Points, Standings};

/// Version of the format of result lines.
pub const FORMAT: u32 = 1;

/// One game. Only the players, the result and the game's name are needed for ratings.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ResultLine {
    /// Version of this format.
    #[serde(default = "current_format")]
    pub format: u32,
    /// The game's name.
    pub game: String,
    /// Version of the rules.
    #[serde(default)]
    pub rules: u16,
    /// The rule options.
    #[serde(default)]
    pub variant: Json,
    /// Number of the game among those of its two players under its seed, from 1.
    #[serde(default)]
    pub id: Option<u64>,
    /// The pair that the game belongs to, from 1.
    #[serde(default)]
    pub pair: Option<u64>,
    /// Everything random in the games of the two players follows from this number.
    #[serde(default)]
    pub seed: u64,
    /// The first position as text.
    #[serde(default)]
    pub opening: String,
    /// The player with the first side.
    pub first: Contestant,
    /// The player with the second side.
    pub second: Contestant,
    /// `first`, `second`, `draw` or `truncated`.
    pub result: Ending,
    /// `rules`, `cap`, `crash`, `hang`, `illegal` or `time`.
    #[serde(default = "by_the_rules")]
    pub reason: String,
    /// What is known of a fault besides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// Plies played.
    #[serde(default)]
    pub plies: u64,
    /// Equal for games with the same start, rolls and moves.
    #[serde(default)]
    pub course: Option<String>,
}

/// A player of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Contestant {
    /// The name under which it is rated.
    pub name: String,
    /// Its spec.
    #[serde(default)]
    pub spec: String,
    /// What tells its weights, or its program, from others.
    #[serde(default)]
    pub hash: String,
    /// The learning step of its net.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<u64>,
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ending {
    /// The first side won.
    First,
    /// The second side won.
    Second,
    /// The rules call it drawn.
    Draw,
    /// Cut short by a cap; counts like a draw.
    Truncated,
}

fn current_format() -> u32 {
    FORMAT
}

fn by_the_rules() -> String {
    "rules".into()
}

impl ResultLine {
    /// Takes over how a game ended.
    pub fn note(&mut self, result: &GameResult) {
        self.result = match result.outcome {
            Outcome::Win(Side::First) => Ending::First,
            Outcome::Win(Side::Second) => Ending::Second,
            Outcome::Draw => Ending::Draw,
            Outcome::Truncated => Ending::Truncated,
        };
        let by_rules = if self.result == Ending::Truncated {
            "cap"
        } else {
            "rules"
        };
        self.reason = result
            .fault
            .as_ref()
            .map_or(by_rules, |fault| fault.word())
            .into();
        self.detail = result
            .fault
            .as_ref()
            .and_then(|fault| fault.detail())
            .map(str::to_string);
        self.plies = result.plies;
        self.course = Some(format!("{:016x}", result.fingerprint));
    }

    /// What must not come twice: the two players, the seed and the number of the game.
    pub fn key(&self) -> Option<([String; 2], u64, u64)> {
        let mut names = [self.first.name.clone(), self.second.name.clone()];
        names.sort();
        Some((names, self.seed, self.id?))
    }

    /// The player that lost by a fault of its own, if one did.
    pub fn failed(&self) -> Option<&Contestant> {
        match (self.reason.as_str(), self.result) {
            ("rules" | "cap", _) => None,
            (_, Ending::First) => Some(&self.second),
            _ => Some(&self.first),
        }
    }
}

/// Lines that belong together, and those that do not.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Collection {
    /// The lines to be rated.
    #[serde(skip)]
    pub lines: Vec<ResultLine>,
    /// What was left out.
    pub left_out: Vec<LeftOut>,
    #[serde(skip)]
    keys: HashSet<([String; 2], u64, u64)>,
    #[serde(skip)]
    players: BTreeMap<String, Contestant>,
}

/// A line that is not rated.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LeftOut {
    /// Its number, from 1.
    pub line: usize,
    /// Why.
    pub why: String,
}

impl Collection {
    /// Reads lines. The first one says which game, rules and options are rated, and the first game of a
    /// player which weights; whatever differs is left out, and so is what comes twice.
    pub fn read(text: &str) -> Collection {
        let mut collection = Collection::default();
        for (number, line) in (1..).zip(text.lines()) {
            if line.trim().is_empty() {
                continue;
            }
            let taken = serde_json::from_str::<ResultLine>(line)
                .map_err(|error| format!("not a result line: {error}"))
                .and_then(|line| collection.take(line));
            if let Err(why) = taken {
                collection.left_out.push(LeftOut { line: number, why });
            }
        }
        collection
    }

    /// Adds a line, unless it does not belong to the others.
    ///
    /// # Errors
    /// Why it does not.
    pub fn take(&mut self, line: ResultLine) -> Result<(), String> {
        if line.format > FORMAT {
            return Err(format!(
                "written in format {}, this build reads {FORMAT}",
                line.format
            ));
        }
        if line.first.name == line.second.name {
            return Err(format!("{} against itself", line.first.name));
        }
        if let Some(head) = self.lines.first() {
            for (what, this, other) in [
                ("game", line.game.clone(), head.game.clone()),
                ("rules", line.rules.to_string(), head.rules.to_string()),
                (
                    "variant",
                    line.variant.to_string(),
                    head.variant.to_string(),
                ),
            ] {
                if this != other {
                    return Err(format!("other {what}: {this}, not {other}"));
                }
            }
        }
        for player in [&line.first, &line.second] {
            let Some(known) = self.players.get(&player.name) else {
                continue;
            };
            if known.hash != player.hash {
                let (name, hash, other) = (&player.name, &player.hash, &known.hash);
                return Err(format!("other weights of {name}: {hash}, not {other}"));
            }
            if known.spec != player.spec {
                let (name, spec, other) = (&player.name, &player.spec, &known.spec);
                return Err(format!("other spec of {name}: {spec}, not {other}"));
            }
        }
        if let Some(key) = line.key()
            && !self.keys.insert(key)
        {
            return Err(format!(
                "duplicate: game {} of {} and {} is there already",
                line.id.unwrap_or_default(),
                line.first.name,
                line.second.name
            ));
        }
        for player in [&line.first, &line.second] {
            self.players
                .entry(player.name.clone())
                .or_insert_with(|| player.clone());
        }
        self.lines.push(line);
        Ok(())
    }

    /// The players, by name.
    pub fn players(&self) -> Vec<Contestant> {
        self.players.values().cloned().collect()
    }
}

/// The games as ratings see them; `names` holds all players.
pub fn games(names: &[String], lines: &[ResultLine]) -> Vec<Game> {
    let places: BTreeMap<_, _> = names.iter().map(String::as_str).zip(0..).collect();
    let game = |line: &ResultLine| {
        Some(Game {
            first: *places.get(line.first.name.as_str())?,
            second: *places.get(line.second.name.as_str())?,
            result: match line.result {
                Ending::First => Points::First,
                Ending::Second => Points::Second,
                Ending::Draw | Ending::Truncated => Points::Level,
            },
            // Pairs under two seeds are two pairs.
            pair: line.pair.map(|pair| pair ^ line.seed.rotate_left(32)),
            fingerprint: line
                .course
                .as_ref()
                .and_then(|course| u64::from_str_radix(course, 16).ok()),
            fault: line.failed().is_some(),
        })
    };
    lines.iter().filter_map(game).collect()
}

/// The points of player `a` in its complete pairs against `b`, in halves, in the order in which the pairs
/// were planned and not that in which they ended. The first pair that is not complete ends the list.
pub fn pair_scores(lines: &[ResultLine], a: &str, b: &str) -> Vec<u64> {
    let mut pairs = BTreeMap::<u64, [Option<u64>; 2]>::new();
    for line in lines {
        let names = [line.first.name.as_str(), line.second.name.as_str()];
        let (half, sign) = match names {
            [first, second] if first == a && second == b => (0, 1),
            [first, second] if first == b && second == a => (1, -1),
            _ => continue,
        };
        let Some(pair) = line.pair else { continue };
        let points = match line.result {
            Ending::First => 1 + sign,
            Ending::Second => 1 - sign,
            Ending::Draw | Ending::Truncated => 1,
        };
        pairs.entry(pair).or_default()[half] = u64::try_from(points).ok();
    }
    (1..)
        .map_while(|pair| {
            pairs
                .get(&pair)
                .and_then(|&[first, second]| Some(first? + second?))
        })
        .collect()
}

/// Rates result lines from any source.
pub fn rate(text: &str, anchor: Option<&str>) -> (Collection, Standings) {
    let collection = Collection::read(text);
    let names: Vec<_> = collection
        .players()
        .into_iter()
        .map(|player| player.name)
        .collect();
    let anchor = anchor.and_then(|anchor| names.iter().position(|name| name == anchor));
    let standings = Standings::of(&names, &games(&names, &collection.lines), anchor);
    (collection, standings)
}
