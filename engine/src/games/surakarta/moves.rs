//! Moves and their generation: steps by shifts and tables, captures along the tracks.

use super::board::{BOARD, Square, shifts, squares};
use super::tracks::{Rings, victims};

/// One ply: a step (S4) or a capture (S5). The route of a capture is no part of it (S6).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Move {
    /// Where the stone stands.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
    /// Whether it takes an enemy there.
    pub captures: bool,
}

impl Move {
    /// A move to an empty point.
    pub const fn step(from: Square, to: Square) -> Move {
        Move {
            from,
            to,
            captures: false,
        }
    }

    /// A flight that takes the enemy on `to`.
    pub const fn capture(from: Square, to: Square) -> Move {
        Move {
            from,
            to,
            captures: true,
        }
    }
}

/// The stones of a position as its mover sees them.
#[derive(Clone, Copy)]
pub(super) struct Stones {
    pub(super) own: u64,
    pub(super) enemies: u64,
}

/// The neighbours of each square.
static NEIGHBOURS: [u64; 64] = neighbours();

const fn neighbours() -> [u64; 64] {
    let mut table = [0; 64];
    let mut bit = 0;
    while bit < 64 {
        if (1 << bit) & BOARD != 0 {
            let shifted = shifts(1 << bit);
            let mut direction = 0;
            while direction < 8 {
                table[bit] |= shifted[direction] & BOARD;
                direction += 1;
            }
        }
        bit += 1;
    }
    table
}

impl Stones {
    #[inline]
    pub(super) fn empty(self) -> u64 {
        BOARD & !(self.own | self.enemies)
    }

    /// Calls `each` for every legal move: by start square from A1 row by row, steps before captures.
    #[inline]
    pub(super) fn each_move(self, mut each: impl FnMut(Move)) {
        let rings = Rings::of(self.own | self.enemies);
        let empty = self.empty();
        for from in squares(self.own) {
            for to in squares(NEIGHBOURS[from.bit()] & empty) {
                each(Move::step(from, to));
            }
            for to in squares(victims(from, &rings, self.enemies)) {
                each(Move::capture(from, to));
            }
        }
    }

    /// Number of legal moves.
    #[inline]
    pub(super) fn count(self) -> u64 {
        let empty = self.empty();
        let mut count = 0;
        for shifted in shifts(self.own) {
            count += (shifted & empty).count_ones();
        }
        let rings = Rings::of(self.own | self.enemies);
        for from in squares(self.own) {
            count += victims(from, &rings, self.enemies).count_ones();
        }
        u64::from(count)
    }

    /// Whether the mover has a legal move (S8 d).
    #[inline]
    pub(super) fn can_move(self) -> bool {
        let empty = self.empty();
        if shifts(self.own).iter().any(|shifted| shifted & empty != 0) {
            return true;
        }
        let rings = Rings::of(self.own | self.enemies);
        squares(self.own).any(|from| victims(from, &rings, self.enemies) != 0)
    }

    /// Whether a move is legal, without listing the others.
    pub(super) fn allow(self, mv: Move) -> bool {
        let reachable = if mv.captures {
            victims(mv.from, &Rings::of(self.own | self.enemies), self.enemies)
        } else {
            NEIGHBOURS[mv.from.bit()] & self.empty()
        };
        self.own & mv.from.mask() != 0 && reachable & mv.to.mask() != 0
    }

    /// The stones after a legal move, as the next mover sees them.
    #[inline]
    pub(super) fn after(self, mv: Move) -> Stones {
        Stones {
            own: self.enemies & !mv.to.mask(),
            enemies: self.own ^ (mv.from.mask() | mv.to.mask()),
        }
    }
}
