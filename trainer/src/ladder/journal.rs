//! What is kept and shown while a ladder's games are played.

use std::time::{Duration, Instant};

use super::line::ResultLine;
use super::report;
use super::store::Store;
use crate::interrupt;
use crate::progress::Progress;

/// How often the report is written while games are played.
const BETWEEN_REPORTS: Duration = Duration::from_secs(5);

/// The lines so far, on disk and in memory.
#[derive(Debug)]
pub(super) struct Journal<'a> {
    /// Finished games, those of earlier starts first.
    pub lines: Vec<ResultLine>,
    /// What went wrong first; it stops the ladder.
    pub failed: Option<anyhow::Error>,
    store: Store,
    names: &'a [String],
    anchor: Option<usize>,
    shown: Progress,
    /// The players in front, as of the last report.
    leaders: String,
    reported: Instant,
}

impl<'a> Journal<'a> {
    pub fn new(
        store: Store,
        names: &'a [String],
        anchor: Option<usize>,
        planned: u64,
    ) -> Journal<'a> {
        Journal {
            lines: Vec::new(),
            failed: None,
            store,
            names,
            anchor,
            shown: Progress::new("ladder", planned),
            leaders: String::new(),
            reported: Instant::now(),
        }
    }

    /// Keeps a finished game. Now and then the report is written anew.
    pub fn take(
        &mut self,
        line: ResultLine,
        report: impl FnOnce(&[ResultLine]) -> anyhow::Result<()>,
    ) {
        if let Err(error) = self.store.add(&line) {
            self.fail(error);
        }
        if let Some(loser) = line.failed() {
            eprintln!(
                "warning: {} lost game {} by a fault: {} {}",
                loser.name,
                line.id.unwrap_or_default(),
                line.reason,
                line.detail.as_deref().unwrap_or_default()
            );
        }
        self.lines.push(line);
        // At first each few games tell much.
        let is_early = self.lines.len().is_power_of_two();
        if is_early || self.reported.elapsed() >= BETWEEN_REPORTS {
            self.reported = Instant::now();
            self.leaders = report::leaders(self.names, self.anchor, &self.lines);
            if let Err(error) = report(&self.lines) {
                self.fail(error);
            }
        }
        let leaders = &self.leaders;
        self.shown
            .set(self.lines.len() as u64, || format!("games  {leaders}"));
    }

    /// What cannot be kept is not worth playing.
    fn fail(&mut self, error: anyhow::Error) {
        self.failed.get_or_insert(error);
        interrupt::request();
    }

    pub fn finish(self) {
        self.shown.finish();
    }
}
