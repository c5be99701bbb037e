//! Points, directions and plies of Jiu, and the texts of plies.

use super::variant::Variant;
use crate::text::{Point, TextError};

/// A point of the board as its bit in a [`Wide`](crate::bits::Wide): 16 times the row plus the column.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Spot(pub u8);

impl Spot {
    /// The point's column, from 0.
    #[inline]
    pub const fn column(self) -> u8 {
        self.0 & 15
    }

    /// The point's row, from 0 at the bottom.
    #[inline]
    pub const fn row(self) -> u8 {
        self.0 >> 4
    }

    /// The point in a column and row, both from 0.
    #[inline]
    pub const fn new(column: u8, row: u8) -> Spot {
        Spot(16 * row + column)
    }

    /// The neighbour in a direction; beyond the edge it is a guard point, which no set of stones has.
    #[inline]
    pub const fn neighbour(self, direction: Direction) -> Spot {
        Spot(self.0.wrapping_add(direction.offset()))
    }

    /// The point straight behind the neighbour in a direction.
    #[inline]
    pub const fn beyond(self, direction: Direction) -> Spot {
        self.neighbour(direction).neighbour(direction)
    }

    /// The point's name, such as `C3`.
    pub fn name(self) -> String {
        self.point().name()
    }

    pub(super) fn point(self) -> Point {
        Point {
            column: self.column(),
            row: self.row(),
        }
    }

    pub(super) fn parse(text: &str, size: u8) -> Result<Spot, TextError> {
        Point::parse(text, size).map(|point| Spot::new(point.column, point.row))
    }

    /// The place in a list of points sorted by column, then by row.
    pub(super) fn by_column(self) -> (u8, u8) {
        (self.column(), self.row())
    }
}

/// A direction along a row or a column.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Direction {
    /// Towards higher letters.
    East,
    /// Towards higher numbers.
    North,
    /// Towards lower letters.
    West,
    /// Towards lower numbers.
    South,
}

impl Direction {
    /// All four, in the order of the policy planes.
    pub const ALL: [Direction; 4] = [
        Direction::East,
        Direction::North,
        Direction::West,
        Direction::South,
    ];

    const fn offset(self) -> u8 {
        match self {
            Direction::East => 1,
            Direction::North => 16,
            Direction::West => 1u8.wrapping_neg(),
            Direction::South => 16u8.wrapping_neg(),
        }
    }

    /// The direction back.
    pub const fn opposite(self) -> Direction {
        match self {
            Direction::East => Direction::West,
            Direction::North => Direction::South,
            Direction::West => Direction::East,
            Direction::South => Direction::North,
        }
    }

    /// The direction that leads from `from` to `to` in `distance` steps.
    pub(super) fn between(from: Spot, to: Spot, distance: u8) -> Option<Direction> {
        Direction::ALL.into_iter().find(|&direction| {
            let step = match direction {
                Direction::East => (distance as i8, 0),
                Direction::North => (0, distance as i8),
                Direction::West => (-(distance as i8), 0),
                Direction::South => (0, -(distance as i8)),
            };
            let moved = (from.column() as i8 + step.0, from.row() as i8 + step.1);
            moved == (to.column() as i8, to.row() as i8)
        })
    }
}

/// One ply (J10). A turn in the battle is one or more plies of the same side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Move {
    /// `G7`: a stone is placed in the layout.
    Place(Spot),
    /// `C3-D3`: the stone steps to the neighbouring point.
    Step(Spot, Direction),
    /// `C3^`: the first half of a flight; the stone is picked up.
    Lift(Spot),
    /// `-D7`: the second half of a flight; the stone is put down.
    Drop(Spot),
    /// `C3xC5`: the stone jumps over the neighbour and takes it.
    Hop(Spot, Direction),
    /// `stop`: the chain ends although it could go on.
    Stop,
    /// `+A1`: an enemy stone is taken for a square.
    Take(Spot),
}

impl Move {
    pub(super) fn text(self) -> String {
        match self {
            Move::Place(at) => at.name(),
            Move::Step(from, direction) => {
                format!("{}-{}", from.name(), from.neighbour(direction).name())
            }
            Move::Lift(from) => format!("{}^", from.name()),
            Move::Drop(to) => format!("-{}", to.name()),
            Move::Hop(from, direction) => {
                format!("{}x{}", from.name(), from.beyond(direction).name())
            }
            Move::Stop => "stop".into(),
            Move::Take(at) => format!("+{}", at.name()),
        }
    }

    pub(super) fn parse(text: &str, variant: &Variant) -> Result<Move, TextError> {
        let spot = |text: &str, cut: usize| {
            Spot::parse(text, variant.size).map_err(|error| error.shifted(cut))
        };
        if text == "stop" {
            return Ok(Move::Stop);
        }
        if let Some(rest) = text.strip_prefix('+') {
            return spot(rest, 1).map(Move::Take);
        }
        if let Some(rest) = text.strip_prefix('-') {
            return spot(rest, 1).map(Move::Drop);
        }
        if let Some(rest) = text.strip_suffix('^') {
            return spot(rest, 0).map(Move::Lift);
        }
        if let Some((from, to)) = text.split_once('-') {
            let (from, to) = (spot(from, 0)?, spot(to, from.chars().count() + 1)?);
            return match Direction::between(from, to, 1) {
                Some(direction) => Ok(Move::Step(from, direction)),
                None => Err(TextError::at(
                    1,
                    format!("'{text}' is not a step; a flight is two plies, such as C3^ and -D7"),
                )),
            };
        }
        if let Some((from, to)) = text.split_once('x') {
            let (from, to) = (spot(from, 0)?, spot(to, from.chars().count() + 1)?);
            return match Direction::between(from, to, 2) {
                Some(direction) => Ok(Move::Hop(from, direction)),
                None => Err(TextError::at(
                    1,
                    format!("'{text}' is not a jump to the second point along a line"),
                )),
            };
        }
        spot(text, 0).map(Move::Place)
    }
}
