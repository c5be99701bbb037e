//! Boards drawn in the tests.

use engine::Game;
use engine::games::jiu::{Jiu, Variant};

/// A 14×14 battle whose lower left corner is drawn; three full rows at the top, where no stone stands in
/// a square, hold 21 stones of each side.
pub(crate) fn cases(side: char, drawing: &str) -> Jiu {
    let filler = "bwbwbwbwbwbwbw\nwbwbwbwbwbwbwb\nbwbwbwbwbwbwbw";
    let rows: Vec<_> = drawing
        .lines()
        .filter(|row| !row.trim().is_empty())
        .collect();
    let gap = ". . . . . . . . . . . . . .\n".repeat(11 - rows.len());
    battle(14, side, &format!("{filler}\n{gap}{}", rows.join("\n")))
}

/// A battle on a drawn board; rows may stop short of the right edge.
pub(crate) fn battle(size: usize, side: char, drawing: &str) -> Jiu {
    Jiu::parse(&text(size, side, "battle", drawing), &Variant::default()).unwrap()
}

/// The position text of a drawn board.
pub(crate) fn text(size: usize, side: char, phase: &str, drawing: &str) -> String {
    let row = |row: &str| {
        let mut points: String = row.chars().filter(|c| !c.is_whitespace()).collect();
        points.extend(std::iter::repeat_n('.', size - points.len()));
        let mut text = String::new();
        let mut empty = 0;
        for point in points.chars() {
            if point == '.' {
                empty += 1;
                continue;
            }
            if empty > 0 {
                text.push_str(&empty.to_string());
            }
            empty = 0;
            text.push(point);
        }
        if empty > 0 {
            text.push_str(&empty.to_string());
        }
        text
    };
    let rows = drawing.lines().filter(|row| !row.trim().is_empty());
    let rows: Vec<_> = rows.map(row).collect();
    format!("{} {side} {phase}", rows.join("/"))
}

/// Plays whole turns given as texts.
pub(crate) fn play(game: &mut Jiu, turns: &[&str]) {
    for turn in turns {
        for ply in game.turn_plies(turn).unwrap() {
            game.try_play(ply).unwrap();
        }
    }
}

/// The texts of the legal plies, sorted.
pub(crate) fn plies(game: &Jiu) -> Vec<String> {
    let mut legal = Vec::new();
    game.moves(&mut legal);
    let mut texts: Vec<_> = legal.iter().map(|&ply| game.move_text(ply)).collect();
    texts.sort();
    texts
}
