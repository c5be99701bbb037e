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

/// What the shapes of both sides promise, those of `mover` counted as its own.
pub(super) fn shapes(game: &Jiu, mover: Side) -> i32 {
    build(&game.threats(mover)) - deny(&game.threats(mover.other()))
}

/// Avoid moves that let the enemy square or jump: what its best reply would take.
fn enemy_reply(game: &Jiu) -> i32 {
    STONE * i32::from(reply::best(game).taken)
}

/// Make and keep dalians, then gates, then triangles, and squares as homes for runners. The first of a kind
/// counts more than the next ones, since one square a turn is made.
fn build(own: &Threats) -> i32 {
    first_and_more(own.dalians.count(), 80, 25)
        + first_and_more(own.double_dalians.count(), 20, 10)
        + first_and_more(own.gates.count(), 30, 12)
        + 5 * own.triangles.count() as i32
        + own.squares.count() as i32
}

/// Break the enemy's dalians and fill its gates, since it moves next.
fn deny(enemy: &Threats) -> i32 {
    first_and_more(enemy.dalians.count(), 90, 30)
        + first_and_more(enemy.double_dalians.count(), 20, 10)
        + first_and_more(enemy.gates.count(), 15, 20)
        + 5 * enemy.triangles.count() as i32
        + enemy.squares.count() as i32
}

fn first_and_more(count: u32, first: i32, more: i32) -> i32 {
    match count {
        0 => 0,
        count => first + more * (count as i32 - 1),
    }
}
