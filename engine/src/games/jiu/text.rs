//! Position texts of Jiu (N.2, N.3), those of a turn in progress included, and the drawn board.

use super::ply::Spot;
use super::possible::{check_counts, check_layout, hop_complaint, lift_complaint, take_complaint};
use super::state::{Due, Jiu, Phase};
use super::turn::FEWEST_STONES;
use super::variant::Variant;
use crate::game::{Game, Side, Status};
use crate::text::{self, Point, TextError};

/// The letter of a side's stones in a board text and of the side to move.
pub(super) fn letter(side: Side) -> char {
    match side {
        Side::First => 'w',
        Side::Second => 'b',
    }
}

/// The name of a side's colour.
pub(super) fn colour(side: Side) -> &'static str {
    match side {
        Side::First => "White",
        Side::Second => "Black",
    }
}

pub(super) fn write(game: &Jiu) -> String {
    let board = text::write_board(game.size(), |point| stone_letter(game, point));
    let side = letter(game.side);
    let phase = match game.phase {
        Phase::Layout => "layout",
        Phase::Battle => "battle",
    };
    let in_turn = match game.due {
        Due::Placement | Due::Turn | Due::End(_) => String::new(),
        Due::Drop { origin } => format!(" drop {}", origin.name()),
        Due::Hop { at, jumped, origin } => {
            format!(" hop {} {jumped} {}", at.name(), origin.name())
        }
        Due::Take { owed } => format!(" take {owed}"),
    };
    format!("{board} {side} {phase}{in_turn}")
}

pub(super) fn draw(game: &Jiu) -> String {
    let mut drawing = String::new();
    for row in (0..game.size()).rev() {
        drawing.push_str(&format!("{:>2}", row + 1));
        for column in 0..game.size() {
            let stone = stone_letter(game, Point { column, row });
            drawing.push(' ');
            drawing.push(stone.unwrap_or('.'));
        }
        drawing.push('\n');
    }
    drawing.push_str("  ");
    for column in 0..game.size() {
        drawing.push(' ');
        drawing.push(char::from(b'A' + column));
    }
    let next = match game.status() {
        Status::Over(outcome) => format!("over: {outcome:?}"),
        _ => format!("{} to play", colour(game.side)),
    };
    drawing.push_str(&format!("\n{next}, quiet turns {}\n", game.quiet_turns()));
    drawing
}

fn stone_letter(game: &Jiu, point: Point) -> Option<char> {
    let bit = Spot::new(point.column, point.row).0;
    let owner = Side::BOTH
        .into_iter()
        .find(|&side| game.stones(side).has(bit));
    owner.map(letter)
}

pub(super) fn parse(text: &str, variant: &Variant) -> Result<Jiu, TextError> {
    let fields = text::fields(text, field_names(text))?;
    let (board_at, board) = fields[0];
    let (phase_at, phase) = fields[2];
    let mut game = read_stones(board, variant).map_err(|error| error.shifted(board_at - 1))?;
    game.side = match fields[1] {
        (_, "w") => Side::First,
        (_, "b") => Side::Second,
        (at, other) => {
            return Err(TextError::at(
                at,
                format!("the side '{other}' is not b or w"),
            ));
        }
    };
    match phase {
        "layout" => check_layout(&game).map_err(|error| error.shifted(fields[1].0 - 1))?,
        "battle" => {
            game.phase = Phase::Battle;
            game.due = Due::Turn;
        }
        other => {
            return Err(TextError::at(
                phase_at,
                format!("the phase '{other}' is not layout or battle"),
            ));
        }
    }
    match (game.phase, &fields[3..]) {
        (Phase::Layout, []) => Ok(game),
        (Phase::Battle, []) => begin_turn(game, board_at),
        (Phase::Layout, _) => Err(TextError::at(
            fields[3].0,
            "a turn in progress is possible in the battle only",
        )),
        (Phase::Battle, in_turn) => resume_turn(game, board_at, in_turn),
    }
}

fn field_names(text: &str) -> &'static [&'static str] {
    match text.split(' ').filter(|part| !part.is_empty()).nth(3) {
        Some("hop") => &["board", "side", "phase", "hop", "point", "jumped", "origin"],
        Some("drop") => &["board", "side", "phase", "drop", "origin"],
        Some("take") => &["board", "side", "phase", "take", "owed"],
        _ => &["board", "side", "phase"],
    }
}

fn read_stones(board: &str, variant: &Variant) -> Result<Jiu, TextError> {
    let size = board.split('/').count().min(usize::from(u8::MAX)) as u8;
    let mut game = Jiu::empty(&Variant { size, ..*variant })?;
    text::read_board(board, size, |point, letter| {
        let side = match letter {
            'w' => Side::First,
            'b' => Side::Second,
            _ => return Err(format!("'{letter}' is not a stone; stones are b and w")),
        };
        game.stones[side.index()].insert(Spot::new(point.column, point.row).0);
        Ok(())
    })?;
    game.counts = game.stones.map(|stones| stones.count() as u8);
    Ok(game)
}

/// A position at the start of a turn, ended if J9 says so.
fn begin_turn(mut game: Jiu, board_at: usize) -> Result<Jiu, TextError> {
    check_counts(&game, board_at)?;
    if game.counts[game.side.other().index()] < FEWEST_STONES {
        return Err(TextError::at(
            board_at,
            format!(
                "{0} has won and is not to move: {1} has fewer than 4 stones",
                colour(game.side),
                colour(game.side.other())
            ),
        ));
    }
    game.due = game.judged();
    Ok(game)
}

fn resume_turn(
    mut game: Jiu,
    board_at: usize,
    in_turn: &[(usize, &str)],
) -> Result<Jiu, TextError> {
    let spot = |field: usize| {
        let (at, name) = in_turn[field];
        let read = Spot::parse(name, game.size());
        // A text has one way to be written.
        match read {
            Ok(spot) if spot.name() == name => Ok(spot),
            Ok(spot) => Err(TextError::at(
                at,
                format!("'{name}' is written {}", spot.name()),
            )),
            Err(error) => Err(error.shifted(at - 1)),
        }
    };
    let number = |field: usize| {
        let (at, digits) = in_turn[field];
        match digits.parse::<u8>() {
            Ok(number) if number > 0 && number.to_string() == digits => Ok(number),
            _ => Err(TextError::at(
                at,
                format!("'{digits}' is not a number from 1"),
            )),
        }
    };
    let (due, complaint) = match in_turn[0].1 {
        "drop" => {
            let origin = spot(1)?;
            game.counts[game.side.index()] += 1;
            game.due = Due::Drop { origin };
            (game.due, lift_complaint(&game, origin))
        }
        "hop" => {
            let (at, jumped, origin) = (spot(1)?, number(2)?, spot(3)?);
            game.due = Due::Hop { at, jumped, origin };
            (game.due, hop_complaint(&game, at, jumped, origin))
        }
        _ => {
            let owed = number(1)?;
            game.due = Due::Take { owed };
            (game.due, take_complaint(&game, owed))
        }
    };
    if let Some(complaint) = complaint {
        return Err(TextError::at(in_turn[0].0, complaint));
    }
    check_counts(&game, board_at)?;
    if game.count(game.side) < FEWEST_STONES {
        return Err(TextError::at(
            board_at,
            format!("{} has lost with fewer than 4 stones", colour(game.side)),
        ));
    }
    game.due = due;
    Ok(game)
}
