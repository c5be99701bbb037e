//! Random playouts, as games and as an evaluator: the classical Monte-Carlo search.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::evaluator::{Evaluations, Evaluator, Leaf};
use crate::draws;
use crate::game::{Game, Outcome, Status};

/// Plays random plies to the end of the game. `moves` is working space.
pub fn playout<G: Game>(game: &mut G, moves: &mut Vec<G::Move>, draws: &mut ChaCha8Rng) -> Outcome {
    loop {
        match game.status() {
            Status::Over(outcome) => return outcome,
            Status::Rolling => {
                let roll = draws::roll(game, draws);
                game.settle(roll);
            }
            Status::ToMove(_) => {
                game.moves(moves);
                game.play(moves[draws.random_range(0..moves.len())]);
            }
        }
    }
}

/// Evaluates a position by one random game from it, all moves equally likely beforehand.
#[derive(Clone, Debug)]
pub struct Playouts<G: Game> {
    moves: Vec<G::Move>,
}

impl<G: Game> Default for Playouts<G> {
    fn default() -> Self {
        Playouts { moves: Vec::new() }
    }
}

impl<G: Game> Evaluator<G> for Playouts<G> {
    fn evaluate(&mut self, leaves: &mut [Leaf<'_, G>], out: &mut Evaluations) {
        for leaf in leaves {
            let mut game = leaf.position.clone();
            let outcome = playout(&mut game, &mut self.moves, leaf.draws);
            out.push_uniform(leaf.moves.len(), outcome.value());
        }
    }
}
