//! Which enemy stones are taken for squares.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::{reply, worth};
use crate::bits::Wide;
use crate::game::{Game, Side};
use crate::games::jiu::{Due, Jiu, Move, Spot};

/// Stones that are compared by the enemy's reply: the first by what their loss does to the shapes.
const COMPARED: usize = 6;

/// The stone to take; of equally good ones a drawn one.
pub(super) fn stone(game: &Jiu, mover: Side, draws: &mut ChaCha8Rng) -> Move {
    let drawn = draws.random();
    best(game, mover, drawn)
}

/// Takes all stones that are owed, each the best at its time.
pub(super) fn take_owed(game: &mut Jiu, mover: Side) {
    while let Due::Take { .. } = game.due() {
        let best = best(game, mover, 0);
        game.play(best);
    }
}

/// The best stone to take. Candidates are the stones whose loss breaks most of the enemy's dalians and
/// gates or opens gates to the mover, and those that the enemy's best reply needs.
fn best(game: &Jiu, mover: Side, drawn: u64) -> Move {
    let enemy = game.stones(mover.other());
    let mut candidates = threatening(game, mover, enemy) | breaking(game, mover, enemy, drawn);
    candidates = candidates & enemy;
    let ranked = candidates.iter().map(|at| {
        let mut next = *game;
        next.play(Move::Take(Spot(at)));
        (worth_without(&next, mover), lot(drawn, at), at)
    });
    let best = ranked.max().map(|(_, _, at)| at);
    Move::Take(Spot(best.expect("an owed stone can be taken (J7)")))
}

/// The stones that the enemy's best reply needs.
fn threatening(game: &Jiu, mover: Side, enemy: Wide) -> Wide {
    reply::best(&game.begun_by(mover.other())).stones & enemy
}

/// The stones whose loss changes the shapes most in the mover's favour.
fn breaking(game: &Jiu, mover: Side, enemy: Wide, drawn: u64) -> Wide {
    let mut ranked = [(i32::MIN, 0, 0); COMPARED];
    for at in enemy {
        let mut next = *game;
        next.play(Move::Take(Spot(at)));
        let entry = (worth::shapes(&next, mover), lot(drawn, at), at);
        if let Some(place) = ranked.iter().position(|other| entry > *other) {
            ranked[place..].rotate_right(1);
            ranked[place] = entry;
        }
    }
    ranked
        .iter()
        .filter(|(worth, ..)| *worth > i32::MIN)
        .map(|&(.., at)| at)
        .collect()
}

/// What the position is worth once a stone is gone, more stones perhaps still owed.
fn worth_without(next: &Jiu, mover: Side) -> i32 {
    if matches!(next.due(), Due::Take { .. }) {
        worth::after_turn(&next.begun_by(mover.other()), mover)
    } else {
        worth::after_turn(next, mover)
    }
}

/// A lot for a point: equally good stones are told apart by it.
fn lot(drawn: u64, at: u8) -> u64 {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
    (drawn ^ u64::from(at))
        .wrapping_mul(ODD)
        .rotate_left(29)
        .wrapping_mul(ODD)
}
