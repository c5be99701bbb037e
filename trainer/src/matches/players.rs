//! The players: whoever gets a set of positions and finds a move for each.

use std::sync::Arc;

use engine::bots::alphabeta::{AlphaBeta, Budget as SearchBudget, Judge};
use engine::bots::pattern_player;
use engine::games::einstein::Einstein;
use engine::games::jiu::Jiu;
use engine::games::surakarta::Surakarta;
use engine::search::{
    Budget, Evaluations, Evaluator, Params, Playouts, Searched, Tree, Verdict, finish,
};
use engine::{Encode, Game, Value};
use models::{Artifact, ArtifactError, Forward, NetEvaluator};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::einstein::{ExactPlay, Static};
use super::spec::{OtherGame, PlayerSpec};
use crate::machine::Machine;
use crate::truth::{Truth, same};

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

impl<G: Game> Turn<'_, G> {
    /// What the player has found.
    pub fn found(self) -> Verdict<G::Move> {
        self.verdict.expect("a player finds a move for every turn")
    }
}

/// A player that moves in many games at once.
pub trait Player<G: Game>: Send {
    /// Finds a move for every turn.
    fn choose(&mut self, turns: &mut [Turn<'_, G>]);

    /// What the player finds in one position.
    fn verdict(&mut self, position: &G, draws: ChaCha8Rng) -> Verdict<G::Move> {
        let mut turns = [Turn {
            position,
            draws,
            verdict: None,
        }];
        self.choose(&mut turns);
        let [turn] = turns;
        turn.found()
    }
}

/// Why a player cannot sit down.
#[derive(Debug, thiserror::Error)]
pub enum SeatError {
    /// A player of other games.
    #[error(transparent)]
    OtherGame(#[from] OtherGame),
    /// A net that is missing, damaged, or made for something else.
    #[error(transparent)]
    Net(#[from] ArtifactError),
    /// Its table cannot be used, or building one was interrupted.
    #[error(transparent)]
    Table(anyhow::Error),
}

/// A player that is ready to sit down: its files are loaded and shared by all its copies.
#[derive(Clone, Debug)]
pub struct Seat {
    spec: PlayerSpec,
    /// The network, and the search that it learned with.
    net: Option<(Arc<Forward>, Params)>,
    truth: Option<Arc<Truth>>,
    /// Learning step and hash of the net, if it has one.
    pub identity: Option<(u64, String)>,
}

impl Seat {
    /// Loads what the player needs for games of a variant.
    ///
    /// # Errors
    /// A player of another game, or a file that is missing, damaged, or made for something else.
    pub fn load<G: Encode>(
        spec: &PlayerSpec,
        variant: &G::Variant,
        machine: &Machine,
    ) -> Result<Seat, SeatError> {
        spec.knows::<G>()?;
        let mut seat = Seat {
            spec: spec.clone(),
            net: None,
            truth: None,
            identity: None,
        };
        match spec {
            PlayerSpec::Net {
                path, evaluator, ..
            } => {
                let artifact = Artifact::load::<G>(path, variant, &machine.device)?;
                let machine = Machine {
                    kernel: evaluator.unwrap_or(machine.kernel),
                    ..machine.clone()
                };
                let forward = machine.forward::<G>(&artifact.net, variant);
                seat.net = Some((forward, artifact.origin.search));
                seat.identity = Some((artifact.origin.step, artifact.hash));
            }
            PlayerSpec::Exact { tables } => {
                let truth = Truth::open_or_build(tables.as_deref(), machine.threads);
                seat.truth = Some(truth.map_err(SeatError::Table)?);
            }
            _ => {}
        }
        Ok(seat)
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
            truth: None,
            identity: None,
        }
    }

    /// The player's spec.
    pub fn spec(&self) -> &PlayerSpec {
        &self.spec
    }

    /// The player's net without any search, if it has one.
    pub fn net(&self) -> Option<NetEvaluator> {
        let (forward, _) = self.net.as_ref()?;
        Some(NetEvaluator::new(forward.clone()))
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
            (PlayerSpec::Random | PlayerSpec::Net { .. }, _) => Box::new(Random),
            _ => self.of_one_game().expect("load refuses other games"),
        }
    }

    /// The player, if it plays one of a few games alone and `G` is among them.
    fn of_one_game<G: Encode>(&self) -> Option<Box<dyn Player<G>>> {
        match (&self.spec, &self.truth) {
            (PlayerSpec::Static, _) => same::<Box<dyn Player<Einstein>>, _>(Box::new(Static)),
            (PlayerSpec::Exact { .. }, Some(truth)) => {
                same::<Box<dyn Player<Einstein>>, _>(Box::new(ExactPlay {
                    truth: truth.clone(),
                }))
            }
            (PlayerSpec::Pattern, _) => same::<Box<dyn Player<Jiu>>, _>(Box::new(Patterns)),
            (PlayerSpec::AlphaBeta(budget), _) => {
                // Of the makers only that of `G` is called: a player holds a table.
                let surakarta: MakeAlphaBeta<Surakarta> = alphabeta;
                let jiu: MakeAlphaBeta<Jiu> = alphabeta;
                let make: MakeAlphaBeta<G> = same(surakarta).or_else(|| same(jiu))?;
                Some(make(*budget))
            }
            _ => None,
        }
    }
}

type MakeAlphaBeta<G> = fn(SearchBudget) -> Box<dyn Player<G>>;

fn alphabeta<G: Judge>(budget: SearchBudget) -> Box<dyn Player<G>> {
    Box::new(AlphaBeta::new(budget))
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
