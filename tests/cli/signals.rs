//! Ctrl-C saves and ends with 130; a run that is killed at any moment goes on by itself (A1, minizero #4).
#![cfg(unix)]

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{json, stderr, stdout, train};

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill")
        .args(["-s", name, &child.id().to_string()])
        .status()
        .unwrap();
    assert!(sent.success());
}

fn wait_for(path: &Path) {
    let began = Instant::now();
    while !path.exists() {
        assert!(
            began.elapsed() < Duration::from_secs(120),
            "{} never came",
            path.display()
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn ctrl_c_saves_and_the_same_command_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let more = [
        "--set",
        "run.rounds=4",
        "--set",
        "ladder.pairs=0",
        "--set",
        "selfplay.positions=2000",
    ];
    for file in ["checkpoint/latest.trb", "games/000000.rec"] {
        let child = train(&run, &more)
            .stderr(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        wait_for(&run.join(file));
        std::thread::sleep(Duration::from_millis(300));
        signal(&child, "INT");
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
        assert!(
            stderr(&output).contains("interrupted"),
            "{}",
            stderr(&output)
        );
    }
    let output = train(&run, &more).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("resuming from"),
        "{}",
        stderr(&output)
    );
    assert_eq!(
        std::fs::read_to_string(run.join("metrics.jsonl"))
            .unwrap()
            .lines()
            .count(),
        4
    );
    // Records of interrupted rounds play through like any others.
    for round in 0..4 {
        let file = run.join(format!("games/{round:06}.rec"));
        json(&["replay", file.to_str().unwrap(), "--json"]);
    }
}

#[test]
fn a_run_killed_again_and_again_still_ends() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let more = ["--set", "run.rounds=5", "--set", "ladder.pairs=0"];
    for moment in 0..12_u64 {
        let mut child = train(&run, &more)
            .stderr(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(60 + 170 * (moment * 7 % 12)));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let output = train(&run, &more).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(stdout(&output), "");
    assert_eq!(
        std::fs::read_to_string(run.join("metrics.jsonl"))
            .unwrap()
            .lines()
            .count(),
        5
    );
}
