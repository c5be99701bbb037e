//! Tree search as a player, with a network or with random games.

use std::time::{Duration, Instant};

use engine::Game;
use engine::search::{Budget, Evaluations, Evaluator, Method, Params, Playouts, Tree, step};
use models::NetEvaluator;
use models::evaluator::Clock;

use super::player::{Player, Turn};
use super::spec::{MOST_SIMULATIONS, Thought};
use crate::interrupt;

/// Plain Monte-Carlo tree search: PUCT over equal priors.
pub(super) fn rollout_params() -> Params {
    Params {
        method: Method::Puct,
        exploration: ROLLOUT_EXPLORATION,
        first_play_reduction: 0.0,
        ..Params::default()
    }
}

/// Weight of exploration with values of whole games, which spread from -1 to 1.
const ROLLOUT_EXPLORATION: f64 = 1.5;

/// An evaluator that may have a network behind it.
pub(super) trait Clocked {
    fn clock(&self) -> Clock {
        Clock::default()
    }
}

impl<G: Game> Clocked for Playouts<G> {}

impl Clocked for NetEvaluator {
    fn clock(&self) -> Clock {
        self.clock
    }
}

/// One tree for each game that waits for a move; their leaves are one batch.
pub(super) struct Searcher<G: Game, E> {
    evaluator: E,
    params: Params,
    thought: Thought,
    trees: Vec<Tree<G>>,
    evaluations: Evaluations,
}

impl<G: Game, E: Evaluator<G>> Searcher<G, E> {
    pub fn new(evaluator: E, params: Params, thought: Thought) -> Self {
        // Sequential halving has to know the number of its simulations beforehand; PUCT can stop any time.
        let method = match thought {
            Thought::Simulations(_) => params.method,
            Thought::Time(_) => Method::Puct,
        };
        Searcher {
            evaluator,
            params: Params { method, ..params },
            thought,
            trees: Vec::new(),
            evaluations: Evaluations::default(),
        }
    }

    /// Searches until every search is over, the time is up, or the user wants to stop: at least as long as
    /// a root needs to know its moves.
    fn search(&mut self, games: usize) {
        let time = match self.thought {
            Thought::Simulations(_) => Duration::MAX,
            Thought::Time(time) => time,
        };
        let began = Instant::now();
        let trees = &mut self.trees[..games];
        let knows_moves = |tree: &Tree<G>| tree.simulations() > 0 || tree.proof().is_some();
        loop {
            let goes_on = step(trees.iter_mut(), &mut self.evaluator, &mut self.evaluations);
            let is_late = interrupt::requested() || began.elapsed() >= time;
            if !goes_on || (is_late && trees.iter().all(knows_moves)) {
                break;
            }
        }
    }
}

impl<G: Game, E: Evaluator<G> + Clocked + Send> Player<G> for Searcher<G, E> {
    fn choose(&mut self, turns: &mut [Turn<'_, G>]) {
        while self.trees.len() < turns.len() {
            self.trees.push(Tree::new(self.params, turns[0].position));
        }
        let simulations = match self.thought {
            Thought::Simulations(simulations) => simulations,
            Thought::Time(_) => MOST_SIMULATIONS,
        };
        for (turn, tree) in turns.iter().zip(self.trees.iter_mut()) {
            tree.begin(turn.position, Budget::play(simulations), turn.draws.clone());
        }
        self.search(turns.len());
        for (turn, tree) in turns.iter_mut().zip(self.trees.iter_mut()) {
            turn.verdict = Some(Ok(tree.verdict()));
        }
    }

    fn clock(&self) -> Clock {
        self.evaluator.clock()
    }
}
