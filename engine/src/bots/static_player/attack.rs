//! Attack (S2): to the goal, captures, the race when annihilation is lost, and the plain advance.

use super::defence::first_allowed;
use super::definitions::{Board, Cell, Direction, GOAL, Place};
use super::weigh::{by_assessment, frees_the_enemy_greatly};
use Direction::{Across, Along, Diagonal};

/// An enemy with no more steps than this to the mover's start is dangerous (S2.4).
pub(super) const DANGER_STEPS: u8 = 2;

/// S2.1: a cube one step from the goal goes there, whatever stands around it.
pub(super) fn one_step_from_the_goal(_: &Board, from: Place) -> Option<Direction> {
    Direction::ALL
        .into_iter()
        .find(|&step| from.to(step) == Some(GOAL))
}

/// S2.4: the only enemy cube is taken, which wins by annihilation.
pub(super) fn take_the_last_enemy(board: &Board, from: Place) -> Option<Direction> {
    let (step, _) = board.enemies_around(from).next()?;
    (board.enemies() == 1).then_some(step)
}

/// S2.4: an enemy around the cube that is within two steps of the mover's start is taken; of several the
/// one nearest to it, and of equally near ones as the four drawn cases say.
pub(super) fn take_a_dangerous_enemy(board: &Board, from: Place) -> Option<Direction> {
    let dangerous: Vec<_> = board
        .enemies_around(from)
        .filter_map(|(step, _)| Some((step, from.to(step)?.steps_to_start())))
        .filter(|&(_, steps)| steps <= DANGER_STEPS)
        .collect();
    let nearest = dangerous.iter().map(|&(_, steps)| steps).min()?;
    let threats: Vec<_> = dangerous
        .into_iter()
        .filter(|&(_, steps)| steps == nearest)
        .map(|(step, _)| step)
        .collect();
    Some(which_enemy_to_take(board, from, &threats))
}

/// S2.4, the four drawn cases: which of the enemies before the cube it takes.
fn which_enemy_to_take(board: &Board, from: Place, enemies: &[Direction]) -> Direction {
    match *enemies {
        [only] => only,
        // Case 1: the one whose loss changes the enemy's mobility less.
        [Across, Along] => by_assessment(board, from, enemies)[0],
        // Case 4: not the diagonal one if its loss frees the enemy greatly.
        [Diagonal, Across, Along] if frees_the_enemy_greatly(board, from, Diagonal) => {
            by_assessment(board, from, &[Across, Along])[0]
        }
        // Cases 2 and 3, and 4 otherwise: the diagonal step comes nearer to the enemy's start.
        _ => Diagonal,
    }
}

/// S2.2: when annihilation is lost the cube runs by the shortest way and spares enemy cubes, whose loss
/// would only make the others more mobile. It prefers the diagonal.
pub(super) fn run_when_annihilation_is_lost(board: &Board, from: Place) -> Option<Direction> {
    if !board.annihilation_is_lost() {
        return None;
    }
    let mut steps = Direction::ALL;
    // The sort is stable: of equal steps the diagonal one stays first.
    steps.sort_by_key(|&step| {
        let to_goal = from.to(step).map_or(u8::MAX, Place::steps_to_goal);
        let takes = match board.ahead(from, step) {
            Some(Cell::Own(_)) => 2,
            Some(Cell::Enemy(_)) => 1,
            Some(Cell::Empty) | None => 0,
        };
        (to_goal, takes)
    });
    first_allowed(board, from, &steps)
}

/// What is left when no rule applies: to the goal by the shortest way (S4), the diagonal first, without
/// taking own cubes and without freeing the enemy greatly.
pub(super) fn advance(board: &Board, from: Place) -> Direction {
    let mut steps = Direction::ALL;
    steps.sort_by_key(|&step| {
        let takes_own = matches!(board.ahead(from, step), Some(Cell::Own(_)));
        let to_goal = from.to(step).map_or(u8::MAX, Place::steps_to_goal);
        let frees = frees_the_enemy_greatly(board, from, step);
        (takes_own, frees, to_goal)
    });
    first_allowed(board, from, &steps).expect("a cube off its goal has a step (E7)")
}
