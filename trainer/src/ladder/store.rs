//! The file of result lines: one whole line after another, so that a kill loses at most the last one.

use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;

use super::line::ResultLine;
use crate::lock;

/// A file of result lines that grows.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    file: File,
}

impl Store {
    /// Opens the file and reads what it holds. A last line without its line feed was cut short by a kill;
    /// it is dropped, and its game will be played again.
    ///
    /// # Errors
    /// A file that cannot be read or written or that another process has open, or a line that is none of ours.
    pub fn open(path: &Path) -> anyhow::Result<(Store, Vec<ResultLine>)> {
        let failed = || format!("cannot write {}", path.display());
        let mut file = OpenOptions::new()
            .create(true)
            .read(true)
            .append(true)
            .open(path)
            .with_context(failed)?;
        lock::take(&file, path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)
            .with_context(|| format!("cannot read {}", path.display()))?;
        let whole = bytes
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(0, |at| at + 1);
        if whole < bytes.len() {
            file.set_len(whole as u64).with_context(failed)?;
            bytes.truncate(whole);
        }
        let text = String::from_utf8(bytes)
            .with_context(|| format!("{} is damaged: it is not text", path.display()))?;
        let lines = (1..).zip(text.lines()).map(|(number, line)| {
            serde_json::from_str(line).with_context(|| {
                format!(
                    "{}, line {number} is damaged; remove it to play its game again",
                    path.display()
                )
            })
        });
        let lines = lines.collect::<Result<_, _>>()?;
        let path = path.to_path_buf();
        Ok((Store { path, file }, lines))
    }

    /// Adds a line.
    ///
    /// # Errors
    /// The operating system's reason, with the path.
    pub fn add(&mut self, line: &ResultLine) -> anyhow::Result<()> {
        let text = format!("{}\n", serde_json::to_string(line)?);
        let written = self
            .file
            .write_all(text.as_bytes())
            .and_then(|()| self.file.sync_data());
        written.with_context(|| format!("cannot write {}", self.path.display()))
    }
}
