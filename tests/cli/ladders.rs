//! Ladders as a whole: stops and resumes (E13), players that fail (E9, E11), external players.
#![cfg(unix)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value as Json;

use crate::support::{json, run, stderr, stdout, tribord};

/// A ladder of EinStein between some players.
pub fn config(folder: &Path, pairs: u64, specs: &[(&str, String)], more: &str) -> String {
    let mut text = format!("[game]\nname = \"einstein\"\n[ladder]\npairs = {pairs}\n{more}\n");
    for (name, spec) in specs {
        text += &format!("[[player]]\nname = {name:?}\nspec = {spec:?}\n");
    }
    let path = folder.join("ladder.toml");
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_string()
}

pub fn ladder(config: &str, out: &Path, threads: &str) -> Command {
    let mut command = tribord();
    command
        .args(["ladder", config, "--threads", threads, "--out"])
        .arg(out);
    command.stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

pub fn played(output: &Output) {
    assert!(output.status.success(), "{}", stderr(output));
}

pub fn lines(out: &Path) -> Vec<Json> {
    let text = fs::read_to_string(out.join("results.jsonl")).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

pub fn report(out: &Path) -> Json {
    let text = fs::read_to_string(out.join("ladder.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn standings(out: &Path) -> Json {
    report(out)["standings"].clone()
}

pub fn program() -> String {
    env!("CARGO_BIN_EXE_tribord").to_string()
}

/// A player that speaks the protocol and answers `go` with a command of the shell.
fn script(folder: &Path, name: &str, on_go: &str) -> String {
    let path = folder.join(name);
    let text = format!(
        "while read word rest; do case $word in game) echo ready {name};; go) {on_go};; esac; done\n"
    );
    fs::write(&path, text).unwrap();
    format!("engine:sh {}", path.display())
}

/// Whole lines in a ladder's folder.
fn games_of(out: &Path) -> usize {
    let bytes = fs::read(out.join("results.jsonl")).unwrap_or_default();
    bytes.iter().filter(|&&byte| byte == b'\n').count()
}

/// Waits until a ladder has so many games: the program is up and at work.
fn wait_for_games(out: &Path, games: usize) {
    let began = Instant::now();
    while games_of(out) < games {
        assert!(
            began.elapsed() < Duration::from_secs(120),
            "no {games} games in {}",
            out.display()
        );
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_ladder_that_is_killed_and_interrupted_ends_as_an_unbroken_one() {
    let folder = tempfile::tempdir().unwrap();
    let specs = [
        ("slow", "rollout:sims=1000".to_string()),
        ("random", "random".to_string()),
    ];
    let config = config(folder.path(), 30, &specs, "games_at_once = 4");
    let (straight, broken) = (folder.path().join("straight"), folder.path().join("broken"));
    played(&ladder(&config, &straight, "1").output().unwrap());
    // E13: killed at 20 games, interrupted at 40.
    for (signal, games, code) in [("KILL", 20, None), ("INT", 40, Some(130))] {
        let child = ladder(&config, &broken, "2").spawn().unwrap();
        wait_for_games(&broken, games);
        Command::new("kill")
            .args(["-s", signal, &child.id().to_string()])
            .status()
            .unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), code, "{}", stderr(&output));
        assert!(games_of(&broken) < 60, "stopped under way");
    }
    // A line that a kill has cut short.
    let results = broken.join("results.jsonl");
    let mut bytes = fs::read(&results).unwrap();
    bytes.extend(b"{\"format\":1,\"ga");
    fs::write(&results, bytes).unwrap();
    played(&ladder(&config, &broken, "2").output().unwrap());
    let ids: Vec<_> = lines(&broken)
        .iter()
        .map(|line| line["id"].as_u64().unwrap())
        .collect();
    assert_eq!(ids.len(), 60);
    assert_eq!(ids.into_iter().collect::<BTreeSet<_>>(), (1..=60).collect());
    assert_eq!(standings(&broken), standings(&straight));
    let rated = json(&["rate", results.to_str().unwrap(), "--json"]);
    assert_eq!(rated["standings"]["games"], 60);
    assert_eq!(rated["left_out"], serde_json::json!([]));
}

#[test]
fn an_adaptive_ladder_goes_on_as_it_would_have() {
    let folder = tempfile::tempdir().unwrap();
    let specs = [
        ("a", "random".to_string()),
        ("b", "rollout:sims=2".to_string()),
        ("c", "rollout:sims=8".to_string()),
    ];
    let config = config(folder.path(), 80, &specs, "plan = \"adaptive\"");
    let (straight, cut) = (folder.path().join("straight"), folder.path().join("cut"));
    played(&ladder(&config, &straight, "1").output().unwrap());
    fs::create_dir(&cut).unwrap();
    let text = fs::read_to_string(straight.join("results.jsonl")).unwrap();
    let kept: String = text
        .lines()
        .take(77)
        .map(|line| format!("{line}\n"))
        .collect();
    fs::write(cut.join("results.jsonl"), kept).unwrap();
    played(&ladder(&config, &cut, "2").output().unwrap());
    assert_eq!(lines(&cut).len(), 160);
    assert_eq!(standings(&cut), standings(&straight));
}

#[test]
fn players_that_fail_lose_that_game_once_and_the_ladder_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    for (name, on_go, reason) in [
        ("crashes", "exit 3", "crash"),
        ("hangs", "sleep 30", "hang"),
        ("cheats", "echo move A1-E5", "illegal"),
        ("late", "sleep 1; echo move A1-E5", "time"),
    ] {
        let out = folder.path().join("out").join(name);
        let mut failing = script(folder.path(), name, on_go);
        let watchdog = if reason == "time" {
            // Half a second of grace, and an answer after one; the watchdog comes later.
            failing += ",secs=0.1";
            "watchdog = 20.0"
        } else {
            "watchdog = 2.0"
        };
        let specs = [(name, failing), ("random", "random".to_string())];
        let config = config(folder.path(), 2, &specs, watchdog);
        let output = ladder(&config, &out, "2").output().unwrap();
        played(&output);
        assert!(stderr(&output).contains(reason), "{}", stderr(&output));
        let lines = lines(&out);
        assert_eq!(lines.len(), 4);
        for line in &lines {
            let winner = line[line["result"].as_str().unwrap()]["name"]
                .as_str()
                .unwrap();
            assert_eq!(
                (winner, line["reason"].as_str().unwrap()),
                ("random", reason)
            );
        }
        let standings = standings(&out);
        for line in standings["players"].as_array().unwrap() {
            let count = |key: &str| line[key].as_u64().unwrap();
            assert_eq!(
                count("wins") + count("draws") + count("losses"),
                count("games")
            );
        }
    }
}

#[test]
fn a_player_that_crashes_now_and_then_costs_no_worker() {
    // E11: four workers, 200 games, a crash in each of six of them.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("flaky");
    let crashes = [4, 33, 71, 110, 150, 197];
    let pattern = crashes.map(|game: u64| format!("'new {game}'"));
    let text = format!(
        "while read -r line; do case $line in {}) exit 7;; esac; echo \"$line\"; done \
         | {} engine --player random\n",
        pattern.join("|"),
        program()
    );
    fs::write(&path, text).unwrap();
    let specs = [
        ("flaky", format!("engine:sh {}", path.display())),
        ("random", "random".into()),
    ];
    let config = config(folder.path(), 100, &specs, "");
    let out = folder.path().join("out");
    played(&ladder(&config, &out, "4").output().unwrap());
    let lines = lines(&out);
    assert_eq!(lines.len(), 200);
    let mut failed: Vec<_> = lines
        .iter()
        .filter(|line| line["reason"] == "crash")
        .map(|line| line["id"].as_u64().unwrap() - 1)
        .collect();
    failed.sort_unstable();
    assert_eq!(failed, crashes);
    let report = report(&out);
    assert_eq!(report["faults"]["flaky"]["crash"], 6);
    let markdown = fs::read_to_string(out.join("ladder.md")).unwrap();
    assert!(
        markdown.contains("games that flaky lost by a fault: crash 6"),
        "{markdown}"
    );
    for line in report["standings"]["players"].as_array().unwrap() {
        let count = |key: &str| line[key].as_u64().unwrap();
        assert_eq!(count("wins") + count("draws") + count("losses"), 200);
    }
}

#[test]
fn a_match_shows_the_faults_that_lost_its_games() {
    let folder = tempfile::tempdir().unwrap();
    let failing = script(folder.path(), "crashes", "echo so it ends >&2; exit 3");
    let args = [
        "match", "--game", "einstein", "--a", "random", "--b", &failing, "--games", "4", "--json",
    ];
    let output = run(&args);
    let found: Json = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(found["wins"], 4);
    assert_eq!(found["faults"], serde_json::json!({"B": {"crash": 4}}));
    let told = stderr(&output);
    assert_eq!(told.matches("so it ends").count(), 4, "{told}");
}

#[test]
fn two_tribords_play_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let engine = |spec: &str| format!("engine:{} engine --player {spec},sims=20", program());
    let specs = [
        ("better", engine("rollout:sims=1")),
        ("worse", engine("random")),
    ];
    let config = config(folder.path(), 10, &specs, "");
    let out = folder.path().join("out");
    played(&ladder(&config, &out, "2").output().unwrap());
    let lines = lines(&out);
    assert!(lines.iter().all(|line| line["reason"] == "rules"));
    assert!(standings(&out)["couples"][0]["score"].as_f64().unwrap() > 0.5);
}

#[test]
fn a_misspelt_player_stops_the_ladder_before_its_first_game() {
    let folder = tempfile::tempdir().unwrap();
    // E9: a path that is none, and a file that loads nowhere.
    let empty = folder.path().join("no-bytes.trb");
    fs::write(&empty, "").unwrap();
    let empty = format!("net:{},sims=4", empty.display());
    for spec in ["net:no/such/net,sims=4", "engine:no-such-program", &empty] {
        let specs = [("typo", spec.to_string()), ("random", "random".to_string())];
        let config = config(folder.path(), 2, &specs, "");
        let out = folder.path().join("out");
        let output = ladder(&config, &out, "1").output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        let path = spec.split(':').nth(1).unwrap().split(',').next().unwrap();
        assert!(stderr(&output).contains(path), "{}", stderr(&output));
        assert!(!out.exists(), "nothing was begun");
    }
}

#[test]
fn a_faulty_configuration_of_a_ladder_is_refused_with_its_keys() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let players = "[[player]]\nspec = \"random\"\n[[player]]\nspec = \"static\"\n";
    for (more, parts) in [
        ("[ladder]\npears = 3", ["pears", "pairs"]),
        ("[ladder]\nwatchdog = 0.0", ["ladder.watchdog", "0.001"]),
        ("[ladder]\nplan = \"swiss\"", ["swiss", "round-robin"]),
        (
            "[sprt]\nelo0 = 10.0\nelo1 = 0.0",
            ["elo0 = 10", "below elo1"],
        ),
        ("[sprt]\nalpha = 0.5", ["alpha", "0.5"]),
        ("[[player]]\nspce = \"random\"", ["spce", "spec"]),
        ("[[player]]\nspec = \"rollout\"", ["rollout", "simulations"]),
        (
            "[[player]]\nnets = \"x\"\nbudget = \"3\"",
            ["budget of nets x", "missing"],
        ),
        (
            "[[player]]\nname = \"both\"",
            ["either a spec or nets", "player"],
        ),
    ] {
        let path = folder.path().join("ladder.toml");
        let text = format!("[game]\nname = \"einstein\"\n{more}\n{players}");
        fs::write(&path, text).unwrap();
        let file = path.to_str().unwrap();
        for output in [
            ladder(file, &out, "1").output().unwrap(),
            run(&["check-config", file]),
        ] {
            let told = stderr(&output) + &stdout(&output);
            assert_eq!(output.status.code(), Some(2), "{more}: {told}");
            assert!(
                parts.iter().all(|part| told.contains(part)),
                "{more}: {told}"
            );
        }
    }
    assert!(!out.exists());
}
