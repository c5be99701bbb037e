//! Seats: players by their specs, with all that they need loaded.

use std::sync::Arc;
use std::time::Duration;

use engine::Encode;
use engine::bots::alphabeta::{AlphaBeta, Budget as SearchBudget, Judge};
use engine::games::einstein::Einstein;
use engine::games::jiu::Jiu;
use engine::games::surakarta::Surakarta;
use engine::search::{Params, Playouts};
use models::artifact::variant_text;
use models::{ArtifactError, Forward, NetEvaluator, Ready};

use super::bots::{Patterns, Random};
use super::einstein::{ExactPlay, Static};
use super::engine::{Engine, EngineError, EngineSetup};
use super::player::Player;
use super::searcher::{Searcher, rollout_params};
use super::spec::{OtherGame, PlayerSpec, Thought};
use crate::interrupt::{self, Interrupted};
use crate::machine::Machine;
use crate::truth::{Truth, same};

/// A player that is ready to sit down: its files are loaded and shared by all its copies.
#[derive(Clone, Debug)]
pub struct Seat {
    spec: PlayerSpec,
    /// The network, and the search that it learned with.
    net: Option<(Arc<Forward>, Params)>,
    truth: Option<Arc<Truth>>,
    engine: Option<EngineSetup>,
    /// Learning step and hash of the net, if it has one.
    pub identity: Option<(u64, String)>,
    hash: String,
}

/// A player that cannot sit down.
#[derive(Debug, thiserror::Error)]
pub enum SeatError {
    /// A net that is missing, damaged, or made for something else.
    #[error(transparent)]
    Net(#[from] ArtifactError),
    /// A player of other games.
    #[error(transparent)]
    OtherGame(#[from] OtherGame),
    /// Its table cannot be used, or building one was interrupted.
    #[error(transparent)]
    Table(anyhow::Error),
    /// A program that cannot be started.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The user asked to stop.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

/// The longest that an external player's answer is waited for, unless a ladder says otherwise.
pub const WATCHDOG: Duration = Duration::from_secs(60);

impl Seat {
    /// Loads what the player needs for games of a variant.
    ///
    /// # Errors
    /// A player of another game; a file that is missing, damaged, or made for something else; a program that
    /// does not start.
    pub fn load<G: Encode>(
        spec: &PlayerSpec,
        variant: &G::Variant,
        machine: &Machine,
    ) -> Result<Seat, SeatError> {
        Seat::load_watched::<G>(spec, variant, machine, WATCHDOG)
    }

    /// The same, with the longest that an external player's answer is waited for.
    ///
    /// # Errors
    /// As [`Seat::load`].
    pub fn load_watched<G: Encode>(
        spec: &PlayerSpec,
        variant: &G::Variant,
        machine: &Machine,
        watchdog: Duration,
    ) -> Result<Seat, SeatError> {
        spec.knows::<G>()?;
        let mut seat = Seat {
            spec: spec.clone(),
            net: None,
            truth: None,
            engine: None,
            identity: None,
            hash: hash(spec.to_string().as_bytes()),
        };
        match spec {
            PlayerSpec::Net {
                path, evaluator, ..
            } => {
                let kernel = evaluator.unwrap_or(machine.kernel);
                let Ready {
                    origin,
                    hash,
                    forward,
                } = Ready::load::<G>(path, variant, &machine.device, kernel)?;
                seat.net = Some((Arc::new(forward), origin.search));
                seat.hash.clone_from(&hash);
                seat.identity = Some((origin.step, hash));
            }
            PlayerSpec::Engine { command, thought } => {
                let setup = EngineSetup {
                    command: command.clone(),
                    thought: *thought,
                    watchdog,
                    game: format!("{} {}", G::NAME, variant_text::<G>(variant)),
                };
                let name = match setup.greet() {
                    // A program that was interrupted has not failed.
                    Err(_) if interrupt::requested() => return Err(Interrupted.into()),
                    greeted => greeted?,
                };
                seat.hash = hash(format!("{spec} {name}").as_bytes());
                seat.engine = Some(setup);
            }
            PlayerSpec::Exact { tables } => {
                let truth = Truth::open_or_build(tables.as_deref(), machine.threads);
                seat.truth = Some(truth.map_err(SeatError::Table)?);
            }
            PlayerSpec::Random
            | PlayerSpec::Pattern
            | PlayerSpec::Static
            | PlayerSpec::Rollout { .. }
            | PlayerSpec::AlphaBeta(_) => {}
        }
        Ok(seat)
    }

    /// A net that is in memory already, with its learning step and the hash of its weights.
    pub fn of_net(
        forward: Arc<Forward>,
        search: Params,
        simulations: u32,
        identity: (u64, String),
    ) -> Seat {
        let spec = PlayerSpec::Net {
            path: "memory".into(),
            thought: Thought::Simulations(simulations),
            evaluator: None,
        };
        Seat {
            hash: identity.1.clone(),
            spec,
            net: Some((forward, search)),
            truth: None,
            engine: None,
            identity: Some(identity),
        }
    }

    /// The player's spec.
    pub fn spec(&self) -> &PlayerSpec {
        &self.spec
    }

    /// Eight digits that tell players apart: the hash of a net's weights, otherwise of the spec, with the
    /// name that an external player gives itself.
    pub fn hash(&self) -> &str {
        &self.hash
    }

    /// The same player with another budget for its moves.
    pub fn with_thought(&self, thought: Thought) -> Seat {
        Seat {
            spec: self.spec.with_thought(thought),
            ..self.clone()
        }
    }

    /// The player's spec; of a net also its step and weights.
    pub fn describe(&self) -> String {
        match &self.identity {
            Some((step, hash)) => format!("{} (step {step}, weights {hash})", self.spec),
            None => self.spec.to_string(),
        }
    }

    /// The player's net without any search, if it has one.
    pub fn net(&self) -> Option<NetEvaluator> {
        let (forward, _) = self.net.as_ref()?;
        Some(NetEvaluator::new(forward.clone(), NetEvaluator::KEPT))
    }

    /// A copy of the player for one task.
    pub fn player<G: Encode>(&self) -> Box<dyn Player<G>> {
        if let Some(setup) = &self.engine {
            return Box::new(Engine::new(setup.clone()));
        }
        match (&self.spec, &self.net) {
            (PlayerSpec::Rollout { thought }, _) => Box::new(Searcher::new(
                Playouts::default(),
                rollout_params(),
                *thought,
            )),
            (PlayerSpec::Net { thought, .. }, Some((forward, search))) => Box::new(Searcher::new(
                NetEvaluator::new(forward.clone(), NetEvaluator::KEPT),
                *search,
                *thought,
            )),
            (PlayerSpec::Random | PlayerSpec::Net { .. } | PlayerSpec::Engine { .. }, _) => {
                Box::new(Random)
            }
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

/// FNV-1a of some bytes, as eight hexadecimal digits.
fn hash(bytes: &[u8]) -> String {
    let hash = bytes.iter().fold(0x811C_9DC5_u32, |hash, &byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    });
    format!("{hash:08x}")
}

type MakeAlphaBeta<G> = fn(SearchBudget) -> Box<dyn Player<G>>;

fn alphabeta<G: Judge>(budget: SearchBudget) -> Box<dyn Player<G>> {
    Box::new(AlphaBeta::new(budget).stopped_by(interrupt::requested))
}
