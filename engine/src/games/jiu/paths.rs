//! Turn-level paths: every way to move a stone in one turn, with the squares it makes.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::ply::{Direction, Move, Spot};
use super::state::{Due, Jiu};
use crate::bits::Wide;
use crate::game::Game;

/// More hops than any chain can have: a hop takes the stone between two points of one 7×7 lattice on
/// 14×14, and the lattice has 84 such places.
const MOST_HOPS: usize = 84;

/// How a path moves its stone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathKind {
    /// A step or a flight.
    Quiet,
    /// One or more hops.
    Jumps,
}

/// A path of one stone in one turn, without the removals it earns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Path<'a> {
    /// Where the stone starts.
    pub origin: Spot,
    /// Where it lands, in order; the last entry is where it stays. Empty if a chain in progress stops.
    pub landings: &'a [Spot],
    /// Whether it jumps.
    pub kind: PathKind,
    /// The squares it makes at its end, 0 to 4 (J7).
    pub squares: u8,
}

impl Path<'_> {
    /// The path as text, such as `C3-D3` or `C3xC5xE5`; `stop` for a chain that stops.
    pub fn text(&self) -> String {
        let between = match self.kind {
            PathKind::Quiet => '-',
            PathKind::Jumps => 'x',
        };
        if self.landings.is_empty() {
            return "stop".into();
        }
        let mut text = self.origin.name();
        for landing in self.landings {
            text.push(between);
            text.push_str(&landing.name());
        }
        text
    }

    /// Stones taken by jumping along the path.
    pub fn jumped(&self) -> u8 {
        match self.kind {
            PathKind::Quiet => 0,
            PathKind::Jumps => self.landings.len() as u8,
        }
    }
}

impl Jiu {
    /// The legal turns from here as path text → number of squares made.
    ///
    /// In a turn in progress the texts are what is left of it: the rest of a chain or `stop`, `C3-D7` for a
    /// lifted stone. Placements, and removals while some are owed, are listed as plies with 0 squares.
    pub fn paths(&self) -> BTreeMap<String, u8> {
        let mut found = BTreeMap::new();
        match self.due {
            Due::Placement | Due::Take { .. } => {
                let mut plies = Vec::new();
                self.moves(&mut plies);
                found.extend(plies.into_iter().map(|ply| (ply.text(), 0)));
            }
            _ => self.for_each_path(|path| {
                found.insert(path.text(), path.squares);
            }),
        }
        found
    }

    /// Calls `visit` for each legal path of the turn, or of the rest of a turn in progress.
    /// There is none in the layout, while removals are owed and at the end.
    pub fn for_each_path(&self, mut visit: impl FnMut(Path<'_>)) {
        let _ = self.walk_paths(|path| {
            visit(path);
            ControlFlow::Continue(())
        });
    }

    /// As [`for_each_path`](Jiu::for_each_path) for the first `most` paths: a board can hold more chains than
    /// there is time for.
    pub fn for_first_paths(&self, most: u32, mut visit: impl FnMut(Path<'_>)) {
        let mut left = most;
        let _ = self.walk_paths(|path| {
            visit(path);
            left -= 1;
            match left {
                0 => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            }
        });
    }

    /// Calls `visit` for one path after the other, until it breaks off.
    fn walk_paths(&self, mut visit: impl FnMut(Path<'_>) -> ControlFlow<()>) -> ControlFlow<()> {
        match self.due {
            Due::Turn => {
                if self.flies(self.side) {
                    for origin in self.own() {
                        self.flights(Spot(origin), self.vacant(), &mut visit)?;
                    }
                } else {
                    self.steps(&mut visit)?;
                }
                let least = if self.limited() { 2 } else { 1 };
                self.first_chains(least, &mut visit)
            }
            Due::Drop { origin } => {
                let elsewhere = self.vacant() & !Wide::single(origin.0);
                self.flights(origin, elsewhere, &mut visit)
            }
            Due::Hop { at, .. } => {
                if self.may_stop() {
                    visit(Path {
                        origin: at,
                        landings: &[],
                        kind: PathKind::Jumps,
                        squares: self.own().cells_at(at.0) as u8,
                    })?;
                }
                self.chains(at, 1, &mut visit)
            }
            Due::Placement | Due::Take { .. } | Due::End(_) => ControlFlow::Continue(()),
        }
    }

    fn steps(&self, visit: &mut impl FnMut(Path<'_>) -> ControlFlow<()>) -> ControlFlow<()> {
        let (own, vacant) = (self.own(), self.vacant());
        for direction in Direction::ALL {
            for origin in own & super::moves::behind(vacant, direction) {
                let to = Spot(origin).neighbour(direction);
                self.quiet_path(Spot(origin), to, visit)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn flights(
        &self,
        origin: Spot,
        landings: Wide,
        visit: &mut impl FnMut(Path<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for to in landings {
            self.quiet_path(origin, Spot(to), visit)?;
        }
        ControlFlow::Continue(())
    }

    fn quiet_path(
        &self,
        origin: Spot,
        to: Spot,
        visit: &mut impl FnMut(Path<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut own = self.own();
        own.remove(origin.0);
        visit(Path {
            origin,
            landings: &[to],
            kind: PathKind::Quiet,
            squares: own.cells_at(to.0) as u8,
        })
    }

    fn first_chains(
        &self,
        least: usize,
        visit: &mut impl FnMut(Path<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let jumpers = Direction::ALL
            .into_iter()
            .fold(Wide::EMPTY, |all, direction| all | self.jumpers(direction));
        for origin in jumpers {
            self.chains(Spot(origin), least, visit)?;
        }
        ControlFlow::Continue(())
    }

    /// All chains of at least `least` hops with the stone on `origin`, deepest last, walked with a
    /// fixed stack: the next direction to try at each landing.
    fn chains(
        &self,
        origin: Spot,
        least: usize,
        visit: &mut impl FnMut(Path<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut own = self.own();
        own.remove(origin.0);
        let mut enemy = self.enemy();
        // J5: the start point is empty while the stone travels.
        let mut vacant = self.vacant();
        vacant.insert(origin.0);

        let mut landings = [origin; MOST_HOPS];
        let mut tried = [0; MOST_HOPS + 1];
        let mut hops = 0;
        let mut at = origin;
        loop {
            let Some(&direction) = Direction::ALL.get(tried[hops]) else {
                if hops == 0 {
                    return ControlFlow::Continue(());
                }
                hops -= 1;
                at = if hops == 0 {
                    origin
                } else {
                    landings[hops - 1]
                };
                let back = Direction::ALL[tried[hops] - 1];
                enemy.insert(at.neighbour(back).0);
                vacant.remove(at.neighbour(back).0);
                continue;
            };
            tried[hops] += 1;
            let (over, to) = (at.neighbour(direction), at.beyond(direction));
            if !enemy.has(over.0) || !vacant.has(to.0) {
                continue;
            }
            enemy.remove(over.0);
            vacant.insert(over.0);
            landings[hops] = to;
            at = to;
            hops += 1;
            tried[hops] = 0;
            if hops >= least {
                visit(Path {
                    origin,
                    landings: &landings[..hops],
                    kind: PathKind::Jumps,
                    squares: own.cells_at(to.0) as u8,
                })?;
            }
        }
    }

    /// The first ply of a path of this position.
    pub fn first_ply(&self, path: &Path<'_>) -> Move {
        let Some(&to) = path.landings.first() else {
            return Move::Stop;
        };
        let direction = |distance| {
            Direction::between(path.origin, to, distance)
                .unwrap_or_else(|| unreachable!("hops and steps are straight"))
        };
        match path.kind {
            PathKind::Jumps => Move::Hop(path.origin, direction(2)),
            PathKind::Quiet if matches!(self.due, Due::Drop { .. }) => Move::Drop(to),
            PathKind::Quiet if self.flies(self.side) => Move::Lift(path.origin),
            PathKind::Quiet => Move::Step(path.origin, direction(1)),
        }
    }

    /// Plays a path of this position with its plies, up to the removals it earns.
    pub fn advance_path(&mut self, path: &Path<'_>) {
        match path.kind {
            PathKind::Jumps => {
                let mut at = path.origin;
                for &to in path.landings {
                    let direction = Direction::between(at, to, 2);
                    let direction = direction.unwrap_or_else(|| unreachable!("a hop is straight"));
                    self.advance(Move::Hop(at, direction));
                    at = to;
                }
                if matches!(self.due, Due::Hop { .. }) {
                    self.advance(Move::Stop);
                }
            }
            PathKind::Quiet => {
                self.advance(self.first_ply(path));
                if matches!(self.due, Due::Drop { .. }) {
                    self.advance(Move::Drop(path.landings[0]));
                }
            }
        }
    }
}
