//! `train`, and its stages one at a time.

use std::path::{Path, PathBuf};

use anyhow::Context;

use super::{StageArgs, TrainArgs, WrongUse};
use crate::config::{self, Config};
use crate::dispatch::{GameId, Playable};
use crate::interrupt::{self, Interrupted};
use crate::machine::Machine;
use crate::pipeline::Training;
use crate::run::RunFolder;
use crate::{ladder::of_run, with_game};

pub(super) fn train(args: TrainArgs) -> anyhow::Result<()> {
    let game = config::game_of(&args.config)?;
    with_game!(game, G => {
        let config = config::load::<G>(&args.config, &args.stage.settings())?;
        let machine = args.stage.machine.open(config.selfplay.evaluator)?;
        let run = RunFolder::new(args.run.unwrap_or_else(|| default_run(game, &args.config)));
        eprintln!("{game} on {}, {} threads, in {}", machine.choice, machine.threads, run.root().display());
        let mut training = Training::open(config.clone(), run.clone(), machine.clone(), args.fresh_optimiser)?;
        interrupt::save_first();
        training.run()?;
        print_ladder(&config, &run, &machine)
    })
}

/// A stage takes its run's own configuration unless it is given one.
macro_rules! stage {
    ($args:expr, $G:ident, $config:ident, $run:ident, $machine:ident => $body:expr) => {{
        let args: StageArgs = $args;
        if args.out.is_some() {
            anyhow::bail!(WrongUse("--out goes with a ladder's configuration; a run has its own folder".into()));
        }
        let $run = RunFolder::new(args.run);
        let own = $run.description();
        let file = match args.config {
            Some(file) => file,
            None => own_config(&own, &$run)?,
        };
        let game = config::game_of(&file)?;
        with_game!(game, $G => {
            let $config = config::load::<$G>(&file, &args.options.settings())?;
            let $machine = args.options.machine.open($config.selfplay.evaluator)?;
            $body
        })
    }};
}

pub(super) fn selfplay(args: StageArgs) -> anyhow::Result<()> {
    stage!(args, G, config, run, machine => {
        let mut training = Training::<G>::open(config, run, machine, false)?;
        interrupt::save_first();
        training.selfplay()
    })
}

pub(super) fn learn(args: StageArgs) -> anyhow::Result<()> {
    stage!(args, G, config, run, machine => {
        let mut training = Training::<G>::open(config, run, machine, false)?;
        interrupt::save_first();
        training.learn()
    })
}

pub(super) fn ladder(args: StageArgs) -> anyhow::Result<()> {
    stage!(args, G, config, run, machine => {
        interrupt::save_first();
        print_ladder::<G>(&config, &run, &machine)
    })
}

fn print_ladder<G: Playable>(
    config: &Config<G>,
    run: &RunFolder,
    machine: &Machine,
) -> anyhow::Result<()> {
    if config.ladder.pairs == 0 {
        return Ok(());
    }
    super::ladders::show(&of_run::play(config, run, machine)?);
    if interrupt::requested() {
        anyhow::bail!(Interrupted);
    }
    Ok(())
}

fn default_run(game: GameId, config: &Path) -> PathBuf {
    let stem = config
        .file_stem()
        .map_or("run".into(), |stem| stem.to_string_lossy());
    PathBuf::from("runs").join(format!("{game}-{stem}"))
}

/// Writes the configuration that run.json holds beside it as TOML, where the loader reads it like any other.
fn own_config(description: &Path, run: &RunFolder) -> anyhow::Result<PathBuf> {
    let text = std::fs::read_to_string(description).map_err(|error| {
        WrongUse(format!(
            "{}: {error}; name the folder of a run, or begin one with --config FILE",
            description.display()
        ))
    })?;
    let description: serde_json::Value = serde_json::from_str(&text)
        .with_context(|| format!("{} is damaged", description.display()))?;
    let config = toml::to_string(&without_nulls(&description["config"]))
        .context("the run's configuration")?;
    let path = run.root().join("config.toml");
    models::frame::write_whole(&path, config.as_bytes())
        .with_context(|| format!("cannot write {}", path.display()))?;
    Ok(path)
}

/// TOML has no null: an option that is not set is left out.
fn without_nulls(value: &serde_json::Value) -> serde_json::Value {
    match value {
        serde_json::Value::Object(fields) => {
            let set = fields.iter().filter(|(_, value)| !value.is_null());
            set.map(|(key, value)| (key.clone(), without_nulls(value)))
                .collect()
        }
        other => other.clone(),
    }
}
