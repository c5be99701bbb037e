//! Progress on standard error: a bar on a terminal, a plain line at most every 30 seconds elsewhere.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

const BETWEEN_LINES: Duration = Duration::from_secs(30);

/// Shows how far a task with a known number of parts has come.
#[derive(Debug)]
pub struct Progress {
    task: String,
    total: u64,
    bar: Option<ProgressBar>,
    began: Instant,
    last_line: Instant,
}

impl Progress {
    /// Begins a task of `total` parts.
    pub fn new(task: impl Into<String>, total: u64) -> Progress {
        let task = task.into();
        let bar = interactive().then(|| {
            let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
            let style =
                ProgressStyle::with_template("{prefix} [{bar:30}] {pos}/{len} {eta} left  {msg}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar.set_prefix(task.clone());
            bar
        });
        let now = Instant::now();
        Progress {
            task,
            total,
            bar,
            began: now,
            last_line: now,
        }
    }

    /// Shows that `done` parts are done, with a few words on how it goes.
    pub fn set(&mut self, done: u64, words: impl FnOnce() -> String) {
        if let Some(bar) = &self.bar {
            bar.set_position(done.min(self.total));
            bar.set_message(words());
        } else if self.last_line.elapsed() >= BETWEEN_LINES {
            self.last_line = Instant::now();
            let seconds = self.began.elapsed().as_secs();
            eprintln!(
                "{}: {done}/{} after {seconds} s  {}",
                self.task,
                self.total,
                words()
            );
        }
    }

    /// Takes the bar away.
    pub fn finish(self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Whether standard error is a terminal that can redraw a line.
fn interactive() -> bool {
    let dumb = std::env::var_os("TERM").is_none_or(|term| term == "dumb");
    std::io::stderr().is_terminal() && !dumb
}
