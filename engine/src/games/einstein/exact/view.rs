//! A position before the roll as its mover sees it: both sides come from the top left corner.
//!
//! Each side's squares are counted in its own frame, row by row from its home corner (0) to its goal
//! (24). The frames are turned by 180° against each other, so one cell is `s` to one side and
//! `24 - s` to the other, and the change of sides (E9) is an exchange of the two halves.

use super::super::geometry::{CUBES, Cube, MOVABLE, Square};
use super::super::state::{Einstein, Phase};
use crate::game::Side;
use crate::text::Point;

/// The goal corner in a side's own frame.
pub(super) const GOAL: u8 = 24;

/// The place of a cube that is off the board.
pub(super) const GONE: u8 = 31;

/// One side's cubes: where each stands in the side's own frame, and which live.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Cubes {
    pub alive: u8,
    pub at: [u8; CUBES],
}

/// A position before the roll: the mover's cubes and the opponent's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct View {
    pub own: Cubes,
    pub enemy: Cubes,
}

/// What a step leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Next {
    /// The mover has won (E6).
    Won,
    /// The opponent is to roll; the position is the opponent's view.
    Open(View),
}

impl Cubes {
    pub const NONE: Cubes = Cubes {
        alive: 0,
        at: [GONE; CUBES],
    };

    /// How many cubes live.
    #[inline]
    pub const fn count(&self) -> usize {
        self.alive.count_ones() as usize
    }

    /// Sets a cube, living or not, onto a square.
    #[inline]
    pub const fn put(&mut self, cube: usize, square: u8) {
        self.alive |= 1 << cube;
        self.at[cube] = square;
    }

    /// Takes whatever stands on the square off the board.
    #[inline]
    pub fn clear(&mut self, square: u8) {
        for cube in 0..CUBES {
            if self.at[cube] == square {
                self.at[cube] = GONE;
                self.alive &= !(1 << cube);
            }
        }
    }

    /// The squares of the living cubes in the order of their numbers.
    pub fn squares(&self) -> impl DoubleEndedIterator<Item = u8> {
        self.at.into_iter().filter(|&square| square != GONE)
    }

    /// Rows and columns that the cubes have before them, in all. Every ply lowers the sum over both
    /// sides, because a cube moves on and a captured cube's part vanishes.
    pub fn distance(&self) -> usize {
        self.squares().map(distance).sum()
    }

    /// The numbers reversed, k → 7−k (E9).
    pub fn reversed(&self) -> Cubes {
        let mut at = self.at;
        at.reverse();
        Cubes {
            alive: self.alive.reverse_bits() >> 2,
            at,
        }
    }

    /// Every cube mirrored in the diagonal from corner to corner (E9).
    pub fn mirrored(&self) -> Cubes {
        Cubes {
            alive: self.alive,
            at: self.at.map(mirrored),
        }
    }
}

impl View {
    /// The view of the side whose turn it is, whatever the die shows; `None` while cubes are placed
    /// and when the game is over.
    pub fn of(game: &Einstein) -> Option<View> {
        let mover = game.mover;
        match game.phase {
            Phase::Rolling | Phase::Moving(_) => Some(View {
                own: cubes_of(game, mover),
                enemy: cubes_of(game, mover.other()),
            }),
            Phase::Placing | Phase::Won(_) => None,
        }
    }

    /// Cubes of both sides.
    #[inline]
    pub fn stones(&self) -> usize {
        self.own.count() + self.enemy.count()
    }

    /// Whether two cubes of different sides share a cell, which no position has.
    pub fn clashes(&self) -> bool {
        let taken = self.own.squares().fold(0_u32, |set, at| set | 1 << at);
        self.enemy.squares().any(|at| taken >> (GOAL - at) & 1 == 1)
    }

    /// The position after a cube's step.
    #[inline]
    pub fn step(&self, cube: usize, to: u8) -> Next {
        let mut own = self.own;
        let mut enemy = self.enemy;
        // E5: whatever stands on the target is removed, also an own cube.
        own.clear(to);
        own.put(cube, to);
        enemy.clear(GOAL - to);
        if to == GOAL || enemy.alive == 0 {
            return Next::Won;
        }
        Next::Open(View {
            own: enemy,
            enemy: own,
        })
    }

    /// The mover's expected result before the roll, given the opponent's expected result before its
    /// roll in every position that matters.
    #[inline]
    pub fn value(&self, mut opponents: impl FnMut(&View) -> f64) -> f64 {
        let mut best = [-1.0_f64; CUBES];
        for (cube, best) in best.iter_mut().enumerate() {
            if self.own.alive >> cube & 1 == 1 {
                *best = self.best_step(cube, &mut opponents);
            }
        }
        let faces = &MOVABLE[usize::from(self.own.alive)];
        faces
            .iter()
            .map(|&movable| best_of(&best, movable))
            .sum::<f64>()
            / faces.len() as f64
    }

    /// The mover's expected result after a roll that allows these cubes, as six bits.
    #[inline]
    pub fn rolled_value(&self, movable: u8, mut opponents: impl FnMut(&View) -> f64) -> f64 {
        let mut best = [-1.0_f64; CUBES];
        for (cube, best) in best.iter_mut().enumerate() {
            if movable >> cube & 1 == 1 {
                *best = self.best_step(cube, &mut opponents);
            }
        }
        best_of(&best, movable)
    }

    /// The best result that one cube can bring. A win at once hides the cube's other steps.
    #[inline]
    fn best_step(&self, cube: usize, opponents: &mut impl FnMut(&View) -> f64) -> f64 {
        let mut open = [None; 3];
        for (open, &to) in open.iter_mut().zip(targets(self.own.at[cube])) {
            match self.step(cube, to) {
                Next::Won => return 1.0,
                Next::Open(view) => *open = Some(view),
            }
        }
        // What is the opponent's is lost to the mover: the game is zero-sum.
        open.iter()
            .flatten()
            .map(|view| -opponents(view))
            .fold(-1.0, f64::max)
    }
}

#[inline]
fn best_of(best: &[f64; CUBES], mut movable: u8) -> f64 {
    let mut value = -1.0_f64;
    while movable != 0 {
        value = value.max(best[movable.trailing_zeros() as usize]);
        movable &= movable - 1;
    }
    value
}

fn cubes_of(game: &Einstein, side: Side) -> Cubes {
    let mut cubes = Cubes::NONE;
    for cube in 0..CUBES {
        if let Some(square) = game.square_of(side, Cube(cube as u8)) {
            cubes.put(cube, in_frame(square, side));
        }
    }
    cubes
}

/// A square of the board in a side's own frame.
pub(super) fn in_frame(square: Square, side: Side) -> u8 {
    let Point { column, row } = square.seen_by(side).point();
    (4 - row) * 5 + column
}

/// Rows and columns from a square to the goal.
pub(super) const fn distance(square: u8) -> usize {
    8 - (square / 5 + square % 5) as usize
}

/// A square mirrored in the diagonal from corner to corner; a cube off the board stays off it.
#[inline]
pub(super) const fn mirrored(square: u8) -> u8 {
    if square == GONE {
        GONE
    } else {
        square % 5 * 5 + square / 5
    }
}

/// Where a cube can go from a square, in the order across, along, diagonal (E3, E7).
#[inline]
fn targets(square: u8) -> &'static [u8] {
    const ALL: [[u8; 3]; 25] = {
        let mut all = [[0; 3]; 25];
        let mut square = 0;
        while square < 25 {
            all[square] = match (square % 5 < 4, square / 5 < 4) {
                (true, true) => [square as u8 + 1, square as u8 + 5, square as u8 + 6],
                (true, false) => [square as u8 + 1, 0, 0],
                (false, true) => [square as u8 + 5, 0, 0],
                (false, false) => [0; 3],
            };
            square += 1;
        }
        all
    };
    static TARGETS: [[u8; 3]; 25] = ALL;
    let count = match (square % 5 < 4, square / 5 < 4) {
        (true, true) => 3,
        (false, false) => 0,
        _ => 1,
    };
    &TARGETS[usize::from(square)][..count]
}
