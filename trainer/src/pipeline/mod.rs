//! A training run: self-play → records → window → learning → net → gate → ladder.

mod notes;
mod state;

use std::fs::File;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use anyhow::bail;
use serde_json::{Value as Json, json};

use crate::config::Config;
use crate::dispatch::Playable;
use crate::interrupt::{self, Interrupted};
use crate::learning::{Learner, Losses, Window, target_size};
use crate::machine::Machine;
use crate::matches::{Gate, MatchPlan, Score, Seat, play_match};
use crate::metrics::{Metrics, Round};
use crate::progress::Progress;
use crate::record::{GameRecord, RECORDS, RecordFile};
use crate::run::RunFolder;
use crate::selfplay::{self, Acting, Group};
use crate::truth::Truth;

/// A training run under way.
pub struct Training<G: Playable> {
    config: Config<G>,
    run: RunFolder,
    machine: Machine,
    round: u64,
    games_played: bool,
    positions: u64,
    games: u64,
    seconds: f64,
    groups: Vec<Group<G>>,
    acting: Acting,
    learner: Learner<G>,
    window: Window<G>,
    truth: Option<Arc<Truth>>,
    metrics: Metrics,
    /// The learning step at which the round under way began.
    round_began_at: u64,
    /// Metrics of the round under way.
    current: Round,
    /// Metrics of the last round that was closed.
    closed: Round,
    /// What keeps other processes out of the folder.
    taken: Option<File>,
}

impl<G: Playable> Training<G> {
    /// Runs all rounds that are left.
    ///
    /// # Errors
    /// [`Interrupted`] after everything is saved; anything else leaves the last checkpoint whole.
    pub fn run(&mut self) -> anyhow::Result<()> {
        while self.round < self.config.run.rounds {
            self.selfplay()?;
            self.learn()?;
        }
        Ok(())
    }

    /// Plays the games of the round, unless they are played already.
    ///
    /// # Errors
    /// As [`Training::run`].
    pub fn selfplay(&mut self) -> anyhow::Result<()> {
        self.expect_a_round()?;
        if self.games_played {
            return Ok(());
        }
        let leaves = self.truth.as_deref();
        let effort = selfplay::play(
            &self.config,
            &mut self.groups,
            &self.acting,
            leaves.filter(|_| self.config.truth.leaf_values),
            self.machine.threads,
        );
        self.seconds += effort.seconds;
        if interrupt::requested() {
            self.checkpoint()?;
            bail!(Interrupted);
        }
        let games = selfplay::harvest(&mut self.groups);
        let file = RecordFile::new::<G>(&self.config.game.variant, self.config.run.seed, games);
        RECORDS.write(&self.run.games_of(self.round), &file)?;
        let before = (self.positions, self.window.exact_targets());
        self.take_in(&file.games)?;
        self.note_truth(&effort, before);
        self.games += file.games.len() as u64;
        self.games_played = true;
        self.note_selfplay(&file.games, &effort);
        self.checkpoint()
    }

    /// Learns from the window and lets the new net act.
    ///
    /// # Errors
    /// As [`Training::run`].
    pub fn learn(&mut self) -> anyhow::Result<()> {
        self.expect_a_round()?;
        if !self.games_played {
            bail!(
                "round {} has no games to learn from yet: run selfplay first",
                self.round
            );
        }
        let began = Instant::now();
        let first = self.round_began_at;
        let last = first + self.config.steps_per_round();
        let mut sums = Losses::default();
        let mut steps = 0.0;
        let mut shown = Progress::new(format!("learning, round {}", self.round + 1), last - first);
        // A round in which no game has ended yet may leave the window empty.
        if !self.window.is_empty() {
            self.learner.learn(&self.window, last, |step, losses| {
                sums.policy += losses.policy;
                sums.value += losses.value;
                steps += 1.0;
                let loss = (sums.policy + sums.value) / steps;
                shown.set(step - first, || format!("loss {loss:.4}"));
                if interrupt::requested() {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            })?;
        }
        if interrupt::requested() {
            self.seconds += began.elapsed().as_secs_f64();
            self.checkpoint()?;
            bail!(Interrupted);
        }
        shown.finish();
        let seconds = began.elapsed().as_secs_f64();
        self.seconds += seconds;
        self.note_learning(sums, steps, seconds);
        self.promote()?;
        self.note_regret()?;
        self.close_round()
    }

    fn expect_a_round(&self) -> anyhow::Result<()> {
        if self.round < self.config.run.rounds {
            return Ok(());
        }
        bail!(
            "the run has done its {} rounds; a larger run.rounds makes it longer",
            self.config.run.rounds
        )
    }

    /// Lets the averaged net act, if the gate accepts it.
    fn promote(&mut self) -> anyhow::Result<()> {
        let (net, step) = (self.learner.average(), self.learner.step());
        let candidate = Acting::new::<G>(net, step, &self.machine, &self.config.game);
        let gate = &self.config.gate;
        if gate.pairs > 0 {
            let seats =
                [&candidate, &self.acting].map(|acting| self.seat(acting, gate.simulations));
            let plan = MatchPlan {
                variant: self.config.game.variant.clone(),
                start: self.config.game.start.clone(),
                opening_plies: gate.opening_plies,
                pairs: gate.pairs,
                // No start and no dice that the nets have learned from.
                seed: !self.config.run.seed ^ (self.round + 1),
                threads: self.machine.threads,
            };
            let results = play_match::<G>(&seats[0], &seats[1], &plan)?;
            let Ok(results) = results else {
                self.checkpoint()?;
                bail!(Interrupted);
            };
            let score = Score::of(&results);
            let rule = Gate {
                threshold: gate.threshold,
            };
            let identities = [&candidate, &self.acting].map(Acting::identity);
            let draws = score.draws + score.truncated;
            let (accepted, line) =
                rule.judge(identities.each_ref(), score.wins, draws, score.losses);
            eprintln!("{line}");
            if !accepted {
                return Ok(());
            }
        }
        self.acting = candidate;
        self.save_net()
    }

    /// A net of the run as a player of the run's own game.
    fn seat(&self, acting: &Acting, simulations: u32) -> Seat {
        let forward = acting.forward(G::shape(&self.config.game.variant));
        let (search, identity) = (self.config.search, acting.identity());
        Seat::of_net(forward.clone(), search, simulations, identity)
    }

    /// Ends the round: the checkpoint first, then the metrics that speak of it.
    fn close_round(&mut self) -> anyhow::Result<()> {
        self.round += 1;
        self.games_played = false;
        self.round_began_at = self.learner.step();
        let mut round = std::mem::take(&mut self.current);
        let number = |key: &str| round.get(key).and_then(Json::as_f64).unwrap_or_default();
        eprintln!(
            "round {}/{}: step {}, {:.1} games/s, policy loss {:.4}, value loss {:.4}, {:.0} s in all",
            self.round,
            self.config.run.rounds,
            self.learner.step(),
            number("selfplay/games_a_second"),
            number("loss/policy"),
            number("loss/value"),
            self.seconds
        );
        round.insert("round".into(), json!(self.round - 1));
        round.insert("step".into(), json!(self.learner.step()));
        let time = SystemTime::now().duration_since(UNIX_EPOCH);
        round.insert(
            "time".into(),
            json!(time.map_or(0.0, |time| time.as_secs_f64())),
        );
        self.closed = round;
        self.checkpoint()?;
        self.metrics.add(self.closed.clone());
        Ok(())
    }

    fn take_in(&mut self, games: &[GameRecord]) -> anyhow::Result<()> {
        let size = target_size(&self.config.learning, self.positions);
        self.positions += self
            .window
            .take_in(games, &self.config.game.variant, size)?;
        Ok(())
    }

    /// Fills the window from the records of the rounds so far, exactly as it was filled the first time.
    fn refill_window(&mut self) -> anyhow::Result<()> {
        let rounds = self.round + u64::from(self.games_played);
        self.positions = 0;
        for round in 0..rounds {
            let (file, _) = RecordFile::read::<G>(&self.run.games_of(round))?;
            self.take_in(&file.games)?;
        }
        Ok(())
    }
}
