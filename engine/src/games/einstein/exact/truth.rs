//! Exact values of positions and plies, from a table where it reaches and by expectimax beyond it.

use super::solve::solve;
use super::table::Table;
use super::view::{Next, View, in_frame};
use crate::game::{Game, Roll, Side, Status};
use crate::games::einstein::{Einstein, Ply};

/// A source of exact values.
///
/// All values are expected results from -1 to 1 in the view of the side to move, under best play of
/// both sides. They are `None` when finding them would take more work than allowed, and while cubes are
/// placed.
#[derive(Debug)]
pub struct Exact<B> {
    table: Option<Table<B>>,
    limit: usize,
}

impl<B: AsRef<[u8]>> Exact<B> {
    /// Values from `table`, and beyond it by expectimax over at most `limit` distinct positions
    /// (about 50 bytes each).
    pub fn new(table: Option<Table<B>>, limit: usize) -> Exact<B> {
        Exact { table, limit }
    }

    /// The table, if there is one.
    pub fn table(&self) -> Option<&Table<B>> {
        self.table.as_ref()
    }

    /// The value of a position before or after the roll, or at the end of a game.
    pub fn value(&self, game: &Einstein) -> Option<f64> {
        match game.status() {
            Status::Rolling => Some(self.solve(&[View::of(game)?])?[0]),
            Status::ToMove(_) => {
                let plies = self.plies(game)?;
                plies.iter().map(|&(_, value)| value).reduce(f64::max)
            }
            Status::Over(outcome) => Some(outcome.value().seen_by(game.mover())),
        }
    }

    /// Every legal ply after the roll with its value for the mover, in the order of [`Game::moves`].
    /// `None` also when no ply is due.
    pub fn plies(&self, game: &Einstein) -> Option<Vec<(Ply, f64)>> {
        let view = View::of(game)?;
        game.die()?;
        let mut plies = Vec::new();
        game.moves(&mut plies);
        let nexts: Vec<_> = plies
            .iter()
            .map(|&ply| after(&view, ply, game.mover()))
            .collect();
        let open: Vec<_> = nexts.iter().filter_map(open).collect();
        let mut values = self.solve(&open)?.into_iter();
        let valued = plies.into_iter().zip(nexts).map(|(ply, next)| {
            let value = match next {
                Next::Won => 1.0,
                // What is the opponent's is lost to the mover: the game is zero-sum.
                Next::Open(_) => -values.next().expect("each open position has a value"),
            };
            (ply, value)
        });
        Some(valued.collect())
    }

    /// A best ply after the roll; of several the one that [`Game::moves`] lists first.
    pub fn best(&self, game: &Einstein) -> Option<Ply> {
        let plies = self.plies(game)?;
        let best = plies
            .into_iter()
            .reduce(|best, next| if next.1 > best.1 { next } else { best });
        best.map(|(ply, _)| ply)
    }

    /// The winning probability that a legal ply after the roll gives away against the best one, 0 to 1.
    pub fn regret(&self, game: &Einstein, ply: Ply) -> Option<f64> {
        let plies = self.plies(game)?;
        let played = plies.iter().find(|&&(other, _)| other == ply)?.1;
        let best = plies.iter().map(|&(_, value)| value).fold(played, f64::max);
        // A value is the difference of the probabilities of winning and losing.
        Some((best - played) / 2.0)
    }

    /// How lucky a roll was for the side that made it: the value after the roll less the mean over all
    /// rolls. `before` is a position whose roll is due. Its mean over the rolls is 0.
    pub fn luck(&self, before: &Einstein, roll: Roll) -> Option<f64> {
        if before.status() != Status::Rolling {
            return None;
        }
        let mut after = *before;
        after.settle(roll);
        Some(self.value(&after)? - self.value(before)?)
    }

    fn solve(&self, views: &[View]) -> Option<Vec<f64>> {
        solve(views, self.limit, |view| {
            self.table.as_ref().and_then(|table| table.of_view(view))
        })
    }
}

/// What a step of the mover leads to.
fn after(view: &View, ply: Ply, mover: Side) -> Next {
    let (Ply::Step { cube, to } | Ply::Place { cube, square: to }) = ply;
    view.step(usize::from(cube.0), in_frame(to, mover))
}

fn open(next: &Next) -> Option<View> {
    match next {
        Next::Won => None,
        Next::Open(view) => Some(*view),
    }
}
