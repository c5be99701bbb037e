//! What an evaluation counts on a board.

use super::board::{BOARD, shifts, squares};
use super::state::Surakarta;
use super::tracks::{Rings, Track, victims};
use crate::game::Side;

impl Surakarta {
    /// The side to move, or that would be had the game not ended.
    #[inline]
    pub fn mover(&self) -> Side {
        self.mover
    }

    /// The steps to empty points that a side's stones have (S4), whoever is to move.
    pub fn steps(&self, side: Side) -> u32 {
        let empty = BOARD & !(self.stones[0] | self.stones[1]);
        let steps = shifts(self.stones[side.index()]).map(|shifted| (shifted & empty).count_ones());
        steps.iter().sum()
    }

    /// How many stones of each side the other could take, were it to move (S5).
    pub fn threatened(&self) -> [u32; 2] {
        let rings = Rings::of(self.stones[0] | self.stones[1]);
        Side::BOTH.map(|side| {
            let stones = self.stones[side.index()];
            let takers = squares(self.stones[side.other().index()]);
            let taken = takers.fold(0, |taken, from| taken | victims(from, &rings, stones));
            taken.count_ones()
        })
    }

    /// How many of a side's stones stand on a track.
    #[inline]
    pub fn standing(&self, side: Side, track: Track) -> u32 {
        const POINTS: [u64; 2] = [Track::Inner.points(), Track::Outer.points()];
        (self.stones[side.index()] & POINTS[track as usize]).count_ones()
    }

    /// A fingerprint of the positions since the last capture that can stand on the board again within
    /// `plies` plies (S8 c), counted as often as they stood there; 0 if there is none.
    pub fn repeatable(&self, plies: u32) -> u64 {
        self.history.repeatable(plies)
    }
}
