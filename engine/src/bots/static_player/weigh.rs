//! The assessment that the rules refer to: what a capture gives the enemy, and which of two steps is better.

use super::definitions::{Board, Cell, Direction, Place};

/// The mobility of a side: over the six faces, how many cubes a face moves, divided by the living
/// cubes. It is 1 with six cubes and 6 with one.
fn mobility(alive: u8) -> f64 {
    let cubes = alive.count_ones();
    if cubes == 0 {
        return 0.0;
    }
    let (lowest, highest) = (alive.trailing_zeros(), alive.ilog2());
    // Faces between two living numbers move either of them (E4).
    let doubles = highest - lowest + 1 - cubes;
    f64::from(6 + doubles) / f64::from(cubes)
}

/// How much the enemy's mobility grows when its cube where the step leads is taken; 0 when none is.
pub(super) fn mobility_given(board: &Board, from: Place, direction: Direction) -> f64 {
    match board.ahead(from, direction) {
        Some(Cell::Enemy(cube)) => mobility(board.enemy & !(1 << cube)) - mobility(board.enemy),
        _ => 0.0,
    }
}

/// Whether taking the cube where the step leads frees the enemy greatly: each cube that is left moves,
/// on average, for at least one face more.
pub(super) fn frees_the_enemy_greatly(board: &Board, from: Place, direction: Direction) -> bool {
    mobility_given(board, from, direction) >= 1.0
}

/// Steps from the best to the worst: what gives the enemy less mobility, then what leaves fewer steps
/// to the goal, then what meets fewer enemies; of equal ones the order given stays.
pub(super) fn by_assessment(board: &Board, from: Place, steps: &[Direction]) -> Vec<Direction> {
    let mut sorted = steps.to_vec();
    let burden = |step: Direction| {
        from.to(step).map_or((f64::INFINITY, 0, 0), |to| {
            let given = mobility_given(board, from, step);
            (given, to.steps_to_goal(), board.enemies_around(to).count())
        })
    };
    sorted.sort_by(|&a, &b| {
        burden(a)
            .partial_cmp(&burden(b))
            .expect("mobility is a number")
    });
    sorted
}
