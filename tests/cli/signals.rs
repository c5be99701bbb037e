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

/// Rounds that a run has closed.
fn rounds(run: &Path) -> usize {
    std::fs::read_to_string(run.join("metrics.jsonl")).map_or(0, |text| text.lines().count())
}

/// Waits until a run has closed more rounds than `before`: the program is up and at work.
fn wait_for_a_round_after(run: &Path, before: usize) {
    let began = Instant::now();
    while rounds(run) <= before {
        assert!(
            began.elapsed() < Duration::from_secs(120),
            "no round after {before} of {}",
            run.display()
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn ctrl_c_saves_and_the_same_command_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let train_to = |last: usize| {
        let rounds = format!("run.rounds={last}");
        let more = ["ladder.pairs=0", "selfplay.positions=2000", &rounds];
        train(&run, &more.map(|setting| ["--set", setting]).concat())
    };
    for _ in 0..2 {
        let before = rounds(&run);
        // More rounds than the machine can do before the signal comes.
        let child = train_to(100_000)
            .stderr(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        wait_for_a_round_after(&run, before);
        signal(&child, "INT");
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
        assert!(
            stderr(&output).contains("interrupted"),
            "{}",
            stderr(&output)
        );
    }
    let last = rounds(&run) + 2;
    let output = train_to(last).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("resuming from"),
        "{}",
        stderr(&output)
    );
    assert_eq!(rounds(&run), last);
    // Records of interrupted rounds play through like any others.
    for round in 0..last {
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
    assert_eq!(rounds(&run), 5);
}
