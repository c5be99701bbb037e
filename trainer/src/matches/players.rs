//! The players: whoever gets a set of positions and finds a move for each.

use std::sync::Arc;

use engine::search::{
    Budget, Evaluations, Evaluator, Params, Playouts, Searched, Tree, Verdict, finish,
};
use engine::{Encode, Game, Value};
use models::{Artifact, ArtifactError, Forward, NetEvaluator};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::spec::PlayerSpec;
use crate::machine::Machine;

/// A position in which a player has to move.
#[derive(Debug)]
pub struct Turn<'a, G: Game> {
    /// The position; a side is to move.
    pub position: &'a G,
    /// The randomness of this move.
    pub draws: ChaCha8Rng,
    /// What the player finds.
    pub verdict: Option<Verdict<G::Move>>,
}

/// A player that moves in many games at once.
pub trait Player<G: Game>: Send {
    /// Finds a move for every turn.
    fn choose(&mut self, turns: &mut [Turn<'_, G>]);
}

/// A player that is ready to sit down: its files are loaded and shared by all its copies.
#[derive(Clone, Debug)]
pub struct Seat {
    spec: PlayerSpec,
    forward: Option<Arc<Forward>>,
    /// Learning step and hash of the net, if it has one.
    pub identity: Option<(u64, String)>,
}

impl Seat {
    /// Loads what the player needs for games of a variant.
    ///
    /// # Errors
    /// A net that is missing, damaged, or made for something else.
    pub fn load<G: Encode>(
        spec: &PlayerSpec,
        variant: &G::Variant,
        machine: &Machine,
    ) -> Result<Seat, ArtifactError> {
        let PlayerSpec::Net {
            path, evaluator, ..
        } = spec
        else {
            return Ok(Seat {
                spec: spec.clone(),
                forward: None,
                identity: None,
            });
        };
        let artifact = Artifact::load::<G>(path, variant, &machine.device)?;
        let machine = Machine {
            kernel: evaluator.unwrap_or(machine.kernel),
            ..machine.clone()
        };
        Ok(Seat {
            spec: spec.clone(),
            forward: Some(machine.forward::<G>(&artifact.net, variant)),
            identity: Some((artifact.origin.step, artifact.hash)),
        })
    }

    /// A net that is in memory already.
    pub fn of_net(forward: Arc<Forward>, simulations: u32) -> Seat {
        Seat {
            spec: PlayerSpec::Net {
                path: "memory".into(),
                simulations,
                evaluator: None,
            },
            forward: Some(forward),
            identity: None,
        }
    }

    /// The player's spec.
    pub fn spec(&self) -> &PlayerSpec {
        &self.spec
    }

    /// A copy of the player for one task.
    pub fn player<G: Encode>(&self) -> Box<dyn Player<G>> {
        match (&self.spec, &self.forward) {
            (PlayerSpec::Rollout { simulations }, _) => Box::new(Searcher::new(
                Playouts::default(),
                rollout_params(),
                *simulations,
            )),
            (PlayerSpec::Net { simulations, .. }, Some(forward)) => Box::new(Searcher::new(
                NetEvaluator::new(forward.clone()),
                Params::default(),
                *simulations,
            )),
            _ => Box::new(Random),
        }
    }
}

/// Plain Monte-Carlo tree search: PUCT over equal priors.
fn rollout_params() -> Params {
    Params {
        method: engine::search::Method::Puct,
        exploration: ROLLOUT_EXPLORATION,
        first_play_reduction: 0.0,
        ..Params::default()
    }
}

/// Weight of exploration with values of whole games, which spread from -1 to 1.
const ROLLOUT_EXPLORATION: f64 = 1.5;

struct Random;

impl<G: Game> Player<G> for Random {
    fn choose(&mut self, turns: &mut [Turn<'_, G>]) {
        let mut moves = Vec::new();
        for turn in turns {
            turn.position.moves(&mut moves);
            let best = moves[turn.draws.random_range(0..moves.len())];
            turn.verdict = Some(unsearched(best, &moves));
        }
    }
}

/// A verdict that rests on no search: all moves are equal.
fn unsearched<M: Copy>(best: M, moves: &[M]) -> Verdict<M> {
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
        moves: moves.iter().map(searched).collect(),
    }
}

struct Searcher<G: Game, E> {
    evaluator: E,
    params: Params,
    simulations: u32,
    trees: Vec<Tree<G>>,
    evaluations: Evaluations,
}

impl<G: Game, E: Evaluator<G>> Searcher<G, E> {
    fn new(evaluator: E, params: Params, simulations: u32) -> Self {
        Searcher {
            evaluator,
            params,
            simulations,
            trees: Vec::new(),
            evaluations: Evaluations::default(),
        }
    }
}

impl<G: Game, E: Evaluator<G> + Send> Player<G> for Searcher<G, E> {
    fn choose(&mut self, turns: &mut [Turn<'_, G>]) {
        while self.trees.len() < turns.len() {
            self.trees.push(Tree::new(self.params, turns[0].position));
        }
        let trees = &mut self.trees[..turns.len()];
        for (turn, tree) in turns.iter().zip(trees.iter_mut()) {
            tree.begin(
                turn.position,
                Budget::play(self.simulations),
                turn.draws.clone(),
            );
        }
        finish(trees, &mut self.evaluator, &mut self.evaluations);
        for (turn, tree) in turns.iter_mut().zip(trees.iter_mut()) {
            turn.verdict = Some(tree.verdict());
        }
    }
}
