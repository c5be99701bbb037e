//! A training run between its folder and memory: begun, taken up again, saved.

use std::sync::Arc;

use anyhow::{Context, bail};
use models::artifact::{net_from_weights, outcomes, weights};
use models::{Artifact, Origin};
use serde_json::json;

use super::Training;
use crate::config::Config;
use crate::dispatch::Playable;
use crate::learning::{Learner, Window};
use crate::machine::Machine;
use crate::metrics::{Metrics, Round};
use crate::run::{Checkpoint, RunFolder};
use crate::selfplay::{self, Acting, Group};
use crate::truth::{self, Truth};

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
        let taken = run.take()?;
        let mut training = match Checkpoint::load(&run)? {
            Some(restored) => {
                eprintln!("{}", restored.message);
                restored.checkpoint.check_config(&config, &run)?;
                let state = restored.checkpoint;
                Training::resume(config, run, machine, truth, state, fresh_optimiser)?
            }
            None => Training::begin(config, run, machine, truth)?,
        };
        training.taken = Some(taken);
        Ok(training)
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
            taken: None,
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
            taken: None,
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

    pub(super) fn save_net(&self) -> anyhow::Result<()> {
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
