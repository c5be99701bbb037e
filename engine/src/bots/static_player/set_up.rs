//! The set-up (S4): 2, 4 and 6 outside, 1, 3 and 5 inside, and thinning out the outer cubes.

use super::avoid::FEW_CUBES;
use super::defence::first_allowed;
use super::definitions::{Board, Cell, Direction, Place};
use crate::game::Side;
use crate::games::einstein::Ply;

/// S4: the places of the cubes 1 to 6. Each of 1, 3 and 5 has the next larger number before it, and the
/// outer line towards the enemy holds 2, 4 and 6. Seen from Red: 1 on B5, 2 on C5, 3 on A5, 4 on B4,
/// 5 on A4, 6 on A3.
const PLACES: [Place; 6] = [
    Place { row: 0, column: 1 },
    Place { row: 0, column: 2 },
    Place { row: 0, column: 0 },
    Place { row: 1, column: 1 },
    Place { row: 1, column: 0 },
    Place { row: 2, column: 0 },
];

/// The placement of the cube that is due. If a cube already stands on its place, the first free one.
pub(super) fn placement(plies: &[Ply], mover: Side) -> Ply {
    let planned = plies.iter().find(|ply| match ply {
        Ply::Place { cube, square } => *square == PLACES[usize::from(cube.0)].square(mover),
        Ply::Step { .. } => false,
    });
    *planned.unwrap_or(&plies[0])
}

/// S4: while more than three own cubes live, a cube 1, 3 or 5 takes a cube 2, 4 or 6 around it, so that
/// the rest moves for more faces. An outer cube that has left its home zone is a vanguard and spared.
pub(super) fn thin_out(board: &Board, from: Place) -> Option<Direction> {
    let is_inner = matches!(board.at(from), Cell::Own(cube) if cube % 2 == 0);
    if board.own.count_ones() <= FEW_CUBES || !is_inner {
        return None;
    }
    let outer: Vec<_> = board
        .own_around(from)
        .filter(|&(_, cube)| cube % 2 == 1)
        .map(|(step, _)| step)
        .filter(|&step| from.to(step).is_some_and(is_at_home))
        .collect();
    first_allowed(board, from, &outer)
}

/// Whether a place belongs to the mover's home zone (E1).
fn is_at_home(place: Place) -> bool {
    place.row + place.column <= 2
}
