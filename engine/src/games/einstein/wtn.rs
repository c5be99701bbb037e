//! Game records of the Chinese contest for EinStein (tag WTN), read and written (N.5).
//!
//! ```text
//! #[first][second][result][date place][year event];
//! R:A5-1;B5-2;C5-3;A4-4;B4-5;A3-6
//! B:E1-1;D1-2;C1-3;E2-4;D2-5;E3-6
//! 1:4;(R4,B3)
//! 2:6;(B6,D4)
//! ```

use super::geometry::{CUBES, Cube, SIZE, Square, zone};
use super::moves::Ply;
use super::state::{Einstein, Phase};
use super::text::COLOUR;
use crate::game::{Game, Roll, Side, Status};
use crate::text::{Point, TextError};

/// A contest game: who played, from which set-up, and each roll with its move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The five fields of the first line: first player, second player, result, date and place, year and event.
    pub header: [String; 5],
    /// The position before the first roll.
    pub start: Einstein,
    /// The game's plies, all legal.
    pub plies: Vec<(Roll, Ply)>,
}

impl Record {
    /// Writes the record.
    pub fn write(&self) -> String {
        let mut text = String::from("#");
        for field in &self.header {
            text.push_str(&format!("[{field}]"));
        }
        text.push_str(";\n");
        for side in Side::BOTH {
            let placed: Vec<_> = zone(side)
                .into_iter()
                .filter_map(|square| {
                    let cube = self.start.cubes[side.index()].cube_on(square)?;
                    Some(format!("{}-{}", square.point().name(), cube.0 + 1))
                })
                .collect();
            text.push_str(&format!("{}:{}\n", COLOUR[side.index()], placed.join(";")));
        }
        let mut mover = self.start.mover;
        for (number, &(roll, ply)) in (1..).zip(&self.plies) {
            let (Ply::Step { cube, to: square } | Ply::Place { cube, square }) = ply;
            text.push_str(&format!(
                "{number}:{};({}{},{})\n",
                roll.0 + 1,
                COLOUR[mover.index()],
                cube.0 + 1,
                square.point().name()
            ));
            mover = mover.other();
        }
        text
    }

    /// Reads a record and plays it through. The first ply's colour says who moves first.
    ///
    /// # Errors
    /// Names line and column of what cannot be read and of an illegal ply.
    pub fn read(text: &str) -> Result<Record, TextError> {
        let mut lines = (1..)
            .zip(text.lines())
            .map(|(number, line)| (number, line.trim_end()))
            .filter(|(_, line)| !line.is_empty());
        let mut next = |what: &str| {
            lines.next().ok_or_else(|| {
                let end = text.lines().count().max(1);
                TextError::at(1, format!("the record ends before {what}")).on_line(end)
            })
        };
        let (number, line) =
            next("its first line #[first][second][result][date place][year event];")?;
        let header = read_header(line).map_err(|error| error.on_line(number))?;
        let mut start = Einstein::PLACING;
        for side in Side::BOTH {
            let (number, line) = next("both set-up lines")?;
            read_setup(&mut start, side, line).map_err(|error| error.on_line(number))?;
        }
        start.phase = Phase::Rolling;
        let mut game = start;
        let mut plies = Vec::new();
        for (number, line) in lines {
            if plies.is_empty() && line.contains(&format!("({}", COLOUR[Side::Second.index()])) {
                start.mover = Side::Second;
                game.mover = Side::Second;
            }
            let ply = read_line(&mut game, plies.len() + 1, line);
            plies.push(ply.map_err(|error| error.on_line(number))?);
        }
        Ok(Record {
            header,
            start,
            plies,
        })
    }

    /// The position after the last ply.
    pub fn end(&self) -> Einstein {
        let mut game = self.start;
        for &(roll, ply) in &self.plies {
            game.settle(roll);
            game.play(ply);
        }
        game
    }
}

fn read_header(line: &str) -> Result<[String; 5], TextError> {
    let form = || {
        TextError::at(
            1,
            "the first line is #[first][second][result][date place][year event];",
        )
    };
    let fields = line
        .strip_prefix("#[")
        .and_then(|rest| rest.trim_end_matches(';').strip_suffix(']'))
        .ok_or_else(form)?;
    let fields: Vec<_> = fields.split("][").map(str::to_string).collect();
    fields.try_into().map_err(|_| form())
}

fn read_setup(start: &mut Einstein, side: Side, line: &str) -> Result<(), TextError> {
    let colour = COLOUR[side.index()];
    let entries = line.strip_prefix(&format!("{colour}:")).ok_or_else(|| {
        TextError::at(
            1,
            format!("the set-up line of {colour} begins with {colour}:"),
        )
    })?;
    let mut column = 3;
    for entry in entries.trim_end_matches(';').split(';') {
        let error = |message: String| TextError::at(column, message);
        let (name, number) = entry
            .split_once('-')
            .ok_or_else(|| error(format!("'{entry}' is not of the form A5-1")))?;
        let square = Point::parse(name, SIZE).map_err(|wrong| wrong.shifted(column - 1))?;
        let square = Square::of(square);
        let cube = match number.parse::<u8>() {
            Ok(number @ 1..=6) => Cube(number - 1),
            _ => return Err(error(format!("'{entry}' does not name a cube from 1 to 6"))),
        };
        let lanes = &mut start.cubes[side.index()];
        if !zone(side).contains(&square) || lanes.cube_on(square).is_some() {
            return Err(error(format!(
                "{entry}: not a free point of {colour}'s home zone"
            )));
        }
        if lanes.square(cube).is_some() {
            return Err(error(format!("{entry}: the cube is placed twice")));
        }
        lanes.put(cube, square);
        column += entry.chars().count() + 1;
    }
    let placed = start.alive(side).count_ones() as usize;
    if placed != CUBES {
        return Err(TextError::at(
            1,
            format!("{colour} places {placed} cubes where {CUBES} are needed"),
        ));
    }
    Ok(())
}

/// Reads `n:die;(R4,B3)` and plays it.
fn read_line(game: &mut Einstein, number: usize, line: &str) -> Result<(Roll, Ply), TextError> {
    if let Status::Over(_) = game.status() {
        return Err(TextError::at(1, "the game is over before this line"));
    }
    let (head, rest) = line
        .split_once(':')
        .filter(|(head, _)| *head == number.to_string())
        .ok_or_else(|| {
            TextError::at(1, format!("the line of ply {number} begins with {number}:"))
        })?;
    let die_at = head.chars().count() + 2;
    let (die, ply) = rest
        .split_once(";(")
        .and_then(|(die, ply)| Some((die, ply.trim_end_matches(';').strip_suffix(')')?)))
        .ok_or_else(|| TextError::at(die_at, "a ply is written n:die;(R4,B3)"))?;
    let roll = match die.parse::<u8>() {
        Ok(face @ 1..=6) => Roll(face - 1),
        _ => {
            return Err(TextError::at(
                die_at,
                format!("the die is 1 to 6, not '{die}'"),
            ));
        }
    };
    let ply_at = die_at + die.chars().count() + 2;
    let (cube, target) = ply
        .split_once(',')
        .ok_or_else(|| TextError::at(ply_at, "a move is written (R4,B3)"))?;
    let to =
        Point::parse(target, SIZE).map_err(|error| error.shifted(ply_at + cube.chars().count()))?;
    let colour = COLOUR[game.mover.index()];
    let cube = match cube.strip_prefix(colour).map(str::parse::<u8>) {
        Some(Ok(cube @ 1..=6)) => Cube(cube - 1),
        _ => {
            return Err(TextError::at(
                ply_at,
                format!("'{cube}' is not a cube of the mover {colour}"),
            ));
        }
    };
    let mut rolled = *game;
    rolled.settle(roll);
    let ply = Ply::Step {
        cube,
        to: Square::of(to),
    };
    rolled
        .try_play(ply)
        .map_err(|illegal| TextError::at(ply_at, illegal.to_string()))?;
    *game = rolled;
    Ok((roll, ply))
}
