//! Position texts of Jiu (N.2, N.3), those of a turn in progress included, and the drawn board.

use super::ply::Spot;
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

/// J2: columns of the errors count from the side's field.
fn check_layout(game: &Jiu) -> Result<(), TextError> {
    let [white, black] = game.counts;
    let complaint = |message: String| Err(TextError::at(1, message));
    let to_place = match white.checked_sub(black) {
        Some(0) => Side::First,
        Some(1) => Side::Second,
        _ => {
            return complaint(format!(
                "the layout cannot have {white} white and {black} black stones"
            ));
        }
    };
    if game.vacant().is_empty() {
        return complaint("the layout ends when the board is full".into());
    }
    if game.side != to_place {
        return complaint(format!(
            "{} places next after {white} white and {black} black stones",
            colour(to_place)
        ));
    }
    let central = game.stones.map(|stones| (stones & game.central()).count());
    if central != [u32::from(white.min(1)), u32::from(black.min(1))] {
        return complaint("White and then Black place their first stones on the centre".into());
    }
    Ok(())
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

fn check_counts(game: &Jiu, board_at: usize) -> Result<(), TextError> {
    let most = game.variant.most_stones();
    for side in Side::BOTH {
        let enemy_jumped = if side == game.side { 0 } else { game.jumped() };
        let count = game.count(side) + enemy_jumped;
        if count > most {
            return Err(TextError::at(
                board_at,
                format!(
                    "{} cannot have had {count} stones in the battle, at most {most}",
                    colour(side)
                ),
            ));
        }
    }
    Ok(())
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

/// Why a stone cannot have been lifted from `origin`.
fn lift_complaint(game: &Jiu, origin: Spot) -> Option<String> {
    let complaint = if !game.vacant().has(origin.0) {
        format!("the lifted stone left {} empty", origin.name())
    } else if !game.flies(game.side) {
        format!("{} has too many stones to fly", colour(game.side))
    } else if game.count(game.side.other()) < FEWEST_STONES {
        format!(
            "{} has lost with fewer than 4 stones",
            colour(game.side.other())
        )
    } else {
        return None;
    };
    Some(complaint)
}

/// Why no chain can be where the text says, or cannot go on.
fn hop_complaint(game: &Jiu, at: Spot, jumped: u8, origin: Spot) -> Option<String> {
    let across = at.column().abs_diff(origin.column());
    let along = at.row().abs_diff(origin.row());
    let least_hops = (across + along) / 2;
    let reachable = across.is_multiple_of(2)
        && along.is_multiple_of(2)
        && least_hops <= jumped
        && (jumped - least_hops).is_multiple_of(2)
        && (at != origin || jumped >= 4);
    let mut hops = Jiu::hops(at, game.enemy(), game.vacant());
    let complaint = if !game.own().has(at.0) {
        format!("{} has no stone on {}", colour(game.side), at.name())
    } else if at != origin && !game.vacant().has(origin.0) {
        format!("the chain left {} empty", origin.name())
    } else if !reachable {
        format!(
            "no chain of {jumped} leads from {} to {}",
            origin.name(),
            at.name()
        )
    } else if u16::from(game.count(game.side.other())) + u16::from(jumped)
        > u16::from(game.variant.most_stones())
    {
        format!("{} had fewer stones than that", colour(game.side.other()))
    } else if game.count(game.side.other()) + jumped < FEWEST_STONES {
        "the game was over before this turn".into()
    } else if hops.next().is_none() {
        format!("the chain on {} cannot go on and has ended", at.name())
    } else {
        return None;
    };
    Some(complaint)
}

/// Why that many stones cannot be owed.
fn take_complaint(game: &Jiu, owed: u8) -> Option<String> {
    let own = game.own();
    let most = if game.flies(game.side) { 4 } else { 2 };
    let made = own.iter().map(|at| own.cells_at(at)).max().unwrap_or(0);
    let complaint = if owed > most {
        format!("{} can be owed {most} stones at most", colour(game.side))
    } else if made < u32::from(owed) {
        format!("no stone lies in {owed} squares of {}", colour(game.side))
    } else if owed >= game.count(game.side.other()) {
        "as many stones as the enemy has left are taken at once".into()
    } else {
        return None;
    };
    Some(complaint)
}
