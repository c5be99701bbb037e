//! Position and move texts (N.2 to N.4).

use super::board::{MOST_STONES, SIZE, Square};
use super::moves::Move;
use super::state::Surakarta;
use super::variant::Variant;
use crate::game::Side;
use crate::text::{TextError, fields, read_board, write_board};

/// The letter of a side's stones, and of the side itself.
pub(super) const fn letter(side: Side) -> char {
    match side {
        Side::First => 'r',
        Side::Second => 'b',
    }
}

fn side(letter: &str) -> Option<Side> {
    match letter {
        "r" => Some(Side::First),
        "b" => Some(Side::Second),
        _ => None,
    }
}

pub(super) fn write(position: &Surakarta) -> String {
    let board = write_board(SIZE, |point| {
        position.stone(Square::from_point(point)).map(letter)
    });
    format!("{board} {} {}", letter(position.mover), position.quiet)
}

pub(super) fn read(text: &str, variant: &Variant) -> Result<Surakarta, TextError> {
    let fields = fields(text, &["board", "side", "plies since the last capture"])?;
    let (board_at, board) = fields[0];
    let (mover_at, mover) = fields[1];
    let (quiet_at, quiet) = fields[2];
    let stones = read_stones(board).map_err(|error| error.shifted(board_at - 1))?;
    let mover = side(mover).ok_or_else(|| {
        TextError::at(
            mover_at,
            format!("the side to move is r or b, not '{mover}'"),
        )
    })?;
    let quiet = read_quiet(quiet, variant).map_err(|error| error.shifted(quiet_at - 1))?;
    Surakarta::of(stones, mover, quiet, variant)
}

fn read_stones(board: &str) -> Result<[u64; 2], TextError> {
    let mut stones = [0_u64; 2];
    read_board(board, SIZE, |point, stone| {
        let side = side(stone.encode_utf8(&mut [0; 4]))
            .ok_or_else(|| format!("a stone is r or b, not '{stone}'"))?;
        let set = &mut stones[side.index()];
        *set |= Square::from_point(point).mask();
        if set.count_ones() > MOST_STONES {
            return Err(format!("a side has at most {MOST_STONES} stones"));
        }
        Ok(())
    })?;
    Ok(stones)
}

fn read_quiet(text: &str, variant: &Variant) -> Result<u16, TextError> {
    let plain =
        text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    let quiet = text
        .parse::<u16>()
        .ok()
        .filter(|_| plain)
        .ok_or_else(|| TextError::at(1, format!("'{text}' is not a number of plies")))?;
    if quiet > variant.quiet_limit {
        return Err(TextError::at(
            1,
            format!(
                "the game ends after {} plies without a capture, {quiet} are too many",
                variant.quiet_limit
            ),
        ));
    }
    Ok(quiet)
}

pub(super) fn write_move(mv: Move) -> String {
    let sign = if mv.captures { 'x' } else { '-' };
    format!("{}{sign}{}", mv.from.name(), mv.to.name())
}

/// A move, and for a capture the exit points of its flight (S10): `C2xB4 (F2 D6)`.
pub(super) fn describe_move(position: &Surakarta, mv: Move) -> String {
    let text = write_move(mv);
    match position.exits(mv) {
        Some(route) => format!("{text} ({})", route.text()),
        None => text,
    }
}

pub(super) fn read_move(text: &str) -> Result<Move, TextError> {
    let (from, captures, to) = text
        .split_once('-')
        .map(|(from, to)| (from, false, to))
        .or_else(|| text.split_once('x').map(|(from, to)| (from, true, to)))
        .ok_or_else(|| {
            TextError::at(1, format!("'{text}' is not a move such as C3-C4 or C3xD4"))
        })?;
    let to_at = from.chars().count() + 1;
    Ok(Move {
        from: Square::parse(from)?,
        to: Square::parse(to).map_err(|error| error.shifted(to_at))?,
        captures,
    })
}
