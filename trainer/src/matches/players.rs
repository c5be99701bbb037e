//! The players: whoever gets a set of positions and finds a move for each.

use std::any::{Any, TypeId};
use std::sync::Arc;

use engine::bots::alphabeta::{AlphaBeta, Budget as SearchBudget, Judge};
use engine::bots::pattern_player;
use engine::games::jiu::Jiu;
use engine::games::surakarta::Surakarta;
use engine::search::{
    Budget, Evaluations, Evaluator, Params, Playouts, Searched, Tree, Verdict, finish,
};
use engine::{Encode, Game, Value};
use models::{Artifact, ArtifactError, Forward, NetEvaluator};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::spec::{OtherGame, PlayerSpec};
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

/// Why a player cannot sit down.
#[derive(Debug, thiserror::Error)]
pub enum SeatError {
    /// A net that is missing, damaged, or made for something else.
    #[error(transparent)]
    Net(#[from] ArtifactError),
    /// A player of other games.
    #[error(transparent)]
    OtherGame(#[from] OtherGame),
}

/// A player that is ready to sit down: its files are loaded and shared by all its copies.
#[derive(Clone, Debug)]
pub struct Seat {
    spec: PlayerSpec,
    /// The network, and the search that it learned with.
    net: Option<(Arc<Forward>, Params)>,
    /// Learning step and hash of the net, if it has one.
    pub identity: Option<(u64, String)>,
}

impl Seat {
    /// Loads what the player needs for games of a variant.
    ///
    /// # Errors
    /// A net that is missing, damaged, or made for something else; a player of other games.
    pub fn load<G: Encode>(
        spec: &PlayerSpec,
        variant: &G::Variant,
        machine: &Machine,
    ) -> Result<Seat, SeatError> {
        spec.knows::<G>()?;
        let PlayerSpec::Net {
            path, evaluator, ..
        } = spec
        else {
            return Ok(Seat {
                spec: spec.clone(),
                net: None,
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
            net: Some((
                machine.forward::<G>(&artifact.net, variant),
                artifact.origin.search,
            )),
            identity: Some((artifact.origin.step, artifact.hash)),
        })
    }

    /// A net that is in memory already.
    pub fn of_net(forward: Arc<Forward>, search: Params, simulations: u32) -> Seat {
        Seat {
            spec: PlayerSpec::Net {
                path: "memory".into(),
                simulations,
                evaluator: None,
            },
            net: Some((forward, search)),
            identity: None,
        }
    }

    /// The player's spec.
    pub fn spec(&self) -> &PlayerSpec {
        &self.spec
    }

    /// A copy of the player for one task.
    pub fn player<G: Encode>(&self) -> Box<dyn Player<G>> {
        match (&self.spec, &self.net) {
            (PlayerSpec::Rollout { simulations }, _) => Box::new(Searcher::new(
                Playouts::default(),
                rollout_params(),
                *simulations,
            )),
            (PlayerSpec::Net { simulations, .. }, Some((forward, search))) => Box::new(
                Searcher::new(NetEvaluator::new(forward.clone()), *search, *simulations),
            ),
            (PlayerSpec::Pattern, _) => {
                of_game::<Jiu, G>(|| Box::new(Patterns)).expect("load refuses other games")
            }
            (PlayerSpec::AlphaBeta(budget), _) => of_game::<Surakarta, G>(|| alphabeta(*budget))
                .or_else(|| of_game::<Jiu, G>(|| alphabeta(*budget)))
                .expect("load refuses other games"),
            _ => Box::new(Random),
        }
    }
}

fn alphabeta<G: Judge>(budget: SearchBudget) -> Box<dyn Player<G>> {
    Box::new(AlphaBeta::new(budget))
}

/// A player of the game `Own` as a player of `G`, if they are the same game.
fn of_game<Own: Game, G: Game>(
    player: impl FnOnce() -> Box<dyn Player<Own>>,
) -> Option<Box<dyn Player<G>>> {
    if TypeId::of::<Own>() != TypeId::of::<G>() {
        return None;
    }
    let player: Box<dyn Any> = Box::new(player());
    player.downcast().ok().map(|player| *player)
}

impl<G: Judge> Player<G> for AlphaBeta<G> {
    fn choose(&mut self, turns: &mut [Turn<'_, G>]) {
        for turn in turns {
            let found = self.search(turn.position, &mut turn.draws);
            turn.verdict = Some(found.verdict());
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

struct Patterns;

impl Player<Jiu> for Patterns {
    fn choose(&mut self, turns: &mut [Turn<'_, Jiu>]) {
        let mut moves = Vec::new();
        for turn in turns {
            turn.position.moves(&mut moves);
            let best = pattern_player::choose(turn.position, &mut turn.draws);
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
        depth: None,
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
