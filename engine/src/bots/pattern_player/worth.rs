//! What a position after a whole turn is worth to the side that made the turn.

use super::reply;
use crate::game::Game;
use crate::game::{Outcome, Side, Status};
use crate::games::jiu::{Jiu, Threats};

/// A stone, the unit of all worths.
pub(super) const STONE: i32 = 100;

/// A game won; beyond any sum of the others.
const WIN: i32 = 1_000_000;

/// The worth to `mover` of a position in which its turn is complete.
pub(super) fn after_turn(game: &Jiu, mover: Side) -> i32 {
    if let Status::Over(outcome) = game.status() {
        return match outcome {
            Outcome::Win(side) if side == mover => WIN,
            Outcome::Win(_) => -WIN,
            Outcome::Draw | Outcome::Truncated => 0,
        };
    }
    lead(game, mover) + shapes(game, mover) - enemy_reply(game)
}

/// The mover's stones less the enemy's.
pub(super) fn lead(game: &Jiu, mover: Side) -> i32 {
    STONE * (i32::from(game.count(mover)) - i32::from(game.count(mover.other())))
}

/// What the shapes of both sides promise, those of `mover` counted as its own. The enemy moves next.
pub(super) fn shapes(game: &Jiu, mover: Side) -> i32 {
    let (own, enemy) = (game.threats(mover), game.threats(mover.other()));
    keep_dalians(&own) + make_gates(&own) + grow(&own)
        - break_dalians(&enemy)
        - fill_gates(&enemy)
        - grow(&enemy)
}

/// Avoid moves that let the enemy square or jump: what its best reply would take.
fn enemy_reply(game: &Jiu) -> i32 {
    STONE * i32::from(reply::best(game).taken)
}

/// A dalian of one's own makes a square in every turn. One runner is enough, as a turn moves one stone;
/// further ones are there when the enemy breaks it.
fn keep_dalians(own: &Threats) -> i32 {
    first_and_more(own.dalians.count(), 80, 25) + first_and_more(own.double_dalians.count(), 20, 10)
}

/// Of two gates of one's own the enemy fills one only.
fn make_gates(own: &Threats) -> i32 {
    first_and_more(own.gates.count(), 30, 12)
}

/// A dalian of the enemy costs a stone in every turn until it is broken.
fn break_dalians(enemy: &Threats) -> i32 {
    first_and_more(enemy.dalians.count(), 90, 30)
        + first_and_more(enemy.double_dalians.count(), 20, 10)
}

/// A gate of the enemy is filled, so that it makes no square. What the first one costs at once is in
/// [`enemy_reply`]; the others are left to it afterwards.
fn fill_gates(enemy: &Threats) -> i32 {
    first_and_more(enemy.gates.count(), 15, 20)
}

/// What may grow into gates and dalians: triangles, and squares as homes of runners.
fn grow(side: &Threats) -> i32 {
    5 * side.triangles.count() as i32 + side.squares.count() as i32
}

fn first_and_more(count: u32, first: i32, more: i32) -> i32 {
    match count {
        0 => 0,
        count => first + more * (count as i32 - 1),
    }
}
