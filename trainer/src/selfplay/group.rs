//! A group of slots: gather one leaf of each, evaluate them as one batch, apply.

use engine::search::{Evaluations, Evaluator, evaluate};
use engine::{Game, Shape, TextError};
use serde::{Deserialize, Serialize};

use super::Effort;
use super::slot::{Rules, Slot, SlotState, Yield};
use crate::config::{Beginning, Config};
use crate::dispatch::Playable;
use crate::record::{GameRecord, RecordError};

/// A group as it is kept in a checkpoint.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GroupState {
    slots: Vec<SlotState>,
    produced: u64,
    finished: Vec<GameRecord>,
}

/// A set of games that step in lockstep. Its games depend on the configuration, its number and the
/// nets alone, not on the thread that plays them.
#[derive(Debug)]
pub struct Group<G: Game> {
    config: Config<G>,
    beginning: Beginning<G>,
    slots: Vec<Slot<G>>,
    share: u64,
    produced: u64,
    finished: Vec<GameRecord>,
    evaluations: Evaluations,
    pub(super) effort: Effort,
}

impl<G: Playable> Group<G> {
    pub(super) fn new(config: &Config<G>, number: usize) -> Result<Group<G>, TextError> {
        let slots = config.selfplay.slots;
        let numbers = (number * slots) as u64..;
        let beginning = config.game.beginning(number, config.selfplay.groups);
        let slots = numbers
            .take(slots)
            .map(|number| Slot::new(config, &beginning, number));
        let slots = slots.collect::<Result<_, _>>()?;
        Ok(Group::with(config, number, beginning, slots, 0, Vec::new()))
    }

    /// A group with the games of a checkpoint.
    ///
    /// # Errors
    /// A record that does not play through.
    pub fn restore(
        config: &Config<G>,
        number: usize,
        state: GroupState,
    ) -> Result<Group<G>, RecordError> {
        let slots = state
            .slots
            .into_iter()
            .map(|slot| Slot::restore(config, slot));
        let slots = slots.collect::<Result<_, _>>()?;
        Ok(Group::with(
            config,
            number,
            config.game.beginning(number, config.selfplay.groups),
            slots,
            state.produced,
            state.finished,
        ))
    }

    fn with(
        config: &Config<G>,
        number: usize,
        beginning: Beginning<G>,
        slots: Vec<Slot<G>>,
        produced: u64,
        finished: Vec<GameRecord>,
    ) -> Group<G> {
        // The round's positions are dealt out evenly; the first groups take what is left over.
        let (groups, positions) = (config.selfplay.groups as u64, config.selfplay.positions);
        let share = positions / groups + u64::from((number as u64) < positions % groups);
        Group {
            config: config.clone(),
            beginning,
            slots,
            share,
            produced,
            finished,
            evaluations: Evaluations::default(),
            effort: Effort::default(),
        }
    }

    /// What a checkpoint keeps.
    pub fn state(&self) -> GroupState {
        GroupState {
            slots: self.slots.iter().map(Slot::state).collect(),
            produced: self.produced,
            finished: self.finished.clone(),
        }
    }

    /// The sizes of the encoding of its games.
    pub fn shape(&self) -> Shape {
        G::shape(self.beginning.variant(&self.config.game.variant))
    }

    /// Searched positions of this round.
    pub fn produced(&self) -> u64 {
        self.produced
    }

    /// Games finished in this round.
    pub fn games(&self) -> u64 {
        self.finished.len() as u64
    }

    /// Whether the group has played its share of the round.
    pub fn has_share(&self) -> bool {
        self.produced >= self.share
    }

    /// One step: every slot plays on to its next leaf, and all leaves are evaluated as one batch.
    pub fn step(&mut self, evaluator: &mut impl Evaluator<G>, net_step: u64) {
        let rules = Rules {
            config: &self.config,
            beginning: &self.beginning,
            net_step,
            stride: (self.config.selfplay.groups * self.config.selfplay.slots) as u64,
        };
        let mut brought = Yield::default();
        for slot in &mut self.slots {
            slot.make_ready(&rules, &mut brought);
        }
        self.produced += brought.positions;
        self.finished.append(&mut brought.finished);
        self.effort.resignations.add(brought.resignations);
        let mut waiting: Vec<_> = self.slots.iter_mut().map(|slot| &mut slot.tree).collect();
        evaluate(&mut waiting, evaluator, &mut self.evaluations);
        self.effort.repaired = self.evaluations.repaired;
    }

    /// Hands over the finished games and begins the next round's count.
    pub(super) fn harvest(&mut self) -> Vec<GameRecord> {
        self.produced = 0;
        self.evaluations.repaired = 0;
        self.slots.iter_mut().for_each(Slot::drop_search);
        std::mem::take(&mut self.finished)
    }
}
