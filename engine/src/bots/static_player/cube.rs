//! Which cube moves when the die allows two (S5): the published scores.

use super::attack::DANGER_STEPS;
use super::definitions::{Board, Place};
use crate::games::einstein::Cube;

/// The cube reaches the goal in one step.
const ONE_STEP_TO_GOAL: u32 = 10_000;
/// An enemy around the cube would win with its next step.
const ENEMY_ONE_STEP_FROM_START: u32 = 5_000;
/// The cube reaches the goal in two steps.
const TWO_STEPS_TO_GOAL: u32 = 1_000;
/// An enemy around the cube is within two steps of the mover's start.
const ENEMY_NEAR_START: u32 = 500;

/// S5: the cube with the higher score moves; of equal ones the smaller number.
pub(super) fn choose_cube(board: &Board, movable: &[(Cube, Place)]) -> (Cube, Place) {
    movable
        .iter()
        .copied()
        .reduce(|best, next| {
            if score(board, next.1) > score(board, best.1) {
                next
            } else {
                best
            }
        })
        .expect("a die always moves some cube (E4)")
}

/// S5: the published scores of a cube by its place.
fn score(board: &Board, place: Place) -> u32 {
    let to_goal = match place.steps_to_goal() {
        1 => ONE_STEP_TO_GOAL,
        2 => TWO_STEPS_TO_GOAL,
        _ => 0,
    };
    let nearest = board
        .enemies_around(place)
        .filter_map(|(step, _)| Some(place.to(step)?.steps_to_start()))
        .min();
    let danger = match nearest {
        Some(0..=1) => ENEMY_ONE_STEP_FROM_START,
        Some(steps) if steps <= DANGER_STEPS => ENEMY_NEAR_START,
        _ => 0,
    };
    to_goal + danger + by_coordinates(place)
}

/// Points by the coordinates, always fewer than the smallest score: fewer steps to the goal, then beyond
/// the side diagonal, then on the main diagonal.
fn by_coordinates(place: Place) -> u32 {
    let near = u32::from(4 - place.steps_to_goal());
    100 * near
        + 10 * u32::from(place.is_beyond_side_diagonal())
        + u32::from(place.is_on_main_diagonal())
}
