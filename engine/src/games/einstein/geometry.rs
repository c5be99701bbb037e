//! The 5×5 board as constant tables: squares, steps, home zones and which cubes a die moves.

use crate::game::Side;
use crate::text::Point;

/// Rows and columns of the board (E1).
pub(super) const SIZE: u8 = 5;

/// Cubes of a side (E2).
pub(super) const CUBES: usize = 6;

/// A cube by its number less one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cube(pub u8);

/// A square as `row * 8 + column` with row 0 at the bottom, so that a step never wraps unseen.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Square(pub u8);

impl Square {
    /// The square of a point.
    pub const fn of(point: Point) -> Square {
        Square(point.row * 8 + point.column)
    }

    /// The square's point.
    pub const fn point(self) -> Point {
        Point {
            column: self.0 % 8,
            row: self.0 / 8,
        }
    }

    /// The square turned by 180° about the board's centre.
    pub const fn turned(self) -> Square {
        Square((SIZE - 1) * 9 - self.0)
    }

    /// The square mirrored in the diagonal from A5 to E1 (E9).
    pub const fn mirrored(self) -> Square {
        let point = self.point();
        Square((SIZE - 1 - point.column) * 8 + SIZE - 1 - point.row)
    }

    /// The square as `side` sees it who believes to come from A5.
    pub const fn seen_by(self, side: Side) -> Square {
        match side {
            Side::First => self,
            Side::Second => self.turned(),
        }
    }
}

/// Each side's goal corner (E1): E1 for Red, A5 for Blue.
pub(super) const GOAL: [Square; 2] = [Square(4), Square(32)];

/// Red's home zone in the order of the contest's set-up lines, A5 B5 C5 A4 B4 A3; Blue's is the
/// same turned by 180° (E1).
const RED_ZONE: [Square; CUBES] = [
    Square(32),
    Square(33),
    Square(34),
    Square(24),
    Square(25),
    Square(16),
];

/// The six cells of a side's home zone.
pub(super) const fn zone(side: Side) -> [Square; CUBES] {
    let mut cells = RED_ZONE;
    let mut at = 0;
    while at < CUBES {
        cells[at] = cells[at].seen_by(side);
        at += 1;
    }
    cells
}

/// The direction of a step as its mover sees it (E3).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Direction {
    /// Red to the right, Blue to the left.
    Across,
    /// Red down, Blue up.
    Along,
    /// Both at once.
    Diagonal,
}

/// Where a cube can go from one square.
#[derive(Clone, Copy, Debug)]
pub(super) struct Steps {
    to: [Square; 3],
    count: u8,
}

impl Steps {
    /// The targets in the order across, along, diagonal, as far as they lie on the board (E7).
    #[inline]
    pub fn targets(&self) -> &[Square] {
        &self.to[..usize::from(self.count)]
    }

    /// How many targets there are.
    #[inline]
    pub const fn count(&self) -> u32 {
        self.count as u32
    }
}

/// `STEPS[side][square]`; a square with no entry (off the board) has none.
pub(super) static STEPS: [[Steps; 40]; 2] = [steps_of(Side::First), steps_of(Side::Second)];

const fn steps_of(side: Side) -> [Steps; 40] {
    let none = Steps {
        to: [Square(0); 3],
        count: 0,
    };
    let mut table = [none; 40];
    let mut index = 0;
    while index < 40 {
        let square = Square(index as u8);
        let point = square.point();
        if point.column < SIZE && point.row < SIZE {
            let seen = square.seen_by(side).point();
            let across = seen.column + 1 < SIZE;
            let along = seen.row > 0;
            let (right, down) = match side {
                Side::First => (1, -8),
                Side::Second => (-1, 8),
            };
            let from = index as i8;
            if across {
                table[index] = table[index].with(from + right);
            }
            if along {
                table[index] = table[index].with(from + down);
            }
            if across && along {
                table[index] = table[index].with(from + right + down);
            }
        }
        index += 1;
    }
    table
}

impl Steps {
    const fn with(mut self, to: i8) -> Steps {
        self.to[self.count as usize] = Square(to as u8);
        self.count += 1;
        self
    }
}

/// `MOVABLE[alive][die - 1]`: the cubes that may move, as a set of bits (E4).
pub(super) static MOVABLE: [[u8; 6]; 64] = movable_table();

const fn movable_table() -> [[u8; 6]; 64] {
    let mut table = [[0; 6]; 64];
    let mut alive = 0;
    while alive < 64 {
        let mut face = 0;
        while face < 6 {
            table[alive][face] = movable(alive as u8, face as u8);
            face += 1;
        }
        alive += 1;
    }
    table
}

const fn movable(alive: u8, face: u8) -> u8 {
    let rolled = 1 << face;
    if alive & rolled != 0 {
        return rolled;
    }
    let larger = alive & !(rolled - 1);
    let smaller = alive & (rolled - 1);
    let next_larger = larger & larger.wrapping_neg();
    let next_smaller = if smaller == 0 {
        0
    } else {
        1 << smaller.ilog2()
    };
    next_larger | next_smaller
}

/// `FACES[alive][cube]`: the number of die faces for which a living cube may move.
pub(super) static FACES: [[u8; CUBES]; 64] = faces_table();

const fn faces_table() -> [[u8; CUBES]; 64] {
    let mut table = [[0; CUBES]; 64];
    let mut alive = 0;
    while alive < 64 {
        let mut cube = 0;
        while cube < CUBES {
            let mut face = 0;
            while face < 6 {
                table[alive][cube] += MOVABLE[alive][face] >> cube & 1;
                face += 1;
            }
            cube += 1;
        }
        alive += 1;
    }
    table
}
