//! A training run: self-play → records → window → learning → net → gate → ladder.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, bail};
use models::artifact::{net_from_weights, outcomes, weights};
use models::{Artifact, Origin};
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
use crate::run::{Checkpoint, RunFolder};
use crate::selfplay::{self, Acting, Effort, Found, Group, Resignations};
use crate::truth::{self, Truth};

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
}

impl<G: Playable> Training<G> {
    /// Begins a run, or goes on with the one in the folder.
    ///
    /// # Errors
    /// A folder that cannot be written, or holds a run that was begun differently or is damaged.
    pub fn open(
        config: Config<G>,
        run: RunFolder,
        machine: Machine,
        fresh_optimiser: bool,
    ) -> anyhow::Result<Self> {
        if !machine.choice.is_cpu() {
            let shape = G::shape(&config.game.variant);
            models::agreement::check(&config.net, shape, outcomes::<G>(), &machine.device)?;
        }
        let truth = truth::of_config(&config.truth)?;
        run.create()?;
        match Checkpoint::load(&run)? {
            Some(restored) => {
                eprintln!("{}", restored.message);
                restored.checkpoint.check_config(&config, &run)?;
                let state = restored.checkpoint;
                Training::resume(config, run, machine, truth, state, fresh_optimiser)
            }
            None => Training::begin(config, run, machine, truth),
        }
    }

    fn begin(
        config: Config<G>,
        run: RunFolder,
        machine: Machine,
        truth: Option<Arc<Truth>>,
    ) -> anyhow::Result<Self> {
        let mut learner = Learner::new(&config, &machine.device);
        if !config.run.from.as_os_str().is_empty() {
            let net = Artifact::load::<G>(&config.run.from, &config.game.variant, &machine.device)?;
            if net.origin.config != config.net {
                bail!(
                    "{}: its sizes are {:?}, and [net] asks for {:?}",
                    config.run.from.display(),
                    net.origin.config,
                    config.net
                );
            }
            eprintln!(
                "beginning with {} (step {}, weights {})",
                config.run.from.display(),
                net.origin.step,
                net.hash
            );
            let fits = learner.with_weights(&net.net);
            learner =
                fits.map_err(|reason| anyhow::anyhow!("{}: {reason}", config.run.from.display()))?;
        }
        let acting = Acting::new::<G>(learner.average(), 0, &machine, &config.game);
        let training = Training {
            groups: selfplay::groups(&config).context("game.start")?,
            metrics: Metrics::open(&run, 0),
            window: window(&config, &truth),
            truth,
            round: 0,
            games_played: false,
            positions: 0,
            games: 0,
            seconds: 0.0,
            round_began_at: 0,
            current: Round::new(),
            closed: Round::new(),
            acting,
            learner,
            config,
            run,
            machine,
        };
        training.describe()?;
        training.save_net()?;
        training.checkpoint()?;
        Ok(training)
    }

    fn resume(
        config: Config<G>,
        run: RunFolder,
        machine: Machine,
        truth: Option<Arc<Truth>>,
        state: Checkpoint,
        fresh_optimiser: bool,
    ) -> anyhow::Result<Self> {
        let damaged = |what: &str, reason: String| {
            anyhow::anyhow!("{}: {what}: {reason}", run.checkpoint().display())
        };
        let mut learner = Learner::restore(&config, state.learner, &machine.device)
            .map_err(|reason| damaged("weights", reason))?;
        if fresh_optimiser {
            eprintln!("the optimiser begins afresh: its moments are zero");
            learner = learner.with_fresh_optimiser();
        }
        let shape = G::shape(&config.game.variant);
        let net = net_from_weights(
            &config.net,
            shape,
            outcomes::<G>(),
            state.acting,
            &machine.device,
        )
        .map_err(|reason| damaged("acting net", reason))?;
        let groups = state.groups.into_iter().enumerate();
        let groups = groups.map(|(number, group)| Group::restore(&config, number, group));
        let groups = groups
            .collect::<Result<_, _>>()
            .context("games in progress")?;
        let mut training = Training {
            metrics: Metrics::open(&run, state.round),
            round_began_at: state.round_began_at,
            current: serde_json::from_str(&state.metrics).unwrap_or_default(),
            closed: serde_json::from_str(&state.closed_metrics).unwrap_or_default(),
            window: window(&config, &truth),
            truth,
            round: state.round,
            games_played: state.games_played,
            positions: state.positions,
            games: state.games,
            seconds: state.seconds,
            acting: Acting::new::<G>(net, state.acting_step, &machine, &config.game),
            groups,
            learner,
            config,
            run,
            machine,
        };
        training.refill_window()?;
        training.metrics.add_if_missing(&training.closed);
        training.describe()?;
        Ok(training)
    }

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

    fn note_selfplay(&mut self, games: &[GameRecord], effort: &Effort) {
        let mut note = |name: &str, value: f64| {
            self.current
                .insert(format!("selfplay/{name}"), json!(value));
        };
        let seconds = effort.seconds.max(f64::MIN_POSITIVE);
        let batches = effort.clock.batches.max(1) as f64;
        note("games_a_second", games.len() as f64 / seconds);
        note(
            "evaluations_a_second",
            effort.clock.positions as f64 / seconds,
        );
        note("known_share", effort.clock.known_share());
        note(
            "batch_fill",
            effort.clock.positions as f64 / batches / self.config.selfplay.slots as f64,
        );
        note("evaluation_share", effort.evaluation_share());
        note("repaired_policies", effort.repaired as f64);
        if effort.resignations.checked > 0 {
            let Resignations { checked, wrong } = effort.resignations;
            note("false_resignations", wrong as f64 / checked as f64);
        }
        let found = Found::of(games);
        note("plies_a_game", found.plies / games.len().max(1) as f64);
        note("policy_entropy", found.entropy / found.policies.max(1.0));
        note("value_calibration_error", found.calibration_error());
        note(
            "first_side_wins",
            found.first_wins / games.len().max(1) as f64,
        );
        note(
            "truncated_share",
            found.truncated / games.len().max(1) as f64,
        );
        note("window", self.window.len() as f64);
        note("positions", self.positions as f64);
        if effort.repaired > 0 {
            eprintln!(
                "warning: {} policies were not finite and were replaced by equal priors",
                effort.repaired
            );
        }
    }

    /// Notes how much of the round's search and of its targets is exact.
    fn note_truth(&mut self, effort: &Effort, before: (u64, u64)) {
        if self.truth.is_none() {
            return;
        }
        let positions = (self.positions - before.0).max(1) as f64;
        let exact = (self.window.exact_targets() - before.1) as f64;
        let leaves = effort.exact_leaves as f64 / effort.clock.asked.max(1) as f64;
        self.current
            .insert("truth/leaf_share".into(), json!(leaves));
        self.current
            .insert("truth/target_share".into(), json!(exact / positions));
    }

    /// Measures what the acting net's moves give away against exact play.
    fn note_regret(&mut self) -> anyhow::Result<()> {
        let Some(truth) = &self.truth else {
            return Ok(());
        };
        let seat = self.seat(&self.acting, self.config.truth.simulations);
        let threads = self.machine.threads;
        let Some(regret) = truth::of_net(&seat, truth, &self.config.truth, threads)
            .map_err(|error| self.checkpoint().err().unwrap_or(error))?
        else {
            return Ok(());
        };
        let mut note = |name: &str, value: f64| {
            self.current.insert(format!("truth/{name}"), json!(value));
        };
        note("regret", regret.regret);
        note("value_error", regret.value_error.unwrap_or_default());
        Ok(())
    }

    fn note_learning(&mut self, sums: Losses, steps: f64, seconds: f64) {
        let mut note = |name: &str, value: f64| {
            self.current.insert(name.into(), json!(value));
        };
        if steps > 0.0 {
            note("loss/policy", sums.policy / steps);
            note("loss/value", sums.value / steps);
            let total = sums.policy + self.config.learning.value_weight * sums.value;
            note("loss/total", total / steps);
        }
        note("learning/rate", self.learner.rate());
        let positions = steps * self.config.learning.batch as f64;
        note(
            "learning/positions_a_second",
            positions / seconds.max(f64::MIN_POSITIVE),
        );
    }

    /// Writes run.json.
    fn describe(&self) -> anyhow::Result<()> {
        let description = json!({
            "program": env!("CARGO_PKG_VERSION"),
            "revision": env!("TRIBORD_REVISION"),
            "seed": self.config.run.seed,
            "device": self.machine.choice.to_string(),
            "threads": self.machine.threads,
            "truth": self.truth.as_ref().map(|truth| json!({
                "stones": truth.stones(),
                "leaf_values": self.config.truth.leaf_values,
                "targets": self.config.truth.targets,
            })),
            "config": self.config,
        });
        let path = self.run.description();
        let text = serde_json::to_string_pretty(&description)?;
        models::frame::write_whole(&path, text.as_bytes())
            .with_context(|| format!("cannot write {}", path.display()))
    }

    fn save_net(&self) -> anyhow::Result<()> {
        let origin = Origin::of::<G>(
            &self.config.game.variant,
            self.config.net,
            self.config.search,
            self.acting.step,
        );
        let folder = self.run.net_of(self.acting.step);
        std::fs::create_dir_all(&folder)
            .with_context(|| format!("cannot make {}", folder.display()))?;
        let artifact = Artifact::new(origin, self.acting.net.clone());
        artifact.save(&folder.join(models::artifact::FILE))?;
        Ok(())
    }

    /// Saves everything that a resumed run needs.
    ///
    /// # Errors
    /// Weights that are not finite, or the operating system's reason with the path.
    pub fn checkpoint(&self) -> anyhow::Result<()> {
        let checkpoint = Checkpoint {
            config: serde_json::to_string(&self.config)?,
            round: self.round,
            games_played: self.games_played,
            positions: self.positions,
            games: self.games,
            seconds: self.seconds,
            acting_step: self.acting.step,
            acting: weights(&self.acting.net),
            groups: self.groups.iter().map(Group::state).collect(),
            learner: self.learner.state()?,
            round_began_at: self.round_began_at,
            metrics: serde_json::to_string(&self.current)?,
            closed_metrics: serde_json::to_string(&self.closed)?,
        };
        checkpoint.save(&self.run)
    }
}

/// An empty window with the targets that the configuration asks for.
fn window<G: Playable>(config: &Config<G>, truth: &Option<Arc<Truth>>) -> Window<G> {
    let truth = truth.clone().filter(|_| config.truth.targets);
    Window::with_exact_targets(truth)
}
