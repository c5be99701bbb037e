//! The static player of EinStein by Zhou and Li (2014): rules of thumb, no search.
//!
//! W. Zhou, S. Li, "The Research of Static Algorithms in WTN Chess", Computer Knowledge and Technology
//! 10 (5), 2014. The sections named S1–S5 and every reading of the text are listed in
//! docs/rules/einstein-static.md. The player sees the board from its own side, so both colours play alike.

mod attack;
mod avoid;
mod cube;
mod defence;
mod definitions;
mod set_up;
mod weigh;

use crate::game::{Game, Side, Status};
use crate::games::einstein::{Cube, Einstein, Ply};
use definitions::{Board, Direction, Place};

/// The player's ply. The same position always gets the same ply.
///
/// # Panics
/// When no ply is due: the status must be `ToMove`.
pub fn choose(game: &Einstein) -> Ply {
    let Status::ToMove(mover) = game.status() else {
        panic!("the static player is asked when a ply is due")
    };
    let mut plies = Vec::new();
    game.moves(&mut plies);
    let Ply::Step { .. } = plies[0] else {
        return set_up::placement(&plies, mover);
    };
    let board = Board::of(game, mover);
    let (cube, from) = cube::choose_cube(&board, &movable(game, &plies, mover));
    let step = choose_step(&board, from);
    let to = from
        .to(step)
        .expect("the chosen step stays on the board")
        .square(mover);
    Ply::Step { cube, to }
}

/// Where the chosen cube goes: the first rule that applies decides.
fn choose_step(board: &Board, from: Place) -> Direction {
    attack::one_step_from_the_goal(board, from)
        .or_else(|| attack::take_the_last_enemy(board, from))
        .or_else(|| attack::take_a_dangerous_enemy(board, from))
        .or_else(|| avoid::avoid_own_cubes(board, from))
        .or_else(|| attack::run_when_annihilation_is_lost(board, from))
        .or_else(|| set_up::thin_out(board, from))
        .unwrap_or_else(|| attack::advance(board, from))
}

/// The cubes that the die allows, with their places; one or two (E4).
fn movable(game: &Einstein, plies: &[Ply], mover: Side) -> Vec<(Cube, Place)> {
    let mut cubes: Vec<_> = plies
        .iter()
        .filter_map(|ply| match ply {
            Ply::Step { cube, .. } => Some(*cube),
            Ply::Place { .. } => None,
        })
        .collect();
    cubes.dedup();
    let places = cubes.into_iter().filter_map(|cube| {
        let square = game.square_of(mover, cube)?;
        Some((cube, Place::of(square, mover)))
    });
    places.collect()
}
