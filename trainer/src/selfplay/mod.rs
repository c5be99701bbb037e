//! Self-play: groups of games in progress that step in lockstep, one batch of evaluations a step.

mod found;
mod group;
mod slot;

pub use found::Found;
pub use group::{Group, GroupState};
pub use slot::{Resignations, SlotState};

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use engine::Shape;
use models::evaluator::Clock;
use models::{Forward, Net, NetEvaluator};

use crate::config::{Config, GameSection};
use crate::dispatch::Playable;
use crate::interrupt;
use crate::machine::Machine;
use crate::progress::Progress;
use crate::record::GameRecord;
use crate::truth::{ExactLeaves, Truth};
use crate::workers;

/// What a round of self-play did, besides its games.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Effort {
    /// Evaluations, and the time inside the network summed over threads.
    pub clock: Clock,
    /// Wall time in seconds.
    pub seconds: f64,
    /// Threads that played.
    pub threads: usize,
    /// Leaf values that came from exact tables.
    pub exact_leaves: u64,
    /// Policies and values that were not finite and were replaced.
    pub repaired: u64,
    /// How often a resignation would have been wrong.
    pub resignations: Resignations,
}

impl Effort {
    /// The share of the threads' time that was spent inside the network.
    pub fn evaluation_share(&self) -> f64 {
        self.clock.busy.as_secs_f64() / (self.seconds * self.threads as f64).max(f64::MIN_POSITIVE)
    }
}

/// The net that acts.
#[derive(Clone, Debug)]
pub struct Acting {
    /// The network.
    pub net: Net,
    /// The learning step it is from.
    pub step: u64,
    /// The network made ready to evaluate, once for each size of board.
    forwards: Vec<Arc<Forward>>,
}

impl Acting {
    /// Makes a network ready to act on a machine.
    pub fn new<G: Playable>(
        net: Net,
        step: u64,
        machine: &Machine,
        game: &GameSection<G>,
    ) -> Acting {
        let mut forwards: Vec<Arc<Forward>> = Vec::new();
        for variant in game.variants() {
            let shape = G::shape(variant);
            if forwards.iter().all(|forward| forward.shape() != shape) {
                forwards.push(machine.forward::<G>(&net, variant));
            }
        }
        Acting {
            forwards,
            net,
            step,
        }
    }

    /// Learning step and hash of the weights.
    pub fn identity(&self) -> (u64, String) {
        (self.step, models::artifact::hash(&self.net))
    }

    /// The network made ready for an encoding's sizes.
    pub fn forward(&self, shape: Shape) -> &Arc<Forward> {
        let made = self
            .forwards
            .iter()
            .find(|forward| forward.shape() == shape);
        made.expect("the net is made ready for all variants of the run")
    }
}

/// Makes all groups of a run, at the start of their first games.
pub fn groups<G: Playable>(config: &Config<G>) -> Result<Vec<Group<G>>, engine::TextError> {
    (0..config.selfplay.groups)
        .map(|number| Group::new(config, number))
        .collect()
}

/// Steps of a group before a thread goes on to another one: long against the time that its games take to
/// come back into the processor's cache, short against a round.
const TURN: usize = 64;

/// Plays until every group has its share of the round's positions, or until the user interrupts.
/// Leaves that `truth` covers take its values.
pub fn play<G: Playable>(
    config: &Config<G>,
    groups: &mut [Group<G>],
    acting: &Acting,
    truth: Option<&Truth>,
    threads: usize,
) -> Effort {
    let began = Instant::now();
    let done = AtomicU64::new(groups.iter().map(Group::produced).sum());
    let finished = AtomicU64::new(0);
    let total = config.selfplay.positions;
    let shown = std::sync::Mutex::new(Progress::new("self-play", total));
    let threads = threads.clamp(1, groups.len().max(1));
    let mut playing: Vec<_> = groups
        .iter_mut()
        .map(|group| {
            group.effort = Effort::default();
            let forward = acting.forward(group.shape()).clone();
            let net = NetEvaluator::new(forward, config.selfplay.kept_answers);
            (group, ExactLeaves::new(net, truth))
        })
        .collect();
    workers::run_in_turns(threads, &mut playing, |(group, evaluator)| {
        for _ in 0..TURN {
            if group.has_share() || interrupt::requested() {
                return ControlFlow::Break(());
            }
            let before = (group.produced(), group.games());
            group.step(evaluator, acting.step);
            let positions = done.fetch_add(group.produced() - before.0, Ordering::Relaxed);
            let games = finished.fetch_add(group.games() - before.1, Ordering::Relaxed);
            if let Ok(mut shown) = shown.try_lock() {
                shown.set(positions, || {
                    format!(
                        "{:.1} games/s",
                        games as f64 / began.elapsed().as_secs_f64()
                    )
                });
            }
        }
        ControlFlow::Continue(())
    });
    for (group, evaluator) in playing {
        group.effort.clock = evaluator.inner.clock;
        group.effort.exact_leaves = evaluator.replaced;
    }
    if let Ok(shown) = shown.into_inner() {
        shown.finish();
    }
    let mut effort = Effort {
        seconds: began.elapsed().as_secs_f64(),
        threads,
        ..Effort::default()
    };
    for group in groups {
        effort.clock.add(group.effort.clock);
        effort.exact_leaves += group.effort.exact_leaves;
        effort.repaired += group.effort.repaired;
        effort.resignations.add(group.effort.resignations);
    }
    effort
}

/// Takes the finished games out of all groups and begins the next round's count.
pub fn harvest<G: Playable>(groups: &mut [Group<G>]) -> Vec<GameRecord> {
    groups.iter_mut().flat_map(Group::harvest).collect()
}
