//! What a ladder shows: a table, `ladder.json`, a Markdown table and a page.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context;
use serde::Serialize;

use super::html;
use super::line::{Contestant, Ending, FORMAT, ResultLine, games};
use crate::rating::{Bearing, Line, SprtReport, Standings};

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
    /// Writes `ladder.json`, `ladder.md` and `ladder.html`.
    ///
    /// # Errors
    /// The operating system's reason, with the path.
    pub fn write(&self, folder: &Path) -> anyhow::Result<()> {
        let json = serde_json::to_string_pretty(self)?;
        for (name, text) in [
            ("ladder.json", json),
            ("ladder.md", markdown(&self.standings, &self.remarks())),
            ("ladder.html", html::page(self)),
        ] {
            let path = folder.join(name);
            models::frame::write_whole(&path, text.as_bytes())
                .with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(())
    }

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

/// Puts a `ladder.json` that is no report of this format aside, so that it is not written over.
pub(super) fn keep_foreign(folder: &Path) -> anyhow::Result<()> {
    let path = folder.join("ladder.json");
    let Ok(text) = std::fs::read_to_string(&path) else {
        return Ok(());
    };
    let found: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    if found["format"] == FORMAT {
        return Ok(());
    }
    let aside = (1..)
        .map(|number| folder.join(format!("ladder-old-{number}.json")))
        .find(|aside| !aside.exists())
        .expect("some name is free");
    std::fs::rename(&path, &aside).with_context(|| format!("cannot rename {}", path.display()))?;
    eprintln!(
        "{} is of another format and is kept as {}",
        path.display(),
        aside.display()
    );
    Ok(())
}

/// A rating as text: a number, a bound, or nothing that can be said.
pub(super) fn rating(line: &Line) -> String {
    match (line.bearing, line.rating, line.interval) {
        (Bearing::Anchor, ..) => "0 (anchor)".into(),
        (_, Some(rating), _) => format!("{rating:+.0}"),
        (_, None, [Some(low), None]) => format!("at least {low:+.0}"),
        (_, None, [None, Some(high)]) => format!("at most {high:+.0}"),
        (_, None, [Some(low), Some(high)]) => format!("{low:+.0} to {high:+.0}"),
        (_, None, [None, None]) => "no number".into(),
    }
}

fn interval(line: &Line) -> String {
    match line.interval {
        [Some(low), Some(high)] if line.bearing == Bearing::Rated => {
            format!("{low:+.0} to {high:+.0}")
        }
        _ => "–".into(),
    }
}

const HEADS: [&str; 9] = [
    "player",
    "Elo",
    "95 % interval",
    "above",
    "games",
    "distinct",
    "W-D-L",
    "faults",
    "than the next",
];

fn cells(line: &Line) -> [String; 9] {
    [
        line.player.clone(),
        rating(line),
        interval(line),
        line.anchor.clone(),
        line.games.to_string(),
        line.distinct_games.to_string(),
        format!("{}-{}-{}", line.wins, line.draws, line.losses),
        line.faults.to_string(),
        line.against_next.unwrap_or("").to_string(),
    ]
}

/// The standings for the terminal. Each line is in the view of the player that it names.
pub fn table(standings: &Standings, remarks: &[String]) -> String {
    let rows: Vec<_> = standings.players.iter().map(cells).collect();
    let heads = HEADS.map(str::to_string);
    let width = |column: usize| {
        let cells = rows
            .iter()
            .chain([&heads])
            .map(|row| row[column].chars().count());
        cells.max().unwrap_or(0)
    };
    let widths: Vec<_> = (0..HEADS.len()).map(width).collect();
    let mut text = String::new();
    for row in [&heads].into_iter().chain(&rows) {
        for (cell, width) in row.iter().zip(&widths) {
            text += &format!("{cell:<width$}  ");
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    text + &remarks.join("\n") + "\n"
}

/// What the table cannot hold.
pub fn remarks(standings: &Standings) -> Vec<String> {
    let mut remarks = vec![format!(
        "{} games, distinct games: {}; each line in the view of its player, Elo above the player named",
        standings.games, standings.distinct_games
    )];
    if let Some(first) = &standings.first_move {
        let [low, high] = first.interval;
        remarks.push(format!(
            "first move: {:+.0} Elo, 95 % interval {low:+.0} to {high:+.0}: {}",
            first.elo, first.verdict
        ));
    }
    for ring in &standings.cycles {
        let ring: Vec<_> = ring
            .iter()
            .chain(ring.first())
            .map(String::as_str)
            .collect();
        remarks.push(format!(
            "cycle: {}: no single number shows this",
            ring.join(" beats ")
        ));
    }
    for couple in &standings.couples {
        if couple.verdict.starts_with("not counted") {
            remarks.push(format!(
                "{} against {}: distinct games: {}; {}",
                couple.a, couple.b, couple.distinct_games, couple.verdict
            ));
        }
    }
    remarks
}

/// The standings as a Markdown table.
fn markdown(standings: &Standings, remarks: &[String]) -> String {
    let mut text = format!(
        "| {} |\n|{}\n",
        HEADS.join(" | "),
        "---|".repeat(HEADS.len())
    );
    for line in &standings.players {
        let cells = cells(line).map(|cell| cell.replace('|', "\\|"));
        text += &format!("| {} |\n", cells.join(" | "));
    }
    text + "\n" + &remarks.join("\n\n") + "\n"
}
