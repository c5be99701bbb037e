//! Position and move texts of EinStein (N.1–N.4).

use super::geometry::{CUBES, Cube, GOAL, SIZE, Square, zone};
use super::lanes::Lanes;
use super::moves::Ply;
use super::state::{Einstein, Phase};
use crate::game::Side;
use crate::text::{self, Point, TextError};

/// The letters of the sides in move texts and drawings.
pub(super) const COLOUR: [char; 2] = ['R', 'B'];

/// The letters of the sides in the side field.
const SIDE: [&str; 2] = ["r", "b"];

/// The die field while the players place their cubes.
const PLACING: &str = "setup";

/// Writes a position: board, side, and die (`-` before the roll, `setup` while cubes are placed).
pub(super) fn write(game: &Einstein) -> String {
    let board = text::write_board(SIZE, |point| {
        let (side, cube) = game.cube_on(Square::of(point))?;
        let first = match side {
            Side::First => b'A',
            Side::Second => b'a',
        };
        Some(char::from(first + cube.0))
    });
    let die = match game.phase {
        Phase::Placing => PLACING.to_string(),
        Phase::Rolling | Phase::Won(_) => "-".to_string(),
        Phase::Moving(face) => (face + 1).to_string(),
    };
    format!("{board} {} {die}", SIDE[game.mover.index()])
}

/// Reads a position and refuses boards that no game can reach by its cubes.
pub(super) fn read(text: &str) -> Result<Einstein, TextError> {
    let fields = text::fields(text, &["board", "side", "die"])?;
    let (board_at, board) = fields[0];
    let (side_at, side) = fields[1];
    let (die_at, die) = fields[2];
    let cubes = read_cubes(board).map_err(|error| error.shifted(board_at - 1))?;
    let mover = Side::BOTH
        .into_iter()
        .find(|mover| SIDE[mover.index()] == side)
        .ok_or_else(|| TextError::at(side_at, format!("the side is r or b, not '{side}'")))?;
    if die == PLACING {
        return read_placing(cubes, mover).map_err(|error| error.shifted(board_at - 1));
    }
    let winner = winner(&cubes).map_err(|error| error.shifted(board_at - 1))?;
    let phase = match (die, winner) {
        ("-", None) => Phase::Rolling,
        ("-", Some(side)) => Phase::Won(side),
        ("1" | "2" | "3" | "4" | "5" | "6", None) => Phase::Moving(die.as_bytes()[0] - b'1'),
        ("1" | "2" | "3" | "4" | "5" | "6", Some(_)) => {
            return Err(TextError::at(
                die_at,
                "the game is over, so the die must be -",
            ));
        }
        _ => {
            let message = format!("the die is 1 to 6, - or {PLACING}, not '{die}'");
            return Err(TextError::at(die_at, message));
        }
    };
    Ok(Einstein {
        cubes,
        mover,
        phase,
    })
}

fn read_cubes(board: &str) -> Result<[Lanes; 2], TextError> {
    let mut cubes = [Lanes::EMPTY; 2];
    text::read_board(board, SIZE, |point, letter| {
        let (side, number) = match letter {
            'A'..='F' => (Side::First, letter as u8 - b'A'),
            'a'..='f' => (Side::Second, letter as u8 - b'a'),
            _ => {
                return Err(format!(
                    "'{letter}' is no cube: Red has A to F, Blue a to f"
                ));
            }
        };
        let lanes = &mut cubes[side.index()];
        if lanes.square(Cube(number)).is_some() {
            return Err(format!("cube {letter} stands on the board twice"));
        }
        lanes.put(Cube(number), Square::of(point));
        Ok(())
    })?;
    Ok(cubes)
}

/// The side that has won by the board alone (E6); at most one can have.
fn winner(cubes: &[Lanes; 2]) -> Result<Option<Side>, TextError> {
    let won = Side::BOTH.map(|side| {
        cubes[side.other().index()] == Lanes::EMPTY
            || cubes[side.index()].cube_on(GOAL[side.index()]).is_some()
    });
    match won {
        [false, false] => Ok(None),
        [true, false] => Ok(Some(Side::First)),
        [false, true] => Ok(Some(Side::Second)),
        [true, true] => Err(TextError::at(1, "both sides have won, which cannot happen")),
    }
}

fn read_placing(cubes: [Lanes; 2], mover: Side) -> Result<Einstein, TextError> {
    let error = |message: String| Err(TextError::at(1, message));
    for side in Side::BOTH {
        let lanes = cubes[side.index()];
        let placed = lanes.alive();
        let in_zone = zone(side)
            .into_iter()
            .filter(|&square| lanes.cube_on(square).is_some())
            .count() as u32;
        if placed.count_ones() != in_zone {
            return error("during the set-up all cubes stand in their home zones".into());
        }
        if placed & (placed + 1) != 0 {
            return error("cubes are placed in the order of their numbers".into());
        }
    }
    let placed = cubes.map(|lanes| lanes.alive().count_ones() as usize);
    let possible = match mover {
        Side::First => placed[0] < CUBES && placed[1] == 0,
        Side::Second => placed[0] == CUBES && placed[1] < CUBES,
    };
    if !possible {
        return error("Red places its six cubes first, then Blue its six".into());
    }
    Ok(Einstein {
        cubes,
        mover,
        phase: Phase::Placing,
    })
}

/// Writes a ply: `R4-B3`, `R4xB3` when any cube stands on the target, `R4@B5` for a placement.
pub(super) fn write_ply(game: &Einstein, ply: Ply) -> String {
    let (cube, square, link) = match ply {
        Ply::Place { cube, square } => (cube, square, '@'),
        Ply::Step { cube, to } if game.cube_on(to).is_some() => (cube, to, 'x'),
        Ply::Step { cube, to } => (cube, to, '-'),
    };
    let colour = COLOUR[game.mover.index()];
    format!("{colour}{}{link}{}", cube.0 + 1, square.point().name())
}

/// Reads a ply of the mover. The mark of a capture must agree with the board.
pub(super) fn read_ply(game: &Einstein, text: &str) -> Result<Ply, TextError> {
    let mut chars = text.chars();
    let colour = chars.next();
    let number = chars.next();
    let link = chars.next();
    let mover = COLOUR[game.mover.index()];
    if colour != Some(mover) {
        return Err(TextError::at(
            1,
            format!("'{text}' does not begin with the mover's {mover}"),
        ));
    }
    let Some(number @ '1'..='6') = number else {
        return Err(TextError::at(
            2,
            format!("'{text}' does not name a cube from 1 to 6"),
        ));
    };
    let cube = Cube(number as u8 - b'1');
    let square = Point::parse(chars.as_str(), SIZE).map_err(|error| error.shifted(3))?;
    let square = Square::of(square);
    match link {
        Some('@') => Ok(Ply::Place { cube, square }),
        Some('-') if game.cube_on(square).is_some() => Err(TextError::at(
            3,
            format!("{text}: a cube stands there, so the move is written with x"),
        )),
        Some('x') if game.cube_on(square).is_none() => Err(TextError::at(
            3,
            format!("{text}: nothing stands there, so the move is written with -"),
        )),
        Some('-' | 'x') => Ok(Ply::Step { cube, to: square }),
        _ => Err(TextError::at(
            3,
            format!("'{text}' has no -, x or @ after the cube"),
        )),
    }
}
