//! Squares and bitboards: bit `8 * row + column`, so that a step off an edge lands on an unused bit.

use crate::text::{Point, TextError};

/// Rows and columns of the board (S1).
pub(super) const SIZE: u8 = 6;

/// Number of points.
pub(super) const POINTS: usize = 36;

/// All 36 points.
pub(super) const BOARD: u64 = 0x3f3f_3f3f_3f3f;

/// The stones of the start position: Red on rows 1 and 2, Black on rows 5 and 6 (S1).
pub(super) const START: [u64; 2] = [0x3f3f, 0x3f3f_0000_0000];

/// Stones a side has at most (S1).
pub(super) const MOST_STONES: u32 = 12;

/// A point of the board, `8 * row + column`; row 0 is row 1 of the notation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Square(u8);

impl Square {
    /// The square at a column and a row, both from 0 to 5.
    pub const fn new(column: u8, row: u8) -> Square {
        assert!(column < SIZE && row < SIZE, "a square lies on the board");
        Square(row * 8 + column)
    }

    /// All 36 squares, row by row from A1.
    pub fn all() -> impl Iterator<Item = Square> {
        squares(BOARD)
    }

    /// The column, 0 for A.
    #[inline]
    pub const fn column(self) -> u8 {
        self.0 & 7
    }

    /// The row, 0 for row 1.
    #[inline]
    pub const fn row(self) -> u8 {
        self.0 >> 3
    }

    /// Reads a square's name, such as `C3`.
    ///
    /// # Errors
    /// A name of another form, or one that lies off the board.
    pub fn parse(text: &str) -> Result<Square, TextError> {
        Point::parse(text, SIZE).map(Square::from_point)
    }

    /// The square's name, such as `C3`.
    pub fn name(self) -> String {
        Point {
            column: self.column(),
            row: self.row(),
        }
        .name()
    }

    pub(super) const fn from_point(point: Point) -> Square {
        Square::new(point.column, point.row)
    }

    /// The square's number in row-major order from A6 = 0 to F1 = 35.
    #[inline]
    pub(super) const fn cell(self) -> usize {
        ((SIZE - 1 - self.row()) * SIZE + self.column()) as usize
    }

    /// The square with a number in row-major order from A6 = 0 to F1 = 35.
    pub(super) const fn of_cell(cell: usize) -> Square {
        assert!(cell < POINTS, "a cell lies on the board");
        Square::new(cell as u8 % SIZE, SIZE - 1 - cell as u8 / SIZE)
    }

    /// The place of the square's bit, and of its entry in tables of 64.
    #[inline]
    pub(super) const fn bit(self) -> usize {
        // The mask shows the compiler that tables of 64 need no check.
        (self.0 & 63) as usize
    }

    #[inline]
    pub(super) const fn mask(self) -> u64 {
        1 << self.bit()
    }
}

/// The squares of a set, from its lowest bit up: row by row from A1.
#[inline]
pub(super) fn squares(mut set: u64) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let square = Square(set.trailing_zeros() as u8);
        set &= set - 1;
        Some(square)
    })
}

/// The sets that lie one step away in each of the eight directions; bits off the board may be set.
#[inline]
pub(super) const fn shifts(set: u64) -> [u64; 8] {
    [
        set << 1,
        set >> 1,
        set << 7,
        set >> 7,
        set << 8,
        set >> 8,
        set << 9,
        set >> 9,
    ]
}

/// One of the eight symmetries of the square (S9): bit 2 reflects in the diagonal A1–F6, then
/// bit 0 exchanges left and right, then bit 1 exchanges top and bottom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Turn(pub(super) u8);

impl Turn {
    /// All of them, by number.
    pub(super) const ALL: [Turn; 8] = [
        Turn(0),
        Turn(1),
        Turn(2),
        Turn(3),
        Turn(4),
        Turn(5),
        Turn(6),
        Turn(7),
    ];

    /// Its place among all.
    #[inline]
    pub(super) const fn number(self) -> usize {
        // The mask shows the compiler that tables of 8 need no check.
        (self.0 & 7) as usize
    }

    pub(super) const fn inverse(self) -> Turn {
        if self.0 & 4 == 0 {
            return self;
        }
        // Going back, the reflections come before the diagonal, which exchanges them.
        Turn(4 | (self.0 & 1) << 1 | (self.0 & 2) >> 1)
    }

    /// This one and then half a turn, which brings the board before the other side.
    pub(super) const fn half_turned(self) -> Turn {
        Turn(self.0 ^ 3)
    }

    #[inline]
    pub(super) fn square(self, square: Square) -> Square {
        TURNED[self.number()][square.bit()]
    }

    const fn computed(self, square: Square) -> Square {
        let (mut column, mut row) = (square.column(), square.row());
        if self.0 & 4 != 0 {
            (column, row) = (row, column);
        }
        if self.0 & 1 != 0 {
            column = SIZE - 1 - column;
        }
        if self.0 & 2 != 0 {
            row = SIZE - 1 - row;
        }
        Square::new(column, row)
    }

    pub(super) fn set(self, set: u64) -> u64 {
        match self.0 & 4 {
            0 => self.reversed(set),
            _ => self.reversed(transpose(set)),
        }
    }

    /// Some sets, turned in each of the eight ways.
    pub(super) fn all_of<const N: usize>(sets: [u64; N]) -> [[u64; N]; 8] {
        let transposed = sets.map(transpose);
        Turn::ALL.map(|turn| match turn.0 & 4 {
            0 => sets.map(|set| turn.reversed(set)),
            _ => transposed.map(|set| turn.reversed(set)),
        })
    }

    /// What is left to do once the set has been reflected in the diagonal.
    fn reversed(self, set: u64) -> u64 {
        match self.0 & 3 {
            0 => set,
            1 => (set.reverse_bits() >> 18).swap_bytes() >> 16,
            2 => set.swap_bytes() >> 16,
            _ => set.reverse_bits() >> 18,
        }
    }
}

/// Where each symmetry brings each square.
static TURNED: [[Square; 64]; 8] = {
    let mut table = [[Square::new(0, 0); 64]; 8];
    let mut turn = 0;
    while turn < 8 {
        let mut cell = 0;
        while cell < POINTS {
            let square = Square::of_cell(cell);
            table[turn][square.bit()] = Turn(turn as u8).computed(square);
            cell += 1;
        }
        turn += 1;
    }
    table
};

/// Exchanges rows and columns, in blocks of 1, 2 and 4.
fn transpose(mut set: u64) -> u64 {
    for (mask, shift) in [
        (0x00aa_00aa_00aa_00aa, 7),
        (0x0000_cccc_0000_cccc, 14),
        (0x0000_0000_f0f0_f0f0, 28),
    ] {
        let moved = (set ^ (set >> shift)) & mask;
        set ^= moved ^ (moved << shift);
    }
    set
}
