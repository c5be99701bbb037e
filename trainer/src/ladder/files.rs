//! The files of a report: `ladder.json`, a Markdown table and a page.

use std::path::Path;

use anyhow::Context;

use super::html;
use super::line::FORMAT;
use super::report::Report;
use super::tables::markdown;

/// Writes `ladder.json`, `ladder.md` and `ladder.html`.
pub(super) fn write(report: &Report, folder: &Path) -> anyhow::Result<()> {
    let json = serde_json::to_string_pretty(report)?;
    for (name, text) in [
        ("ladder.json", json),
        ("ladder.md", markdown(&report.standings, &report.remarks())),
        ("ladder.html", html::page(report)),
    ] {
        let path = folder.join(name);
        models::frame::write_whole(&path, text.as_bytes())
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// Puts a `ladder.json` that is no report of this format aside, so that it is not written over.
pub(super) fn keep_foreign(folder: &Path) -> anyhow::Result<()> {
    let path = folder.join("ladder.json");
    let Ok(text) = std::fs::read_to_string(&path) else {
        return Ok(());
    };
    let found: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    if found["format"] == FORMAT {
        return Ok(());
    }
    let aside = (1..)
        .map(|number| folder.join(format!("ladder-old-{number}.json")))
        .find(|aside| !aside.exists())
        .expect("some name is free");
    std::fs::rename(&path, &aside).with_context(|| format!("cannot rename {}", path.display()))?;
    eprintln!(
        "{} is of another format and is kept as {}",
        path.display(),
        aside.display()
    );
    Ok(())
}
