//! Ctrl-C ends with 130, at once where there is nothing to save; a run that is killed at any moment goes on by itself (A1, minizero #4).
#![cfg(unix)]

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{json, stderr, stdout, train, tribord};

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill")
        .args(["-s", name, &child.id().to_string()])
        .status()
        .unwrap();
    assert!(sent.success());
}

/// Waits until something holds.
fn wait_until(what: &str, holds: impl Fn() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < Duration::from_secs(120), "never: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Sends Ctrl-C to a program at work, and expects that it ends before it has thought to its end.
fn ends_soon(mut child: Child, words: &str) {
    assert!(child.try_wait().unwrap().is_none(), "it is at work");
    signal(&child, "INT");
    let began = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if began.elapsed() > Duration::from_secs(30) {
            child.kill().unwrap();
            panic!("still alive after 30 s");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    assert!(stderr(&output).contains(words), "{}", stderr(&output));
}

fn thinking(args: &[&str]) -> Child {
    let mut command = tribord();
    command.args(args).args(["--threads", "1"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    command.stderr(Stdio::piped()).spawn().unwrap()
}

#[test]
fn ctrl_c_ends_a_thinking_player_at_once_where_nothing_is_saved() {
    let start = ["--position", "ABC2/DE3/F3f/3ed/2cba r 6"];
    let long = "rollout:secs=600";
    let pair = ["match", "--games", "2", "--b", "random"];
    let commands: [&[&str]; 5] = [
        &[&pair[..], &["--game", "einstein", "--a", long]].concat(),
        &[
            &pair[..],
            &["--game", "surakarta", "--a", "alphabeta:depth=60"],
        ]
        .concat(),
        &[
            &["analyze", "--game", "einstein", "--player", long][..],
            &start,
        ]
        .concat(),
        &["regret", "--game", "einstein", "--player", long],
        &[
            "play",
            "--game",
            "surakarta",
            "--second",
            "--opponent",
            long,
        ],
    ];
    let children = commands.map(thinking);
    std::thread::sleep(Duration::from_secs(2));
    for child in children {
        ends_soon(child, "error: interrupted");
    }
}

#[test]
fn ctrl_c_drops_a_ladders_game_in_progress_and_keeps_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("ladder.toml");
    let players = ["alphabeta:depth=60", "rollout:sims=1000000"];
    let players = players.map(|spec| format!("[[player]]\nspec = \"{spec}\"\n"));
    let text = format!("[game]\nname = \"surakarta\"\n{}", players.concat());
    std::fs::write(&config, text).unwrap();
    let out = folder.path().join("out");
    let [config, out] = [&config, &out].map(|path| path.to_str().unwrap());
    let child = thinking(&["ladder", config, "--out", out]);
    let results = Path::new(out).join("results.jsonl");
    wait_until("the ladder begins", || results.exists());
    std::thread::sleep(Duration::from_secs(1));
    ends_soon(child, "interrupted: saving");
    assert!(Path::new(out).join("ladder.json").is_file());
}

/// Whether a process is there and more than an entry of the process table.
#[cfg(target_os = "linux")]
fn is_alive(process: &str) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/stat"));
    status.is_ok_and(|status| !status.contains(") Z "))
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_ends_programs_that_are_not_ready_yet_with_all_that_they_have_started() {
    let folder = tempfile::tempdir().unwrap();
    for (at, name) in [(0, "match"), (1, "analyze"), (2, "play")] {
        let note = folder.path().join(at.to_string());
        let program = format!(
            "engine:sh -c 'sleep 600 & echo $! > {}; wait'",
            note.display()
        );
        let game = ["--game", "einstein"];
        let rest: &[&str] = match name {
            "match" => &["--a", &program, "--b", "random", "--games", "2"],
            "analyze" => &[
                "--player",
                &program,
                "--position",
                "ABC2/DE3/F3f/3ed/2cba r 6",
            ],
            _ => &["--opponent", &program],
        };
        let child = thinking(&[&[name][..], &game, rest].concat());
        let started = || std::fs::read_to_string(&note).unwrap_or_default();
        wait_until("the program starts", || started().ends_with('\n'));
        let process = started().trim().to_string();
        assert!(is_alive(&process));
        ends_soon(child, "error: interrupted");
        wait_until("what it has started ends", || !is_alive(&process));
    }
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

#[test]
fn under_nohup_a_run_goes_on_when_the_terminal_closes_and_no_second_process_joins_it() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let short = ["--set", "run.rounds=1", "--set", "ladder.pairs=0"];
    let plain = train(&run, &short);
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' HUP; exec \"$0\" \"$@\""]);
    command.arg(plain.get_program()).args(plain.get_args());
    if let Some(place) = plain.get_current_dir() {
        command.current_dir(place);
    }
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    wait_until("the run begins", || run.join("lock").exists());
    signal(&child, "HUP");
    let second = train(&run, &short).output().unwrap();
    assert_eq!(second.status.code(), Some(1), "{}", stderr(&second));
    assert!(stderr(&second).contains("is in use"), "{}", stderr(&second));
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
}

#[test]
fn two_processes_do_not_play_one_ladder() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ladder.toml");
    let text = "[game]\nname = \"einstein\"\n[[player]]\nspec = \"random\"\n[[player]]\nspec = \"static\"\n";
    std::fs::write(&file, text).unwrap();
    let out = folder.path().join("out");
    let args = [
        "ladder",
        file.to_str().unwrap(),
        "--out",
        out.to_str().unwrap(),
    ];
    std::fs::create_dir(&out).unwrap();
    let results = std::fs::File::create(out.join("results.jsonl")).unwrap();
    results.lock().unwrap();
    let second = tribord().args(args).output().unwrap();
    assert_eq!(second.status.code(), Some(1), "{}", stderr(&second));
    assert!(stderr(&second).contains("is in use"), "{}", stderr(&second));
}
