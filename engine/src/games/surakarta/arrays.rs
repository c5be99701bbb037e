//! The arrays Board\[36\], IDBoard\[36\] and Pieces\[24\] of the seed programs (N.5).
//!
//! All count squares row by row from A6 = 0 to F1 = 35. Pieces 1–12 are Black's, 13–24 Red's,
//! numbered in that order in the start position.

use std::fmt::Display;

use super::board::{POINTS, Square};
use super::moves::Move;
use super::state::Surakarta;
use super::variant::Variant;
use crate::game::Side;
use crate::text::TextError;

const PIECES: usize = 24;
const PIECES_A_SIDE: usize = 12;

/// What `Pieces` holds for a captured piece in the text form.
const CAPTURED: i64 = -1;

/// The stones of a position as numbered pieces. The three arrays always agree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arrays {
    /// The piece on each square, 0 where it is empty.
    ids: [u8; POINTS],
    /// The square of each piece; `None` if it has been captured.
    pieces: [Option<u8>; PIECES],
}

impl Arrays {
    /// Numbers the stones of a position in the order of the squares; each side's last numbers
    /// count as captured. The numbers that pieces had earlier in the game are not known.
    pub fn of(position: &Surakarta) -> Arrays {
        let mut arrays = Arrays {
            ids: [0; POINTS],
            pieces: [None; PIECES],
        };
        let mut next = [PIECES_A_SIDE as u8 + 1, 1];
        for cell in 0..POINTS {
            if let Some(side) = position.stone(Square::of_cell(cell)) {
                arrays.put(next[side.index()], cell);
                next[side.index()] += 1;
            }
        }
        arrays
    }

    /// Follows a legal move, each piece keeping its number.
    pub fn play(&mut self, mv: Move) {
        let moved = self.ids[mv.from.cell()];
        let taken = self.ids[mv.to.cell()];
        assert!(moved != 0, "a piece stands where a move begins");
        if taken != 0 {
            self.pieces[usize::from(taken) - 1] = None;
        }
        self.ids[mv.from.cell()] = 0;
        self.put(moved, mv.to.cell());
    }

    fn put(&mut self, id: u8, cell: usize) {
        self.ids[cell] = id;
        self.pieces[usize::from(id) - 1] = Some(cell as u8);
    }

    /// `Board[36]`: −1 for Black, 1 for Red, 0 for an empty point.
    pub fn board(&self) -> [i8; POINTS] {
        self.ids.map(|id| match side(id) {
            None => 0,
            Some(Side::First) => 1,
            Some(Side::Second) => -1,
        })
    }

    /// `IDBoard[36]`: the number of the piece on each square, 1 to 24, or 0.
    pub fn id_board(&self) -> &[u8; POINTS] {
        &self.ids
    }

    /// `Pieces[24]`: the square of each piece, 0 to 35, or `None` if it has been captured.
    pub fn pieces(&self) -> &[Option<u8>; PIECES] {
        &self.pieces
    }

    /// The position with these stones. The arrays do not say the side to move or the plies since
    /// the last capture.
    ///
    /// # Errors
    /// No stones at all, or a number of plies that the variant does not have.
    pub fn position(
        &self,
        mover: Side,
        quiet: u16,
        variant: &Variant,
    ) -> Result<Surakarta, TextError> {
        let mut stones = [0; 2];
        for (cell, &id) in self.ids.iter().enumerate() {
            if let Some(side) = side(id) {
                stones[side.index()] |= Square::of_cell(cell).mask();
            }
        }
        Surakarta::of(stones, mover, quiet, variant)
    }

    /// The three arrays as three lines, `Board[36]=-1,-1,…`; a captured piece is −1.
    pub fn text(&self) -> String {
        let squares = self.pieces.map(|square| square.map_or(CAPTURED, i64::from));
        format!(
            "{}={}\n{}={}\n{}={}\n",
            NAMES[0],
            joined(&self.board()),
            NAMES[1],
            joined(&self.ids),
            NAMES[2],
            joined(&squares)
        )
    }

    /// Reads the three lines that [`Arrays::text`] writes.
    ///
    /// # Errors
    /// What cannot be read, and arrays that contradict each other, with line and column.
    pub fn parse(text: &str) -> Result<Arrays, TextError> {
        let lines: Vec<_> = text.lines().collect();
        let [board, ids, pieces] = lines[..] else {
            let wanted = NAMES.join(", ");
            return Err(
                TextError::at(1, format!("three lines are needed: {wanted}"))
                    .on_line(lines.len().clamp(1, 4)),
            );
        };
        let board = read_line(board, 0, POINTS, -1..=1)?;
        let ids = read_line(ids, 1, POINTS, 0..=PIECES as i64)?;
        let pieces = read_line(pieces, 2, PIECES, CAPTURED..=POINTS as i64 - 1)?;
        let arrays = from_ids(&ids)?;
        agree(&board, &arrays.board().map(i64::from), "IDBoard")?;
        let squares = arrays.pieces.map(|cell| cell.map_or(CAPTURED, i64::from));
        agree(&pieces, &squares, "IDBoard")?;
        Ok(arrays)
    }
}

const NAMES: [&str; 3] = ["Board[36]", "IDBoard[36]", "Pieces[24]"];

fn side(id: u8) -> Option<Side> {
    match usize::from(id) {
        0 => None,
        1..=PIECES_A_SIDE => Some(Side::Second),
        _ => Some(Side::First),
    }
}

fn joined(numbers: &[impl Display]) -> String {
    let texts: Vec<_> = numbers.iter().map(|number| number.to_string()).collect();
    texts.join(",")
}

/// A number and where it stands.
struct Entry {
    number: i64,
    line: usize,
    column: usize,
}

impl Entry {
    fn error(&self, message: String) -> TextError {
        TextError::at(self.column, message).on_line(self.line)
    }
}

fn read_line(
    text: &str,
    index: usize,
    count: usize,
    range: std::ops::RangeInclusive<i64>,
) -> Result<Vec<Entry>, TextError> {
    let (name, line) = (NAMES[index], index + 1);
    let numbers = text
        .strip_prefix(name)
        .and_then(|rest| rest.strip_prefix('='))
        .ok_or_else(|| TextError::at(1, format!("the line begins with {name}=")).on_line(line))?;
    let mut column = name.len() + 2;
    let mut entries = Vec::new();
    for part in numbers.split(',') {
        let entry = |number| Entry {
            number,
            line,
            column,
        };
        let number = part.trim().parse().ok();
        let number = number
            .filter(|number| range.contains(number))
            .ok_or_else(|| {
                entry(0).error(format!(
                    "'{part}' is not a number from {} to {}",
                    range.start(),
                    range.end()
                ))
            })?;
        entries.push(entry(number));
        column += part.chars().count() + 1;
    }
    if entries.len() != count {
        let message = format!("{name} has {} numbers, not {count}", entries.len());
        return Err(TextError::at(1, message).on_line(line));
    }
    Ok(entries)
}

fn from_ids(ids: &[Entry]) -> Result<Arrays, TextError> {
    let mut arrays = Arrays {
        ids: [0; POINTS],
        pieces: [None; PIECES],
    };
    for (cell, entry) in ids
        .iter()
        .enumerate()
        .filter(|(_, entry)| entry.number != 0)
    {
        let id = entry.number as u8;
        if arrays.pieces[usize::from(id) - 1].is_some() {
            return Err(entry.error(format!("piece {id} stands on two squares")));
        }
        arrays.put(id, cell);
    }
    Ok(arrays)
}

fn agree(found: &[Entry], expected: &[i64], source: &str) -> Result<(), TextError> {
    for (entry, expected) in found.iter().zip(expected) {
        if entry.number != *expected {
            let number = entry.number;
            return Err(entry.error(format!(
                "{number} contradicts {source}: {expected} is right"
            )));
        }
    }
    Ok(())
}
