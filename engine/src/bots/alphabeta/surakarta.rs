//! What positions of Surakarta are worth.

use super::judge::Judge;
use crate::game::Side;
use crate::games::surakarta::{Move, Surakarta, Track};

/// A stone.
const STONE: i32 = 100;
/// A step to an empty point.
const STEP: i32 = 1;
/// An enemy stone that could be taken.
const THREAT: i32 = 8;
/// A threat that the side to move can carry out at once.
const TURN: i32 = 40;
/// A stone on a track. The outer one reaches further; on both, a stone counts twice.
const ON_OUTER: i32 = 8;
const ON_INNER: i32 = 4;

impl Judge for Surakarta {
    fn judge(&self) -> i32 {
        let threats = self.threatened();
        let worth = |side: Side| {
            let stands = |track| self.standing(side, track) as i32;
            let threatens = threats[side.other().index()] as i32;
            STONE * self.count(side) as i32
                + STEP * self.steps(side) as i32
                + THREAT * threatens
                + ON_OUTER * stands(Track::Outer)
                + ON_INNER * stands(Track::Inner)
                + TURN * i32::from(self.mover() == side && threatens > 0)
        };
        worth(Side::First) - worth(Side::Second)
    }

    fn gain(&self, mv: Move) -> u32 {
        mv.captures.into()
    }

    /// The key has the stones, the mover and the quiet plies; this adds the positions since the last
    /// capture that can come again (S8 c).
    fn past(&self, plies: u32) -> u64 {
        self.repeatable(plies)
    }
}
