//! The players of a ladder's configuration: specs, and nets by a pattern.

use std::path::{Path, PathBuf};

use anyhow::bail;
use serde::{Deserialize, Serialize};

use crate::matches::{PlayerSpec, SpecError};

/// `[[player]]`: one player by its spec, or nets by a pattern.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Entry {
    /// A player spec.
    pub spec: String,
    /// The name in results; the spec if empty. Nets of a pattern are named by their folder.
    pub name: String,
    /// Folders or files of nets, `*` and `?` standing for parts of names.
    pub nets: String,
    /// The budget of these nets, such as `sims=64` or `secs=0.5`.
    pub budget: String,
}

impl Entry {
    fn net(&self, path: &Path) -> Result<PlayerSpec, SpecError> {
        format!("net:{},{}", path.display(), self.budget).parse()
    }

    /// What is wrong with the entry, without a look at any file.
    pub fn fault(&self) -> Option<String> {
        match (self.spec.is_empty(), self.nets.is_empty()) {
            (false, true) => {
                let error = self.spec.parse::<PlayerSpec>().err()?;
                Some(error.to_string())
            }
            (true, false) => {
                let error = self.net(Path::new("x")).err()?;
                Some(format!("budget of nets {}: {error}", self.nets))
            }
            _ => Some("a [[player]] has either a spec or nets".into()),
        }
    }

    /// The players that the entry stands for, with their names.
    ///
    /// # Errors
    /// A pattern that no net matches.
    pub fn players(&self) -> anyhow::Result<Vec<(String, PlayerSpec)>> {
        if self.nets.is_empty() {
            let name = if self.name.is_empty() {
                &self.spec
            } else {
                &self.name
            };
            return Ok(vec![(name.clone(), self.spec.parse()?)]);
        }
        let paths = matching(Path::new(&self.nets));
        if paths.is_empty() {
            bail!("no net matches {}", self.nets);
        }
        let named = |path: &PathBuf| {
            let folder = path
                .file_name()
                .map_or_else(String::new, |name| name.to_string_lossy().into());
            let prefix = if self.name.is_empty() {
                "net"
            } else {
                &self.name
            };
            Ok((format!("{prefix} {folder}"), self.net(path)?))
        };
        paths.iter().map(named).collect()
    }
}

/// The paths that a pattern stands for, sorted; `*` and `?` stand within one name.
fn matching(pattern: &Path) -> Vec<PathBuf> {
    let mut paths = vec![PathBuf::new()];
    for part in pattern.components() {
        let name = part.as_os_str().to_string_lossy();
        if !name.contains(['*', '?']) {
            paths.iter_mut().for_each(|path| path.push(part));
            continue;
        }
        paths = paths
            .iter()
            .flat_map(|path| {
                let folder = if path.as_os_str().is_empty() {
                    Path::new(".")
                } else {
                    path
                };
                std::fs::read_dir(folder).into_iter().flatten().flatten()
            })
            .filter(|entry| fits(&name, &entry.file_name().to_string_lossy()))
            .map(|entry| entry.path())
            .collect();
    }
    paths.retain(|path| path.exists());
    paths.sort();
    paths
}

/// Whether a name fits a pattern: `*` is any part, `?` any one letter.
fn fits(pattern: &str, name: &str) -> bool {
    let name: Vec<_> = name.chars().collect();
    // The places in the name up to which the pattern so far can reach.
    let mut reached = vec![false; name.len() + 1];
    reached[0] = true;
    for letter in pattern.chars() {
        let mut next = vec![false; name.len() + 1];
        for at in 0..=name.len() {
            next[at] = match letter {
                '*' => reached[at] || (at > 0 && next[at - 1]),
                _ => at > 0 && reached[at - 1] && (letter == '?' || letter == name[at - 1]),
            };
        }
        reached = next;
    }
    reached[name.len()]
}
