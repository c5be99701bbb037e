//! The legal plies of a position.

use super::ply::{Direction, Move, Spot};
use super::state::{Due, Jiu};
use crate::bits::Wide;

impl Jiu {
    /// Clears `out` and lists the legal plies.
    pub(super) fn list(&self, out: &mut Vec<Move>) {
        out.clear();
        match self.due {
            Due::Placement => out.extend(self.placements().iter().map(|at| Move::Place(Spot(at)))),
            Due::Turn => {
                if self.flies(self.side) {
                    out.extend(self.own().iter().map(|at| Move::Lift(Spot(at))));
                } else {
                    self.list_steps(out);
                }
                self.list_first_hops(out);
            }
            Due::Drop { origin } => {
                let landings = self.vacant() & !Wide::single(origin.0);
                out.extend(landings.iter().map(|to| Move::Drop(Spot(to))));
            }
            Due::Hop { at, .. } => {
                let hops = Jiu::hops(at, self.enemy(), self.vacant());
                out.extend(hops.map(|direction| Move::Hop(at, direction)));
                if self.may_stop() {
                    out.push(Move::Stop);
                }
            }
            Due::Take { .. } => out.extend(self.enemy().iter().map(|at| Move::Take(Spot(at)))),
            Due::End(_) => {}
        }
    }

    /// J2: the first two stones stand on the central diagonal, the others anywhere.
    fn placements(&self) -> Wide {
        let vacant = self.vacant();
        if self.counts[1] == 0 {
            vacant & self.central()
        } else {
            vacant
        }
    }

    fn list_steps(&self, out: &mut Vec<Move>) {
        let (own, vacant) = (self.own(), self.vacant());
        for direction in Direction::ALL {
            let movers = own & behind(vacant, direction);
            out.extend(movers.iter().map(|at| Move::Step(Spot(at), direction)));
        }
    }

    fn list_first_hops(&self, out: &mut Vec<Move>) {
        let limited = self.limited();
        for direction in Direction::ALL {
            for at in self.jumpers(direction) {
                if !limited || self.goes_on(Spot(at), direction) {
                    out.push(Move::Hop(Spot(at), direction));
                }
            }
        }
    }

    /// The mover's stones that can jump in a direction, whatever J6 says.
    #[inline]
    pub(super) fn jumpers(&self, direction: Direction) -> Wide {
        let landings = behind(self.vacant(), direction);
        self.own() & behind(self.enemy() & landings, direction)
    }

    /// Whether a chain can go on after its first hop.
    fn goes_on(&self, from: Spot, direction: Direction) -> bool {
        let (mut enemy, mut vacant) = (self.enemy(), self.vacant());
        enemy.remove(from.neighbour(direction).0);
        vacant.insert(from.0);
        Jiu::hops(from.beyond(direction), enemy, vacant)
            .next()
            .is_some()
    }

    /// J6: whether a chain may end where it is.
    pub(super) fn may_stop(&self) -> bool {
        self.jumped() >= 2 || !self.limited()
    }

    /// Whether the side to move has a legal move at the start of its turn.
    pub(super) fn can_move(&self) -> bool {
        // The battle never has fewer than two vacant points, so a stone can always fly.
        if self.flies(self.side) {
            return true;
        }
        let (own, vacant) = (self.own(), self.vacant());
        let limited = self.limited();
        let steps = |direction| !(own & behind(vacant, direction)).is_empty();
        let jumps = |direction| {
            let mut jumpers = self.jumpers(direction).iter();
            jumpers.any(|at| !limited || self.goes_on(Spot(at), direction))
        };
        Direction::ALL.into_iter().any(steps) || Direction::ALL.into_iter().any(jumps)
    }
}

/// The points from which a step in `direction` leads into `set`, guard points among them.
#[inline]
pub(super) fn behind(set: Wide, direction: Direction) -> Wide {
    match direction {
        Direction::East => set.west(),
        Direction::North => set.south(),
        Direction::West => set.east(),
        Direction::South => set.north(),
    }
}
