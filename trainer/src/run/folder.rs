//! The one type that knows the paths of a run.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::lock;

/// A run's folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunFolder {
    root: PathBuf,
}

impl RunFolder {
    /// The folder at a path, which need not exist yet.
    pub fn new(root: impl Into<PathBuf>) -> RunFolder {
        RunFolder { root: root.into() }
    }

    /// Makes the folder with its subfolders.
    ///
    /// # Errors
    /// The operating system's reason, with the path.
    pub fn create(&self) -> anyhow::Result<()> {
        for folder in [
            self.games(),
            self.nets(),
            self.checkpoints(),
            self.tensorboard(),
            self.ladder(),
        ] {
            fs::create_dir_all(&folder)
                .with_context(|| format!("cannot make {}", folder.display()))?;
        }
        Ok(())
    }

    /// Takes the folder for this process, as long as the file that comes back is open.
    ///
    /// # Errors
    /// Another process has it, or the operating system's reason.
    pub fn take(&self) -> anyhow::Result<File> {
        let path = self.root.join("lock");
        let file =
            File::create(&path).with_context(|| format!("cannot make {}", path.display()))?;
        lock::take(&file, &path)?;
        Ok(file)
    }

    /// The folder itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The configuration as it was resolved, with the seed, the program's version and the device.
    pub fn description(&self) -> PathBuf {
        self.root.join("run.json")
    }

    /// The folder of game records.
    pub fn games(&self) -> PathBuf {
        self.root.join("games")
    }

    /// The records of a round, counted from 0.
    pub fn games_of(&self, round: u64) -> PathBuf {
        self.games().join(format!("{round:06}.rec"))
    }

    /// The folder of nets.
    pub fn nets(&self) -> PathBuf {
        self.root.join("nets")
    }

    /// The net of a learning step.
    pub fn net_of(&self, step: u64) -> PathBuf {
        self.nets().join(format!("{step:08}"))
    }

    /// The steps of the nets that are there, in order.
    pub fn net_steps(&self) -> Vec<u64> {
        let entries = fs::read_dir(self.nets()).into_iter().flatten().flatten();
        let whole = entries.filter(|entry| entry.path().join(models::artifact::FILE).is_file());
        let mut steps: Vec<_> = whole
            .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
            .collect();
        steps.sort_unstable();
        steps
    }

    /// The folder of checkpoints.
    pub fn checkpoints(&self) -> PathBuf {
        self.root.join("checkpoint")
    }

    /// The latest checkpoint.
    pub fn checkpoint(&self) -> PathBuf {
        self.checkpoints().join("latest.trb")
    }

    /// The checkpoint before it.
    pub fn previous_checkpoint(&self) -> PathBuf {
        self.checkpoints().join("previous.trb")
    }

    /// One JSON object a round.
    pub fn metrics(&self) -> PathBuf {
        self.root.join("metrics.jsonl")
    }

    /// The folder of TensorBoard event files.
    pub fn tensorboard(&self) -> PathBuf {
        self.root.join("tb")
    }

    /// The folder of ladder results.
    pub fn ladder(&self) -> PathBuf {
        self.root.join("ladder")
    }
}
