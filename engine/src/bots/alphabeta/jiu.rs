//! What positions of Jiu are worth.

use super::judge::Judge;
use crate::game::Side;
use crate::games::jiu::{Due, Jiu, Move, Phase};

/// A stone.
const STONE: i32 = 100;
/// A point where a side completes a square in one move.
const GATE: i32 = 30;
/// A triangle, whether or not it can be completed soon.
const TRIANGLE: i32 = 6;
/// A dalian, which completes a square every turn.
const DALIAN: i32 = 120;
/// A step to an empty point.
const STEP: i32 = 2;
/// A complete square in the layout, whose stones will be ready to run.
const SQUARE: i32 = 10;

impl Judge for Jiu {
    fn judge(&self) -> i32 {
        let difference = |worth: &dyn Fn(Side) -> i32| worth(Side::First) - worth(Side::Second);
        if self.phase() == Phase::Layout {
            return difference(&|side| {
                SQUARE * self.stones(side).cells().count() as i32
                    + TRIANGLE * self.threats(side).triangles.count() as i32
            });
        }
        let owed = match self.due() {
            Due::Take { owed } => i32::from(owed),
            _ => 0,
        };
        difference(&|side| {
            let threats = self.threats(side);
            STONE * i32::from(self.count(side))
                + TRIANGLE * threats.triangles.count() as i32
                + GATE * threats.gates.count() as i32
                + DALIAN * threats.dalians.count() as i32
                + STEP * self.step_count(side) as i32
                + STONE * owed * i32::from(self.side() == side)
        })
    }

    fn gain(&self, mv: Move) -> u32 {
        let squares = |from: Option<u8>, to: u8| {
            let mut own = self.stones(self.side());
            from.map(|from| own.remove(from));
            own.cells_at(to)
        };
        match mv {
            Move::Take(_) => 1,
            Move::Hop(from, direction) => 1 + squares(Some(from.0), from.beyond(direction).0),
            Move::Step(from, direction) => squares(Some(from.0), from.neighbour(direction).0),
            Move::Drop(to) => squares(None, to.0),
            Move::Place(_) | Move::Lift(_) | Move::Stop => 0,
        }
    }

    /// The key has the stones, the side, the phase and the turn in progress; this adds the turns since
    /// the last capture, from which repetitions and the quiet limit follow, and the cap on plies when it
    /// is near (J9).
    fn past(&self, plies: u32) -> u64 {
        self.quiet_key() ^ self.cap_key(plies)
    }
}
