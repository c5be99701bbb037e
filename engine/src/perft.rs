//! Perft: the number of move paths of a given length, the standard check of a move generator.

use crate::game::{Game, Status};

/// Games whose paths can be counted.
pub trait Perft: Game {
    /// Paths of `depth` moves from here; every chance outcome is followed and takes no depth.
    /// A game that ends sooner contributes nothing.
    fn perft(&self, depth: u32) -> u64 {
        perft_by_plies(self, depth)
    }

    /// The position from which published counts start.
    fn perft_start(variant: &Self::Variant) -> Self;

    /// The paths of `depth` moves, at least 1, below each first move; chance outcomes stand in front of it.
    fn divide(&self, depth: u32) -> Vec<(String, u64)> {
        divide_by_plies(self, depth)
    }
}

/// The paths below each first ply, for any game.
pub fn divide_by_plies<G: Perft>(game: &G, depth: u32) -> Vec<(String, u64)> {
    let mut divided = Vec::new();
    for &(roll, _) in game.rolls() {
        let mut rolled = game.clone();
        rolled.settle(roll);
        let below = divide_by_plies(&rolled, depth).into_iter();
        divided.extend(below.map(|(mv, nodes)| (format!("{}:{mv}", roll.0 + 1), nodes)));
    }
    let mut moves = Vec::new();
    game.moves(&mut moves);
    for mv in moves {
        let mut next = game.clone();
        next.play(mv);
        divided.push((game.move_text(mv), next.perft(depth - 1)));
    }
    divided
}

/// Counts paths of `depth` plies by walking them all, for any game.
pub fn perft_by_plies<G: Game>(game: &G, depth: u32) -> u64 {
    // One move list a level: the recursion is as deep as the caller asks, not as long as a game.
    let mut lists = vec![Vec::new(); depth as usize + 1];
    walk(game, &mut lists)
}

fn walk<G: Game>(game: &G, lists: &mut [Vec<G::Move>]) -> u64 {
    let Some((list, deeper)) = lists.split_last_mut() else {
        unreachable!("perft keeps a list for every depth")
    };
    if deeper.is_empty() {
        return 1;
    }
    match game.status() {
        Status::Over(_) => 0,
        Status::Rolling => {
            let mut nodes = 0;
            for &(roll, _) in game.rolls() {
                let mut rolled = game.clone();
                rolled.settle(roll);
                nodes += walk(&rolled, lists);
            }
            nodes
        }
        Status::ToMove(_) => {
            game.moves(list);
            let mut nodes = 0;
            for &mv in list.iter() {
                let mut next = game.clone();
                next.play(mv);
                nodes += walk(&next, deeper);
            }
            nodes
        }
    }
}
