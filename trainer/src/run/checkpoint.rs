//! The checkpoint: everything that a run needs to go on exactly where it was.

use std::fs;

use anyhow::{Context, bail};
use engine::Game;
use models::frame::Frame;
use serde::{Deserialize, Serialize};

use super::RunFolder;
use crate::config::Config;
use crate::learning::LearnerState;
use crate::selfplay::GroupState;

/// The file kind of a checkpoint.
const CHECKPOINT: Frame = Frame::new(b"checkpnt", "a checkpoint", 1);

/// The state of a run.
#[derive(Debug, Serialize, Deserialize)]
pub struct Checkpoint {
    /// The resolved configuration as JSON: a run goes on only under its own.
    pub config: String,
    /// The round under way, from 0.
    pub round: u64,
    /// Whether the round's games are played and written.
    pub games_played: bool,
    /// Searched positions of all finished games so far.
    pub positions: u64,
    /// Finished games so far.
    pub games: u64,
    /// Wall time of self-play and learning so far, in seconds.
    pub seconds: f64,
    /// Learning step of the net that acts.
    pub acting_step: u64,
    /// Weights of the acting net.
    pub acting: Vec<u8>,
    /// Games in progress.
    pub groups: Vec<GroupState>,
    /// Weights, moments, averages.
    pub learner: LearnerState,
    /// The learning step at which the round under way began.
    pub round_began_at: u64,
    /// The metrics of the round so far, as JSON.
    pub metrics: String,
    /// The metrics of the last round that was closed, as JSON.
    pub closed_metrics: String,
}

/// A checkpoint that was read, with what the user should know about it.
#[derive(Debug)]
pub struct Restored {
    /// The state.
    pub checkpoint: Checkpoint,
    /// Which file it is from, and which were skipped and why.
    pub message: String,
}

impl Checkpoint {
    /// Writes the checkpoint; the one before it stays as the previous one.
    ///
    /// # Errors
    /// The operating system's reason, with the path.
    pub fn save(&self, run: &RunFolder) -> anyhow::Result<()> {
        let (latest, previous) = (run.checkpoint(), run.previous_checkpoint());
        if latest.exists() {
            // A second name for the same file: at no moment is there no whole checkpoint.
            let _ = fs::remove_file(&previous);
            if let Err(error) = fs::hard_link(&latest, &previous) {
                eprintln!(
                    "warning: {}: {error}; the previous checkpoint is not kept",
                    previous.display()
                );
            }
        }
        CHECKPOINT.write(&latest, self)?;
        Ok(())
    }

    /// Reads the latest whole checkpoint, or `None` in a run that has none yet.
    ///
    /// # Errors
    /// Checkpoints that are there but all damaged.
    pub fn load(run: &RunFolder) -> anyhow::Result<Option<Restored>> {
        let mut skipped = Vec::new();
        for path in [run.checkpoint(), run.previous_checkpoint()] {
            if !path.exists() {
                continue;
            }
            match CHECKPOINT.read(&path) {
                Ok(checkpoint) => {
                    let mut message = format!("resuming from {}", path.display());
                    for skipped in skipped {
                        message.push_str(&format!("; skipped {skipped}"));
                    }
                    return Ok(Some(Restored {
                        checkpoint,
                        message,
                    }));
                }
                Err(error) => skipped.push(error.to_string()),
            }
        }
        if skipped.is_empty() {
            return Ok(None);
        }
        bail!("no checkpoint can be read: {}", skipped.join("; "))
    }

    /// Checks that a configuration is the one that the run was begun with.
    ///
    /// # Errors
    /// Names the keys that differ.
    pub fn check_config<G: Game>(&self, config: &Config<G>, run: &RunFolder) -> anyhow::Result<()> {
        let ours = serde_json::to_value(config)?;
        let stated: serde_json::Value =
            serde_json::from_str(&self.config).context("the checkpoint's configuration")?;
        if let Some(game) = stated["game"]["name"].as_str()
            && game != G::NAME
        {
            bail!(
                "{} is a run of {game}, not of {}",
                run.root().display(),
                G::NAME
            );
        }
        // Keys that the run's program did not know have their defaults.
        let theirs: Config<G> =
            serde_json::from_value(stated).context("the checkpoint's configuration")?;
        let theirs = serde_json::to_value(theirs)?;
        let mut differing = Vec::new();
        compare(&ours, &theirs, String::new(), &mut differing);
        // A run may be made longer, and its ladder changed, without touching what has been learned.
        differing.retain(|key| !key.starts_with("ladder.") && key != "run.rounds");
        if differing.is_empty() {
            return Ok(());
        }
        bail!(
            "{} was begun with other values of {}; use --run with another folder for a new run",
            run.root().display(),
            differing.join(", ")
        )
    }
}

fn compare(
    ours: &serde_json::Value,
    theirs: &serde_json::Value,
    path: String,
    out: &mut Vec<String>,
) {
    match (ours, theirs) {
        (serde_json::Value::Object(a), serde_json::Value::Object(b)) => {
            let keys: std::collections::BTreeSet<_> = a.keys().chain(b.keys()).collect();
            for key in keys {
                let path = if path.is_empty() {
                    key.clone()
                } else {
                    format!("{path}.{key}")
                };
                let null = &serde_json::Value::Null;
                compare(
                    a.get(key).unwrap_or(null),
                    b.get(key).unwrap_or(null),
                    path,
                    out,
                );
            }
        }
        _ if ours != theirs => out.push(path),
        _ => {}
    }
}
