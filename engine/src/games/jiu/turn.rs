//! Playing plies: what each does to the board, when a turn is complete, and how a game ends.

use super::ply::{Move, Spot};
use super::state::{Due, Jiu, Phase};
use crate::bits::Wide;
use crate::game::{Outcome, Side};

/// A side with fewer stones than this has lost (J9).
pub(super) const FEWEST_STONES: u8 = 4;

/// Occurrences of a position that make a draw (J9).
const DRAWN_AT: u8 = 3;

/// What a complete turn did.
enum Done {
    /// One stone moved and nothing was taken.
    Quiet(Spot, Spot),
    /// At least one stone was taken.
    Capture,
}

impl Jiu {
    /// Plays a legal ply.
    pub(super) fn advance(&mut self, mv: Move) {
        self.plies = self.plies.saturating_add(1);
        match mv {
            Move::Place(at) => self.place(at),
            Move::Step(from, direction) => {
                let to = from.neighbour(direction);
                self.own_mut().remove(from.0);
                self.own_mut().insert(to.0);
                self.land(to, Done::Quiet(from, to));
            }
            Move::Lift(origin) => {
                self.own_mut().remove(origin.0);
                self.due = Due::Drop { origin };
            }
            Move::Drop(to) => {
                let Due::Drop { origin } = self.due else {
                    unreachable!("a stone is put down after it was lifted")
                };
                self.own_mut().insert(to.0);
                self.land(to, Done::Quiet(origin, to));
            }
            Move::Hop(from, direction) => {
                self.take(from.neighbour(direction));
                self.own_mut().remove(from.0);
                self.hop_to(from.beyond(direction), from);
            }
            Move::Stop => {
                let Due::Hop { at, .. } = self.due else {
                    unreachable!("only a chain can be stopped")
                };
                self.land(at, Done::Capture);
            }
            Move::Take(at) => {
                let Due::Take { owed } = self.due else {
                    unreachable!("a stone is taken only when one is owed")
                };
                self.take(at);
                match owed - 1 {
                    0 => self.end_turn(Done::Capture),
                    owed => self.due = Due::Take { owed },
                }
            }
        }
    }

    fn own_mut(&mut self) -> &mut Wide {
        &mut self.stones[self.side.index()]
    }

    fn take(&mut self, at: Spot) {
        let enemy = self.side.other().index();
        self.stones[enemy].remove(at.0);
        self.counts[enemy] -= 1;
    }

    fn place(&mut self, at: Spot) {
        self.own_mut().insert(at.0);
        self.counts[self.side.index()] += 1;
        self.side = self.side.other();
        if self.vacant().is_empty() {
            // J3: the central stones, one of each side, are taken off.
            let central = self.central();
            self.stones = self.stones.map(|stones| stones & !central);
            self.counts = self.counts.map(|count| count - 1);
            self.begin_battle();
        } else if self.plies >= self.variant.most_plies() {
            self.due = Due::End(Outcome::Truncated);
        }
    }

    /// J3: Black moves first.
    pub(super) fn begin_battle(&mut self) {
        self.phase = Phase::Battle;
        self.side = Side::Second;
        self.due = Due::Turn;
        self.due = self.judged();
    }

    fn hop_to(&mut self, to: Spot, from: Spot) {
        let (jumped, origin) = match self.due {
            Due::Hop { jumped, origin, .. } => (jumped + 1, origin),
            _ => (1, from),
        };
        let mut hops = Jiu::hops(to, self.enemy(), self.vacant());
        let goes_on = hops.next().is_some();
        self.own_mut().insert(to.0);
        self.due = Due::Hop {
            at: to,
            jumped,
            origin,
        };
        if !goes_on {
            self.land(to, Done::Capture);
        }
    }

    /// J7: the move is finished on `at`; squares that contain it are counted.
    fn land(&mut self, at: Spot, done: Done) {
        let squares = self.own().cells_at(at.0) as u8;
        let enemy = self.side.other();
        let left = self.counts[enemy.index()];
        if squares == 0 {
            self.end_turn(done);
        } else if squares < left {
            self.due = Due::Take { owed: squares };
        } else {
            self.stones[enemy.index()] = Wide::EMPTY;
            self.counts[enemy.index()] = 0;
            self.end_turn(Done::Capture);
        }
    }

    fn end_turn(&mut self, done: Done) {
        match done {
            Done::Quiet(from, to) => {
                self.quiet.push(from, to);
                self.occurrences = self.quiet.occurrences();
            }
            Done::Capture => {
                self.quiet.clear();
                self.occurrences = 1;
            }
        }
        self.side = self.side.other();
        self.due = Due::Turn;
        self.due = self.judged();
    }

    /// J9 for the side to move after a complete turn: `Due::Turn`, or how the game ended.
    pub(super) fn judged(&self) -> Due {
        let mover_lost = self.counts[self.side.index()] < FEWEST_STONES || !self.can_move();
        if mover_lost {
            Due::End(Outcome::Win(self.side.other()))
        } else if self.occurrences >= DRAWN_AT || self.quiet.len() >= self.variant.quiet_turns() {
            Due::End(Outcome::Draw)
        } else if self.plies >= self.variant.most_plies() {
            Due::End(Outcome::Truncated)
        } else {
            Due::Turn
        }
    }
}
