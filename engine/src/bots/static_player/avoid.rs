//! Avoiding own cubes (S2.3): with three or fewer cubes left, losing one by one's own hand risks annihilation.

use super::defence::first_allowed;
use super::definitions::{Board, Cell, Direction, Place};
use super::weigh::{by_assessment, frees_the_enemy_greatly};
use Direction::{Across, Along, Diagonal};

/// With so few own cubes, none is taken by its own side.
pub(super) const FEW_CUBES: u32 = 3;

/// What a case looks at in a cell.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sight {
    Empty,
    Own,
    Enemy,
}

/// S2.3: the step that avoids an own cube around the chosen one. Applies with three or fewer own cubes
/// when an own cube stands around and another step is there.
pub(super) fn avoid_own_cubes(board: &Board, from: Place) -> Option<Direction> {
    if board.own.count_ones() > FEW_CUBES || board.own_around(from).next().is_none() {
        return None;
    }
    let sight = |direction| match board.ahead(from, direction)? {
        Cell::Empty => Some(Sight::Empty),
        Cell::Own(_) => Some(Sight::Own),
        Cell::Enemy(_) => Some(Sight::Enemy),
    };
    // On an edge only one step is left, so a cube before it cannot be avoided.
    let preferred = drawn_case(
        board,
        from,
        [sight(Diagonal)?, sight(Across)?, sight(Along)?],
    );
    first_allowed(board, from, &preferred)
}

/// The fifteen drawn cases by what stands diagonally, across and along: the steps that the case allows,
/// best first. The three cases with two own cubes and an empty cell, which are not drawn, leave one step.
fn drawn_case(board: &Board, from: Place, around: [Sight; 3]) -> Vec<Direction> {
    use Sight::{Empty, Enemy, Own};
    match around {
        // Case 1.
        [Own, Empty, Empty] => by_assessment(board, from, &[Across, Along]),
        // Cases 2 and 3: the diagonal is the fastest way.
        [Empty, Empty, Own] => vec![Diagonal, Across],
        [Empty, Own, Empty] => vec![Diagonal, Along],
        // Cases 4 and 5.
        [Own, Empty, Enemy] => enemy_or_empty(board, Along, Across),
        [Own, Enemy, Empty] => enemy_or_empty(board, Across, Along),
        // Cases 6 and 7: the diagonal, as the last enemy has been taken by an earlier rule.
        [Empty, Own, Enemy] => vec![Diagonal, Along],
        [Empty, Enemy, Own] => vec![Diagonal, Across],
        // Cases 8 and 9.
        [Enemy, Empty, Own] => diagonal_enemy_or_empty(board, from, Across),
        [Enemy, Own, Empty] => diagonal_enemy_or_empty(board, from, Along),
        // Case 10.
        [Own, Enemy, Enemy] => by_assessment(board, from, &[Across, Along]),
        // Cases 11 and 12.
        [Enemy, Enemy, Own] => vec![Diagonal, Across],
        [Enemy, Own, Enemy] => vec![Diagonal, Along],
        // Cases 13, 14 and 15.
        [Enemy, Own, Own] => vec![Diagonal],
        [Own, Enemy, Own] => vec![Across],
        [Own, Own, Enemy] => vec![Along],
        // Not drawn.
        [Empty, Own, Own] => vec![Diagonal],
        [Own, Empty, Own] => vec![Across],
        [Own, Own, Empty] => vec![Along],
        [Own, Own, Own] | [Empty | Enemy, Empty | Enemy, Empty | Enemy] => Vec::new(),
    }
}

/// Cases 4 and 5: take the enemy, or spare it when annihilation is lost (S2.2).
fn enemy_or_empty(board: &Board, enemy: Direction, empty: Direction) -> Vec<Direction> {
    if board.annihilation_is_lost() {
        vec![empty, enemy]
    } else {
        vec![enemy, empty]
    }
}

/// Cases 8 and 9: take the diagonal enemy unless that frees the others greatly or, as in cases 4 and 5,
/// annihilation is lost.
fn diagonal_enemy_or_empty(board: &Board, from: Place, empty: Direction) -> Vec<Direction> {
    if board.annihilation_is_lost() || frees_the_enemy_greatly(board, from, Diagonal) {
        vec![empty, Diagonal]
    } else {
        vec![Diagonal, empty]
    }
}
