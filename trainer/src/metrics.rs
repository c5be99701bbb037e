//! Metrics of a run: metrics.jsonl is the truth, TensorBoard's event files are made from it.
//!
//! A line is written once its round is in a checkpoint. When a run resumes, lines of rounds beyond the
//! checkpoint are dropped and the event file is written anew, so that no step appears twice.

use std::fs::{self, File};
use std::io::BufWriter;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use protobuf::Message;
use serde_json::{Map, Value as Json};
use tensorboard_rs::record_writer::RecordWriter;
use tensorboard_rs::summary::scalar;

use crate::run::RunFolder;

/// The metrics of one round: names with numbers. `step` is the learning step that they are shown at.
pub type Round = Map<String, Json>;

/// Writes metrics. A failing log costs one warning and never the run.
#[derive(Debug)]
pub struct Metrics {
    run: RunFolder,
    lines: Vec<Round>,
    warned: bool,
}

impl Metrics {
    /// The metrics of a run of which `rounds` rounds are done.
    pub fn open(run: &RunFolder, rounds: u64) -> Metrics {
        let text = fs::read_to_string(run.metrics()).unwrap_or_default();
        let lines = text
            .lines()
            .filter_map(|line| serde_json::from_str::<Round>(line).ok());
        let done = |line: &Round| {
            line.get("round")
                .and_then(Json::as_u64)
                .is_some_and(|round| round < rounds)
        };
        Metrics {
            run: run.clone(),
            lines: lines.filter(done).collect(),
            warned: false,
        }
    }

    /// Adds the metrics of a round.
    pub fn add(&mut self, round: Round) {
        self.lines.push(round);
        self.write();
    }

    /// Adds the metrics of the last closed round where a program that was killed did not come to it.
    pub fn add_if_missing(&mut self, closed: &Round) {
        if !closed.is_empty() && self.lines.last() != Some(closed) {
            self.lines
                .retain(|line| line.get("round") != closed.get("round"));
            self.add(closed.clone());
        }
    }

    fn write(&mut self) {
        if let Err((path, error)) = self.try_write()
            && !std::mem::replace(&mut self.warned, true)
        {
            eprintln!("warning: {path}: {error}; training goes on without these metrics");
        }
    }

    fn try_write(&self) -> Result<(), (String, std::io::Error)> {
        let path = self.run.metrics();
        let text: String = self
            .lines
            .iter()
            .map(|line| format!("{}\n", Json::Object(line.clone())))
            .collect();
        models::frame::write_whole(&path, text.as_bytes())
            .map_err(|error| (path.display().to_string(), error))?;
        let folder = self.run.tensorboard();
        write_events(&folder, &self.lines).map_err(|error| (folder.display().to_string(), error))
    }
}

/// The event file's name carries no time: each writing replaces the last.
const EVENTS: &str = "events.out.tfevents.0000000000.tribord";

/// Writes all rounds as one TensorBoard event file of scalars.
///
/// tensorboard-rs makes the summaries and the records; the file is opened here, because its own writer
/// panics where a folder cannot be written (docs/decisions/0006).
fn write_events(folder: &Path, lines: &[Round]) -> std::io::Result<()> {
    use tensorboard_proto::event::Event;
    let wall = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0.0, |time| time.as_secs_f64());
    let temporary = folder.join("events.tmp");
    let mut writer = RecordWriter::new(BufWriter::new(File::create(&temporary)?));
    let mut write = |event: Event| -> std::io::Result<()> {
        let bytes = event.write_to_bytes().map_err(std::io::Error::other)?;
        writer.write(&bytes)
    };
    let mut version = Event::new();
    version.set_wall_time(wall);
    version.set_file_version("brain.Event:2".into());
    write(version)?;
    for line in lines {
        let step = line.get("step").and_then(Json::as_i64).unwrap_or_default();
        let time = line.get("time").and_then(Json::as_f64).unwrap_or(wall);
        for (name, number) in line {
            let Some(number) = number.as_f64().filter(|_| name.contains('/')) else {
                continue;
            };
            let mut event = Event::new();
            event.set_wall_time(time);
            event.set_step(step);
            event.set_summary(scalar(name, number as f32));
            write(event)?;
        }
    }
    writer.flush()?;
    drop(writer);
    fs::rename(temporary, folder.join(EVENTS))
}
