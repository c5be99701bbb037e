//! Perft of Jiu: counts turns, not plies; a turn is a path and the set of stones taken for its squares.

use super::ply::{Move, Spot};
use super::state::{Due, Jiu};
use super::variant::Variant;
use crate::game::Game;
use crate::perft::{Perft, divide_by_plies};

impl Perft for Jiu {
    /// Sequences of `depth` turns. The rest of a turn in progress counts as a turn.
    fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.count_turns(),
            _ => {
                let mut nodes = 0;
                self.for_each_turn(|next| nodes += next.perft(depth - 1));
                nodes
            }
        }
    }

    fn perft_start(variant: &Variant) -> Jiu {
        Jiu::scan_filled(variant.size)
            .expect("a checked variant has a board size that can be played")
    }

    /// The turns below each path.
    fn divide(&self, depth: u32) -> Vec<(String, u64)> {
        if matches!(self.due, Due::Placement | Due::Take { .. }) {
            return divide_by_plies(self, depth);
        }
        let mut divided = Vec::new();
        self.for_each_path(|path| {
            let mut next = *self;
            next.advance_path(&path);
            let mut nodes = 0;
            next.for_each_removal(0, &mut |end: &Jiu| nodes += end.perft(depth - 1));
            divided.push((path.text(), nodes));
        });
        divided.sort();
        divided
    }
}

impl Jiu {
    /// The number of legal turns, the removal sets counted and not walked.
    fn count_turns(&self) -> u64 {
        match self.due {
            Due::Placement => {
                let mut plies = Vec::new();
                self.moves(&mut plies);
                plies.len() as u64
            }
            Due::Take { owed } => subsets(u64::from(self.count(self.side.other())), owed),
            _ => {
                let mut turns = 0;
                let enemy = self.count(self.side.other());
                self.for_each_path(|path| {
                    turns += subsets(u64::from(enemy - path.jumped()), path.squares);
                });
                turns
            }
        }
    }

    /// Calls `visit` with the position after each legal turn.
    pub(super) fn for_each_turn(&self, mut visit: impl FnMut(&Jiu)) {
        match self.due {
            Due::Placement => {
                let mut plies = Vec::new();
                self.moves(&mut plies);
                for ply in plies {
                    let mut next = *self;
                    next.advance(ply);
                    visit(&next);
                }
            }
            Due::Take { .. } => self.for_each_removal(0, &mut visit),
            _ => self.for_each_path(|path| {
                let mut next = *self;
                next.advance_path(&path);
                next.for_each_removal(0, &mut visit);
            }),
        }
    }

    /// Calls `visit` with the position after each set of owed removals, each set in ascending order only.
    /// Recursion is bounded by the four stones that can be owed.
    fn for_each_removal(&self, first: u8, visit: &mut impl FnMut(&Jiu)) {
        let Due::Take { .. } = self.due else {
            return visit(self);
        };
        for at in self.enemy().iter().filter(|&at| at >= first) {
            let mut next = *self;
            next.advance(Move::Take(Spot(at)));
            next.for_each_removal(at + 1, visit);
        }
    }
}

/// J7: the sets of stones that can be taken for `squares` squares from `left` stones.
fn subsets(left: u64, squares: u8) -> u64 {
    let squares = u64::from(squares).min(left);
    (0..squares).fold(1, |sets, taken| sets * (left - taken) / (taken + 1))
}
