//! Wrong use and bad input: one clear error that names the thing, the right exit code, nothing overwritten.

use std::fs;
use std::process::Output;

use crate::support::{run, stderr, stdout, train};

fn refused(output: &Output, code: i32, parts: &[&str]) {
    let text = stderr(output);
    assert_eq!(output.status.code(), Some(code), "{text}");
    assert_eq!(stdout(output), "", "nothing on standard output");
    assert!(!text.contains("panicked"), "{text}");
    for part in parts {
        assert!(text.contains(part), "'{part}' in: {text}");
    }
}

#[test]
fn wrong_use_is_refused_with_code_two() {
    refused(&run(&["train", "missing.toml"]), 2, &["missing.toml"]);
    refused(
        &run(&["moves", "--game", "chess", "--position", "x"]),
        2,
        &["chess", "einstein"],
    );
    refused(
        &run(&["moves", "--game", "einstein", "--position", "6/5/5/5/5 r 1"]),
        2,
        &["line 1, column 1", "more than 5"],
    );
    refused(
        &run(&[
            "moves",
            "--game",
            "einstein",
            "--position",
            "ABC2/DE3/F3f/3ed/2cba r -",
        ]),
        2,
        &["before a roll"],
    );
    refused(&run(&["moves", "--game", "einstein"]), 2, &["--position"]);
    refused(
        &run(&["perft", "--game", "jiu", "--size", "7", "--depth", "1"]),
        2,
        &["--size 7"],
    );
    refused(
        &run(&["perft", "--game", "einstein", "--size", "8", "--depth", "1"]),
        2,
        &["one size only"],
    );
    let args = |games| {
        [
            "match", "--game", "einstein", "--a", "random", "--b", "random", "--games", games,
        ]
    };
    refused(&run(&args("7")), 2, &["even"]);
    refused(&run(&args("0")), 2, &["--games"]);
    refused(&run(&args("many")), 2, &["many"]);
    let args = [
        "match", "--game", "einstein", "--a", "rnd", "--b", "random", "--games", "2",
    ];
    refused(&run(&args), 2, &["'rnd' is not a player"]);
    let args = [
        "match",
        "--game",
        "einstein",
        "--a",
        "alphabeta:depth=2",
        "--b",
        "random",
        "--games",
        "2",
    ];
    refused(
        &run(&args),
        2,
        &["alphabeta:depth=2", "surakarta and jiu", "einstein"],
    );
    let args = [
        "match", "--game", "einstein", "--a", "random", "--b", "pattern", "--games", "2",
    ];
    refused(&run(&args), 2, &["pattern plays jiu only, not einstein"]);
    refused(
        &run(&["patterns", "--position", "15 b battle"]),
        2,
        &["position '15 b battle'"],
    );
    refused(
        &run(&["selfplay", "no-such-run"]),
        2,
        &["no-such-run", "--config"],
    );
}

#[test]
fn numbers_out_of_range_are_named_with_what_is_asked() {
    let of_match = |more: &[&str]| {
        let mut args = vec!["match", "--game", "einstein", "--b", "random"];
        args.extend(more);
        run(&args)
    };
    let random = ["--a", "random"];
    refused(&of_match(&random), 2, &["--games N is needed"]);
    let below = [&random[..], &["--games", "-2"]].concat();
    refused(&of_match(&below), 2, &["'-2'", "--games"]);
    let many = ["--a", "rollout:sims=2000001", "--games", "2"];
    refused(&of_match(&many), 2, &["from 1 to 2000000", "2000001"]);
    let config = |setting: &str| {
        let args = ["train", "configs/einstein/smoke.toml", "--set", setting];
        run(&args)
    };
    refused(&config("run.seed=-1"), 2, &["-1", "run.seed"]);
    for key in ["gate", "ladder", "truth"] {
        let key = format!("{key}.simulations");
        let many = config(&format!("{key}=2000001"));
        refused(&many, 2, &[&key, "from 1 to 2000000"]);
    }
}

#[test]
fn a_run_of_another_game_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let tiny = ["run.rounds=1", "selfplay.positions=1", "ladder.pairs=0"];
    let tiny: Vec<_> = tiny.iter().flat_map(|set| ["--set", set]).collect();
    let begun = train(&path, &tiny).output().unwrap();
    assert!(begun.status.success(), "{}", stderr(&begun));
    let path = path.to_str().unwrap();
    let output = run(&["train", "configs/surakarta/smoke.toml", "--run", path]);
    refused(&output, 1, &["is a run of einstein, not of surakarta"]);
}

#[test]
fn a_missing_table_is_told_once_with_the_way_to_make_one() {
    let output = run(&[
        "regret",
        "--game",
        "einstein",
        "--player",
        "exact:no-such.tbl",
    ]);
    refused(&output, 1, &["tribord tables"]);
    assert_eq!(stderr(&output).matches("no-such.tbl").count(), 1);
}

#[test]
fn a_net_that_is_missing_or_damaged_stops_a_match_before_its_first_game() {
    let folder = tempfile::tempdir().unwrap();
    let against = |spec: &str| {
        run(&[
            "match", "--game", "einstein", "--a", spec, "--b", "random", "--games", "2",
        ])
    };
    let missing = folder.path().join("missing");
    refused(
        &against(&format!("net:{},sims=4", missing.display())),
        1,
        &["missing"],
    );
    let empty = folder.path().join("net.trb");
    fs::write(&empty, b"").unwrap();
    refused(
        &against(&format!("net:{},sims=4", empty.display())),
        1,
        &["net.trb", "empty"],
    );
}

#[test]
fn a_damaged_record_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.rec");
    fs::write(&path, [0xFF; 64]).unwrap();
    refused(
        &run(&["replay", path.to_str().unwrap()]),
        1,
        &["games.rec", "not a tribord file"],
    );
}

#[test]
fn a_device_that_is_not_there_is_never_replaced_silently() {
    if models::device::GpuBackend::Cuda.is_built() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let output = train(&folder.path().join("run"), &["--device", "cuda:0"])
        .output()
        .unwrap();
    refused(&output, 1, &["--features cuda", "--device cpu"]);
    assert!(!folder.path().join("run").exists(), "nothing was begun");
    let output = train(&folder.path().join("run"), &["--device", "gpu"])
        .output()
        .unwrap();
    refused(&output, 2, &["gpu", "cpu, cuda:0"]);
}

#[test]
fn a_faulty_configuration_names_every_fault() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("faulty.toml");
    fs::write(
        &path,
        "[game]\nname = \"einstein\"\n[learning]\nlearning_rte = 1\nbatch = \"64\"\n",
    )
    .unwrap();
    let output = run(&[
        "check-config",
        path.to_str().unwrap(),
        "configs/einstein/cpu.toml",
    ]);
    assert_eq!(output.status.code(), Some(2));
    let text = stderr(&output);
    assert!(
        text.contains("line 4") && text.contains("learning_rte"),
        "{text}"
    );
    assert!(
        text.contains("line 5") && text.contains("integer, not string"),
        "{text}"
    );
    assert!(stdout(&output).contains("configs/einstein/cpu.toml: ok"));
}

#[test]
fn a_setting_never_changes_the_game_of_a_configuration() {
    let folder = tempfile::tempdir().unwrap();
    for setting in [
        "game.name=surakarta",
        "game.name=chess",
        "game={name=\"jiu\"}",
    ] {
        let output = train(&folder.path().join("run"), &["--set", setting])
            .output()
            .unwrap();
        refused(&output, 2, &[setting, "einstein", "another game"]);
        assert!(!folder.path().join("run").exists(), "nothing was begun");
    }
    let ladder = folder.path().join("ladder.toml");
    let text = "[game]\nname = \"einstein\"\n[[player]]\nspec = \"random\"\n[[player]]\nspec = \"static\"\n";
    fs::write(&ladder, text).unwrap();
    let ladder = ladder.to_str().unwrap();
    let output = run(&["ladder", ladder, "--set", "game.name=jiu"]);
    refused(&output, 2, &["game.name=jiu", "einstein"]);
}

#[test]
fn output_that_is_not_a_terminal_has_plain_lines_only() {
    // O9.
    let folder = tempfile::tempdir().unwrap();
    let output = train(
        &folder.path().join("run"),
        &["--set", "run.rounds=1", "--set", "ladder.pairs=1"],
    )
    .output()
    .unwrap();
    let text = stderr(&output);
    assert!(output.status.success(), "{text}");
    assert!(!text.contains(['\r', '\u{1b}']), "{text:?}");
    assert!(text.lines().count() < 12, "{text}");
    let round = text
        .lines()
        .find(|line| line.starts_with("round 1/1: "))
        .unwrap();
    for part in ["step ", " games/s", "policy loss ", "value loss "] {
        assert!(round.contains(part), "{round}");
    }
}

#[test]
fn a_reader_that_closes_the_output_is_no_fault() {
    use std::process::Stdio;
    let mut child = crate::support::tribord()
        .args(["perft", "--game", "surakarta", "--depth", "3", "--divide"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(!stderr(&output).contains("panicked"), "{}", stderr(&output));
    assert!(!stderr(&output).contains("fault"), "{}", stderr(&output));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_under_the_output_is_an_error_and_no_fault() {
    let position = ["--position", "ABC2/DE3/F3f/3ed/2cba r 6"];
    let cases: [&[&str]; 6] = [
        &["doctor"],
        &["perft", "--game", "einstein", "--depth", "1"],
        &["check-config", "configs/einstein/cpu.toml"],
        &["play", "--game", "einstein", "--opponent", "random"],
        &["moves", "--game", "einstein", position[0], position[1]],
        &["perft", "--help"],
    ];
    for args in cases {
        let full = fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .unwrap();
        let output = crate::support::tribord()
            .args(args)
            .stdout(full)
            .output()
            .unwrap();
        refused(&output, 1, &["error: standard output: No space left"]);
        assert!(!stderr(&output).contains("fault"), "{}", stderr(&output));
    }
}

#[test]
fn perft_counts_no_deeper_than_its_stack_reaches() {
    let perft = |game, depth| run(&["perft", "--game", game, "--depth", depth]);
    for depth in ["201", "100000", "-1"] {
        refused(&perft("jiu", depth), 2, &["--depth", depth]);
    }
}
