//! The battle: the path of a turn.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::{removal, worth};
use crate::game::Side;
use crate::games::jiu::{Jiu, Move};

/// Paths of the turn that are looked at; only boards that are full of chains hold more.
const MOST_PATHS: u32 = 10_000;

/// Paths that are weighed with their removals and the enemy's reply: the best by what they take and the
/// shapes that they leave.
const WEIGHED: usize = 96;

/// A path of the turn.
struct Candidate {
    promise: i32,
    lot: u64,
    ply: Move,
    /// The position after the path; removals may be owed.
    next: Jiu,
}

/// The next ply of the best path; of equally good paths a drawn one.
pub(super) fn ply(game: &Jiu, mover: Side, draws: &mut ChaCha8Rng) -> Move {
    let mut candidates = promising(game, mover, draws);
    let best = candidates
        .iter_mut()
        .map(|candidate| {
            removal::take_owed(&mut candidate.next, mover);
            let worth = worth::after_turn(&candidate.next, mover);
            (worth, candidate.lot, candidate.ply)
        })
        .max();
    best.expect("a path leads on from every position with a side to move")
        .2
}

/// The paths that promise most.
fn promising(game: &Jiu, mover: Side, draws: &mut ChaCha8Rng) -> Vec<Candidate> {
    let mut found = Vec::with_capacity(2 * WEIGHED);
    game.for_first_paths(MOST_PATHS, |path| {
        let mut next = *game;
        next.advance_path(&path);
        found.push(Candidate {
            promise: promise(&next, mover, path.squares),
            lot: draws.random(),
            ply: game.first_ply(&path),
            next,
        });
        if found.len() == 2 * WEIGHED {
            keep_best(&mut found);
        }
    });
    keep_best(&mut found);
    found
}

/// Prefer paths that take most, by jumps and for squares; then those with the better shapes.
fn promise(next: &Jiu, mover: Side, squares: u8) -> i32 {
    worth::lead(next, mover) + worth::STONE * i32::from(squares) + worth::shapes(next, mover)
}

fn keep_best(found: &mut Vec<Candidate>) {
    if found.len() > WEIGHED {
        found.select_nth_unstable_by(WEIGHED, |a, b| (b.promise, b.lot).cmp(&(a.promise, a.lot)));
        found.truncate(WEIGHED);
    }
}
