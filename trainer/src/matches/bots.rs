//! Players that need neither a network nor a file.

use engine::bots::alphabeta::{AlphaBeta, Judge};
use engine::bots::pattern_player;
use engine::games::jiu::Jiu;
use engine::search::{Searched, Verdict};
use engine::{Game, Value};
use rand::RngExt;

use super::player::{Player, Turn};

/// Every legal move is equally likely.
pub(super) struct Random;

impl<G: Game> Player<G> for Random {
    fn choose(&mut self, turns: &mut [Turn<'_, G>]) {
        let mut moves = Vec::new();
        for turn in turns {
            turn.position.moves(&mut moves);
            let best = moves[turn.draws.random_range(0..moves.len())];
            turn.verdict = Some(Ok(unsearched(best, &moves)));
        }
    }
}

/// The pattern player of Jiu (docs/rules/jiu.md).
pub(super) struct Patterns;

impl Player<Jiu> for Patterns {
    fn choose(&mut self, turns: &mut [Turn<'_, Jiu>]) {
        let mut moves = Vec::new();
        for turn in turns {
            turn.position.moves(&mut moves);
            let best = pattern_player::choose(turn.position, &mut turn.draws);
            turn.verdict = Some(Ok(unsearched(best, &moves)));
        }
    }
}

/// A verdict that rests on no search: all moves are equal.
pub(super) fn unsearched<M: Copy>(best: M, moves: &[M]) -> Verdict<M> {
    let share = 1.0 / moves.len() as f64;
    let searched = |&mv: &M| Searched {
        mv,
        share,
        prior: share,
        visits: 0,
        value: None,
    };
    Verdict {
        best,
        value: Value(0.0),
        proven: false,
        depth: None,
        moves: moves.iter().map(searched).collect(),
    }
}

impl<G: Judge> Player<G> for AlphaBeta<G> {
    fn choose(&mut self, turns: &mut [Turn<'_, G>]) {
        for turn in turns {
            let found = self.search(turn.position, &mut turn.draws);
            turn.verdict = Some(Ok(found.verdict()));
        }
    }
}
