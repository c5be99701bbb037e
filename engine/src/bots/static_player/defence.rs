//! Defence (S3): where a cube must not step.

use super::definitions::{Board, Direction, Place};

/// Numbers of two enemies that differ by more than this seldom strike together.
const NEAR_NUMBERS: u8 = 3;

/// Whether a step leads to where three enemies surround the cube.
fn meets_three_enemies(board: &Board, to: Place) -> bool {
    board.enemies_around(to).count() == 3
}

/// Whether a step leads to where two enemies with near numbers surround the cube.
fn meets_two_near_enemies(board: &Board, to: Place) -> bool {
    let numbers: Vec<_> = board.enemies_around(to).map(|(_, cube)| cube).collect();
    match numbers[..] {
        [one, other] => one.abs_diff(other) <= NEAR_NUMBERS,
        _ => false,
    }
}

/// The first of the preferred steps that defence allows. When it allows none, the first that does not
/// meet three enemies, and failing that the first. Steps off the board are passed over.
pub(super) fn first_allowed(
    board: &Board,
    from: Place,
    preferred: &[Direction],
) -> Option<Direction> {
    let steps = || {
        let on_board = |&step: &Direction| Some((step, from.to(step)?));
        preferred.iter().filter_map(on_board)
    };
    steps()
        .find(|&(_, to)| !meets_three_enemies(board, to) && !meets_two_near_enemies(board, to))
        .or_else(|| steps().find(|&(_, to)| !meets_three_enemies(board, to)))
        .or_else(|| steps().next())
        .map(|(step, _)| step)
}
