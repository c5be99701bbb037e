//! Metrics and TensorBoard files, read back by a parser (T1, T4).

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use protobuf::Message;
use serde_json::json;
use tensorboard_proto::event::Event;
use trainer::metrics::{Metrics, Round};
use trainer::run::RunFolder;

use crate::support::{open, tiny_einstein};

/// Scalars of all event files of a folder: tag → (step, value) in file order.
fn scalars(folder: &Path) -> HashMap<String, Vec<(i64, f32)>> {
    let mut found: HashMap<_, Vec<_>> = HashMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let bytes = fs::read(entry.unwrap().path()).unwrap();
        let mut rest = &bytes[..];
        while !rest.is_empty() {
            let length = u64::from_le_bytes(rest[..8].try_into().unwrap()) as usize;
            let event: Event = Event::parse_from_bytes(&rest[12..12 + length]).unwrap();
            for value in event.get_summary().get_value() {
                let point = (event.get_step(), value.get_simple_value());
                found
                    .entry(value.get_tag().to_string())
                    .or_default()
                    .push(point);
            }
            rest = &rest[12 + length + 4..];
        }
    }
    found
}

fn round(number: u64, loss: f64) -> Round {
    let round =
        json!({"round": number, "step": 100 * (number + 1), "time": 1.0, "loss/total": loss});
    round.as_object().unwrap().clone()
}

#[test]
fn a_run_leaves_one_rising_series_a_tag() {
    let folder = tempfile::tempdir().unwrap();
    let config = tiny_einstein();
    let mut training = open(&config, folder.path(), 2);
    training.selfplay().unwrap();
    training.learn().unwrap();
    drop(training);
    open(&config, folder.path(), 2).run().unwrap();
    let found = scalars(&folder.path().join("tb"));
    for tag in [
        "loss/policy",
        "loss/value",
        "loss/total",
        "learning/rate",
        "selfplay/games_a_second",
        "selfplay/evaluations_a_second",
        "selfplay/batch_fill",
        "selfplay/policy_entropy",
        "selfplay/value_calibration_error",
        "selfplay/window",
    ] {
        let steps: Vec<_> = found[tag].iter().map(|&(step, _)| step).collect();
        let each = config.steps_per_round() as i64;
        assert_eq!(steps, [each, 2 * each], "{tag}");
    }
    let lines = fs::read_to_string(folder.path().join("metrics.jsonl")).unwrap();
    assert_eq!(lines.lines().count(), 2);
}

#[test]
fn rounds_done_again_after_a_crash_replace_the_first_ones() {
    let folder = tempfile::tempdir().unwrap();
    let run = RunFolder::new(folder.path());
    run.create().unwrap();
    let mut metrics = Metrics::open(&run, 0);
    for number in 0..5 {
        metrics.add(round(number, 1.0));
    }
    // The checkpoint knows of three rounds only.
    let mut metrics = Metrics::open(&run, 3);
    metrics.add(round(3, 2.0));
    let found = scalars(&run.tensorboard());
    assert_eq!(
        found["loss/total"],
        [(100, 1.0), (200, 1.0), (300, 1.0), (400, 2.0)]
    );
}

#[test]
fn a_failing_log_folder_never_stops_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let config = tiny_einstein();
    let mut training = open(&config, folder.path(), 1);
    fs::remove_dir_all(folder.path().join("tb")).unwrap();
    fs::write(folder.path().join("tb"), b"no folder").unwrap();
    training.run().unwrap();
    assert!(folder.path().join("checkpoint/latest.trb").exists());
    assert_eq!(
        fs::read_to_string(folder.path().join("metrics.jsonl"))
            .unwrap()
            .lines()
            .count(),
        2
    );
}
