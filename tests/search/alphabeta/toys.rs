//! Trees with turns of several plies of one side.

use engine::bots::alphabeta::{AlphaBeta, Budget, Judge, MOST_PLIES};
use engine::draws::{Purpose, keyed};
use engine::{Game, Status};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::{agrees, search};
use crate::toy::Toy;

impl Judge for Toy {
    fn judge(&self) -> i32 {
        // Any fixed number for each node will do.
        (self.key().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 55) as i32 - 256
    }

    fn gain(&self, mv: u8) -> u32 {
        u32::from(mv == 1)
    }
}

/// Layers of nodes of either side; each points into the next layer, so turns have any number of plies.
fn random_tree(draws: &mut ChaCha8Rng) -> String {
    const LAYERS: usize = 7;
    const WIDTH: usize = 6;
    let mut tree = String::new();
    for layer in 0..LAYERS {
        for index in 0..if layer == 0 { 1 } else { WIDTH } {
            let end = layer + 1 == LAYERS || layer > 1 && draws.random_range(0..8) == 0;
            let node = if end {
                format!("= {}", ["1", "-1", "0"][draws.random_range(0..3)])
            } else {
                let next = |draws: &mut ChaCha8Rng| {
                    format!("n{}x{}", layer + 1, draws.random_range(0..WIDTH))
                };
                let to: Vec<_> = (0..draws.random_range(1..=4))
                    .map(|_| next(draws))
                    .collect();
                format!("{} {}", ["A", "B"][draws.random_range(0..2)], to.join(" "))
            };
            tree.push_str(&format!("n{layer}x{index}: {node}\n"));
        }
    }
    tree
}

#[test]
fn scores_follow_the_side_to_move_and_not_the_depth() {
    for number in 0..300 {
        let tree = random_tree(&mut keyed(4, Purpose::Start, number, 0));
        let position = Toy::new(&tree);
        if !matches!(position.status(), Status::ToMove(_)) {
            continue;
        }
        for depth in 1..=7 {
            agrees(&mut AlphaBeta::new(Budget::Depth(depth)), &position, depth);
        }
        let found = search(&position, Budget::Depth(7));
        assert_eq!(
            f64::from(found.score.signum()),
            position.exact().0,
            "{tree}"
        );
    }
}

#[test]
fn two_plies_of_one_side_are_two_choices_of_that_side() {
    // B could refute the left branch if the second ply were its own.
    let tree = "start: A left right\nleft: A win loss\nright: B win loss\nwin: = 1\nloss: = -1";
    let found = search(&Toy::new(tree), Budget::Depth(2));
    assert_eq!((found.best, f64::from(found.score.signum())), (0, 1.0));
}

#[test]
fn the_quicker_win_and_the_slower_loss_are_played() {
    let tree = "start: A slow quick\nslow: B on\non: A win\nquick: B win\nwin: = 1";
    assert_eq!(search(&Toy::new(tree), Budget::Depth(6)).best, 1);
    let tree = "start: B quick slow\nslow: A on\non: B win\nquick: A win\nwin: = 1";
    assert_eq!(search(&Toy::new(tree), Budget::Depth(6)).best, 1);
}

#[test]
fn a_tree_with_a_cycle_is_searched_to_the_cap_and_no_further() {
    let tree = "start: A there\nthere: B start";
    let found = search(&Toy::new(tree), Budget::Nodes(1_000_000));
    assert_eq!(found.depth, MOST_PLIES);
}
