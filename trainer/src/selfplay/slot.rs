//! One game in progress: rolls, forced plies, searches, and the record that grows with them.

use engine::draws::{self, Purpose, keyed};
use engine::search::{Budget, Tree};
use engine::{Encode, Game, Side, Status, TextError};
use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::config::{Beginning, Config};
use crate::record::{End, GameRecord, Ply, SearchNote, Step};

/// A slot as it is kept in a checkpoint. Its position follows from the record, and a search that was
/// under way begins again with the same randomness.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SlotState {
    record: GameRecord,
    would_resign: Option<bool>,
}

/// A slot of a group.
#[derive(Clone, Debug)]
pub(super) struct Slot<G: Game> {
    position: G,
    record: GameRecord,
    /// The side (whether it is `Side::First`) that would have resigned in a game that is played on.
    would_resign: Option<bool>,
    pub tree: Tree<G>,
    /// Whether the search under way is a full one.
    searching: Option<bool>,
}

/// What a slot needs to know to play.
pub(super) struct Rules<'a, G: Game> {
    pub config: &'a Config<G>,
    pub beginning: &'a Beginning<G>,
    pub net_step: u64,
    /// Slots of all groups: the distance between the numbers of a slot's games.
    pub stride: u64,
}

/// What a slot has brought since the last time it was asked.
#[derive(Debug, Default)]
pub(super) struct Yield {
    pub positions: u64,
    pub finished: Vec<GameRecord>,
    pub resignations: Resignations,
}

/// Games that were played on after a side would have resigned.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Resignations {
    /// All of them.
    pub checked: u64,
    /// Those that the side did not lose after all.
    pub wrong: u64,
}

impl Resignations {
    /// Adds what another count holds.
    pub fn add(&mut self, other: Resignations) {
        self.checked += other.checked;
        self.wrong += other.wrong;
    }
}

impl<G: Encode> Slot<G> {
    pub fn new(
        config: &Config<G>,
        beginning: &Beginning<G>,
        number: u64,
    ) -> Result<Slot<G>, TextError> {
        let position = first_position(config, beginning, number)?;
        Ok(Slot {
            record: GameRecord::begin(number, &position),
            tree: Tree::new(config.search, &position),
            position,
            would_resign: None,
            searching: None,
        })
    }

    pub fn state(&self) -> SlotState {
        SlotState {
            record: self.record.clone(),
            would_resign: self.would_resign,
        }
    }

    /// A slot with the game of a checkpoint.
    ///
    /// # Errors
    /// A record that does not play through.
    pub fn restore(
        config: &Config<G>,
        state: SlotState,
    ) -> Result<Slot<G>, crate::record::RecordError> {
        let position: G = state.record.replay(&config.game.variant, |_, _, _| {})?;
        Ok(Slot {
            record: state.record,
            tree: Tree::new(config.search, &position),
            position,
            would_resign: state.would_resign,
            searching: None,
        })
    }

    /// Forgets a search under way, so that the next round searches with its own net from the start.
    pub fn drop_search(&mut self) {
        self.searching = None;
    }

    /// Plays on until the tree waits for an evaluation.
    pub fn make_ready(&mut self, rules: &Rules<'_, G>, out: &mut Yield) {
        loop {
            match self.searching {
                Some(full) => {
                    if self.tree.gather() {
                        return;
                    }
                    if !self.tree.is_over() {
                        continue;
                    }
                    self.searching = None;
                    out.positions += 1;
                    self.play_searched(rules, full);
                }
                None => self.play_unsearched(rules, out),
            }
        }
    }

    /// Rolls, plays a forced ply, begins a search, or begins the next game.
    fn play_unsearched(&mut self, rules: &Rules<'_, G>, out: &mut Yield) {
        let seed = rules.config.run.seed;
        let (game, ply) = (self.record.number, self.record.steps.len() as u64);
        if self.record.end.is_some() {
            return self.begin_next(rules, out);
        }
        match self.position.status() {
            Status::Over(outcome) => self.record.end = Some(outcome.into()),
            Status::Rolling => {
                let mut draws = keyed(seed, Purpose::Roll, game, ply);
                let roll = draws::roll(&self.position, &mut draws);
                self.record.steps.push(Step::Roll(roll.0));
                self.position.settle(roll);
            }
            Status::ToMove(_) => {
                let mut moves = Vec::new();
                self.position.moves(&mut moves);
                if let [only] = moves[..] {
                    self.play(only, None);
                } else {
                    self.begin_search(rules.config, game, ply);
                }
            }
        }
    }

    fn begin_search(&mut self, config: &Config<G>, game: u64, ply: u64) {
        let selfplay = &config.selfplay;
        let mut draws = keyed(config.run.seed, Purpose::Choice, game, ply);
        let full = draws.random::<f64>() < selfplay.full_share;
        let early = ply < u64::from(selfplay.temperature_plies);
        let simulations = match full {
            true => selfplay.full_simulations,
            false => selfplay.cheap_simulations,
        };
        let phase = self.position.phase().min(selfplay.phase_effort.len() - 1);
        let scaled = f64::from(simulations) * selfplay.phase_effort[phase];
        let budget = Budget {
            simulations: (scaled.round() as u32).max(1),
            temperature: if early {
                selfplay.temperature
            } else {
                selfplay.late_temperature
            },
            noise: full,
        };
        self.tree.begin(&self.position, budget, draws);
        self.searching = Some(full);
    }

    fn play_searched(&mut self, rules: &Rules<'_, G>, full: bool) {
        let verdict = self.tree.verdict();
        let share = |share: f64| (share * 65_535.0).round() as u16;
        let note = SearchNote {
            value: verdict.value.0 as f32,
            full,
            net_step: rules.net_step,
            policy: verdict
                .moves
                .iter()
                .map(|found| (self.position.index(found.mv) as u16, share(found.share)))
                .filter(|&(_, share)| share > 0)
                .collect(),
        };
        let Status::ToMove(side) = self.position.status() else {
            unreachable!("a search ends where it began, with a side to move")
        };
        self.play(verdict.best, Some(note));
        let below = rules.config.selfplay.resign_below;
        if below > -1.0 && verdict.value.seen_by(side) < below {
            self.resign(rules.config, side);
        }
    }

    /// Ends the game, or notes in a share of the games who would have ended it.
    fn resign(&mut self, config: &Config<G>, side: Side) {
        let mut draws = keyed(
            config.run.seed,
            Purpose::Choice,
            self.record.number,
            u64::MAX,
        );
        if draws.random::<f64>() < config.selfplay.resign_check_share {
            self.would_resign.get_or_insert(side == Side::First);
        } else if !matches!(self.position.status(), Status::Over(_)) {
            self.record.end = Some(End::resigned(side));
        }
    }

    fn play(&mut self, mv: G::Move, search: Option<SearchNote>) {
        let index = self.position.index(mv) as u16;
        self.record.steps.push(Step::Ply(Ply { index, search }));
        self.position.play(mv);
    }

    fn begin_next(&mut self, rules: &Rules<'_, G>, out: &mut Yield) {
        let number = self.record.number + rules.stride;
        let position = first_position(rules.config, rules.beginning, number)
            .expect("the first game's start was made from the same configuration");
        if let Some(is_first) = self.would_resign {
            let side = if is_first { Side::First } else { Side::Second };
            let value = self.record.end.and_then(|end| end.value());
            let lost = value.is_some_and(|value| value.seen_by(side) <= -1.0);
            out.resignations.checked += 1;
            out.resignations.wrong += u64::from(!lost);
        }
        let next = GameRecord::begin(number, &position);
        out.finished.push(std::mem::replace(&mut self.record, next));
        self.position = position;
        self.would_resign = None;
    }
}

fn first_position<G: Game>(
    config: &Config<G>,
    beginning: &Beginning<G>,
    number: u64,
) -> Result<G, TextError> {
    let mut draws = keyed(config.run.seed, Purpose::Start, number, 0);
    let plies = draws.random_range(0..=config.selfplay.opening_plies);
    beginning.first_position(&config.game.variant, plies, &mut draws)
}
