//! Table files: computing them on all threads, and their place.

use std::path::PathBuf;

use anyhow::bail;
use engine::games::einstein::exact::Build;
use models::Frame;

use crate::interrupt::{self, Interrupted};
use crate::progress::Progress;
use crate::workers;

/// The file kind of an exact table; the payload is the table's own bytes.
pub const TABLE: Frame = Frame::new(b"einstein", "an exact table of EinStein", 1);

/// Computes the table of all positions with at most `stones` cubes, stage by stage.
///
/// # Errors
/// A number of cubes that no table has, or an interruption.
pub fn compute(stones: u8, threads: usize) -> anyhow::Result<Build> {
    let mut build = Build::new(stones)?;
    let title = format!("exact table of {stones} cubes");
    let mut shown = Progress::new(title, build.progress().1);
    loop {
        let parts = build.parts();
        if parts.is_empty() {
            shown.finish();
            return Ok(build);
        }
        if interrupt::requested() {
            bail!(Interrupted);
        }
        let mut tasks: Vec<_> = parts.iter().map(|part| (part, Vec::new())).collect();
        workers::run(threads, &mut tasks, |(part, values)| {
            *values = build.compute(part);
        });
        let values: Vec<_> = tasks.into_iter().map(|(_, values)| values).collect();
        build.store(&parts, &values);
        shown.set(build.progress().0, || "positions".to_string());
    }
}

/// Where a table goes unless the user says otherwise.
pub fn default_path(stones: u8) -> PathBuf {
    format!("tables/einstein-{stones}.tbl").into()
}
