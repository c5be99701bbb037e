//! Standings as text: tables for the terminal and in Markdown, and what no table can hold.

use crate::rating::{Bearing, Couple, Line, Standings};

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

const COUPLE_HEADS: [&str; 7] = [
    "A",
    "B",
    "W-D-L of A",
    "score",
    "95 % interval",
    "distinct",
    "verdict",
];

fn couple_cells(couple: &Couple) -> [String; 7] {
    let [low, high] = couple.interval.map(|share| 100.0 * share);
    [
        couple.a.clone(),
        couple.b.clone(),
        format!("{}-{}-{}", couple.wins, couple.draws, couple.losses),
        format!("{:.1} %", 100.0 * couple.score),
        format!("{low:.1} to {high:.1} %"),
        couple.distinct_games.to_string(),
        couple.verdict.to_string(),
    ]
}

/// Couples up to which the terminal shows each match; `ladder.md` has all.
const MOST_COUPLES: usize = 12;

/// The standings for the terminal, and the matches if they are not too many. Each line is in the view of
/// the player that it names first.
pub fn table(standings: &Standings, remarks: &[String]) -> String {
    let players: Vec<_> = standings.players.iter().map(cells).collect();
    let couples: Vec<_> = standings.couples.iter().map(couple_cells).collect();
    let mut text = aligned(HEADS, &players);
    if couples.len() <= MOST_COUPLES {
        text += "\n";
        text += &aligned(COUPLE_HEADS, &couples);
    }
    text + "\n" + &remarks.join("\n") + "\n"
}

fn aligned<const N: usize>(heads: [&str; N], rows: &[[String; N]]) -> String {
    let heads = heads.map(str::to_string);
    let width = |column: usize| {
        let cells = rows
            .iter()
            .chain([&heads])
            .map(|row| row[column].chars().count());
        cells.max().unwrap_or(0)
    };
    let widths: Vec<_> = (0..N).map(width).collect();
    let mut text = String::new();
    for row in [&heads].into_iter().chain(rows) {
        for (cell, width) in row.iter().zip(&widths) {
            text += &format!("{cell:<width$}  ");
        }
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    text
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

/// The standings and the matches as Markdown tables.
pub(super) fn markdown(standings: &Standings, remarks: &[String]) -> String {
    let players = standings.players.iter().map(cells);
    let couples = standings.couples.iter().map(couple_cells);
    marked(HEADS, players)
        + "\n"
        + &marked(COUPLE_HEADS, couples)
        + "\n"
        + &remarks.join("\n\n")
        + "\n"
}

fn marked<const N: usize>(heads: [&str; N], rows: impl Iterator<Item = [String; N]>) -> String {
    let mut text = format!("| {} |\n|{}\n", heads.join(" | "), "---|".repeat(N));
    for row in rows {
        let cells = row.map(|cell| cell.replace('|', "\\|"));
        text += &format!("| {} |\n", cells.join(" | "));
    }
    text
}
