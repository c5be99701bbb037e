//! Every command's output, in JSON where it has some.

use std::io::Write;
use std::process::Stdio;

use serde_json::json;

use crate::support::{json, json_lines, run, stderr, stdout, train, tribord};

const START: &str = "ABC2/DE3/F3f/3ed/2cba r -";

#[test]
fn moves_are_listed_in_canonical_text_and_sorted() {
    let listed = json(&[
        "moves",
        "--game",
        "einstein",
        "--position",
        "1CB2/AD3/E1d1a/4c/2bfe r 6",
        "--json",
    ]);
    assert_eq!(listed, json!({"moves": ["R5-A2", "R5-B2", "R5-B3"]}));
    let listed = json(&[
        "moves",
        "--game",
        "surakarta",
        "--position",
        "bbbbbb/bbbbbb/6/6/rrrrrr/rrrrrr r 0",
        "--json",
    ]);
    assert_eq!(listed["moves"].as_array().unwrap().len(), 16);
    let listed = json(&[
        "moves",
        "--game",
        "jiu",
        "--position",
        "6/1bb3/1b4/2b3/2w3/wwww2 b battle",
        "--json",
    ]);
    assert!(listed["paths"].is_object(), "{listed}");
}

#[test]
fn patterns_lists_the_shapes_of_both_sides_with_their_answers() {
    let position = "6/1bb3/1b4/2b3/2w3/wwww2 b battle";
    let shape = |kind, side, points: &[&str], answer| json!({"kind": kind, "side": side, "points": points, "answers": [answer]});
    let listed = json(&["patterns", "--position", position, "--json"]);
    // Both sides have at most six stones and fly, so every triangle is a gate.
    let expected = json!({"patterns": [
        shape("triangle", "w", &["B1", "C1", "C2"], "B2"),
        shape("triangle", "w", &["C1", "C2", "D1"], "D2"),
        shape("gate", "w", &["B1", "C1", "C2"], "B2"),
        shape("gate", "w", &["C1", "C2", "D1"], "D2"),
        shape("triangle", "b", &["B4", "B5", "C5"], "C4"),
        shape("gate", "b", &["B4", "B5", "C5"], "C4"),
    ]});
    assert_eq!(listed, expected);
    let text = stdout(&run(&["patterns", "--position", position]));
    assert!(
        text.contains("Black: gate B4 B5 C5, answered on C4"),
        "{text}"
    );
}

#[test]
fn the_pattern_player_is_a_player_of_jiu() {
    let args = [
        "match", "--game", "jiu", "--size", "6", "--a", "pattern", "--b", "random", "--games", "8",
        "--json",
    ];
    let found = json(&args);
    assert!(found["score"].as_f64().unwrap() > 0.7, "{found}");
    assert_eq!(json(&args), found, "the same seed, the same match");
    // C2-C3 completes a square.
    let args = [
        "analyze",
        "--game",
        "jiu",
        "--player",
        "pattern",
        "--json",
        "--position",
        "wwwwwwww/bwbwbwbw/8/8/1bb5/1b6/2b5/bwbwbwbw b battle",
    ];
    assert_eq!(json(&args)["best"], "C2-C3");
}

#[test]
fn every_line_of_standard_input_gets_one_line_of_json() {
    let lines = "1CB2/AD3/E1d1a/4c/2bfe r 6\nnonsense\n4A/5/5/5/5 r -\n5/5/4A/5/f4 r 1\n";
    let found = json_lines(&["moves", "--game", "einstein", "--stdin", "--json"], lines);
    assert_eq!(found.len(), 4);
    assert_eq!(found[0]["moves"].as_array().unwrap().len(), 3);
    assert!(
        found[1]["error"]
            .as_str()
            .unwrap()
            .contains("line 2, column")
    );
    assert_eq!(found[2], json!({"moves": []}), "a finished game");
    assert_eq!(found[3], json!({"moves": ["R1-E2"]}));
}

/// Runs a command with bytes as its standard input.
fn told(args: &[&str], input: &[u8]) -> std::process::Output {
    let mut command = tribord();
    command.args(args).stdin(Stdio::piped());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn a_line_that_is_not_utf_8_is_wrong_input_like_any_other() {
    let lines =
        b"5/5/4A/5/f4 r 1\n\xff\xfe 5/5/4A/5/f4 r 1\n5/5/4A/5/f4 r \xb9\r\n5/5/4A/5/f4 r 1\r\n";
    for command in ["moves", "encode"] {
        let found = json_lines(&[command, "--game", "einstein", "--stdin", "--json"], lines);
        assert_eq!(found.len(), 4);
        assert_eq!(found[0], found[3]);
        for (at, line) in [(1, "line 2"), (2, "line 3")] {
            let error = found[at]["error"].as_str().unwrap();
            assert!(error.starts_with(line), "{error}");
        }
    }
    let args = ["play", "--game", "einstein", "--opponent", "random"];
    let output = told(&args, b"\xff\nquit\n");
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stdout(&output).contains("`moves` lists"));
    assert!(stdout(&output).contains("Game left."));
    let args = ["engine", "--player", "random"];
    let input = b"tribord 1\ngame einstein\n\xff\nposition 5/5/4A/5/f4 r 1\ngo\nquit\n";
    let output = told(&args, input);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output);
    let answers: Vec<_> = text.lines().collect();
    assert!(answers[1].starts_with("error "), "{text}");
    assert_eq!(answers[2], "move R1-E2");
}

#[test]
fn perft_counts_the_published_paths() {
    let nodes = |args: &[&str]| json(args)["nodes"].as_u64().unwrap();
    assert_eq!(
        nodes(&["perft", "--game", "einstein", "--depth", "4", "--json"]),
        117_369
    );
    assert_eq!(
        nodes(&["perft", "--game", "surakarta", "--depth", "4", "--json"]),
        111_122
    );
    assert_eq!(
        nodes(&[
            "perft", "--game", "jiu", "--size", "6", "--depth", "4", "--json"
        ]),
        2_062
    );
    assert_eq!(
        nodes(&["perft", "--game", "jiu", "--depth", "3", "--json"]),
        308
    );
    for game in ["einstein", "surakarta", "jiu"] {
        let divided = json(&[
            "perft", "--game", game, "--depth", "2", "--divide", "--json",
        ]);
        let parts = divided["divide"].as_object().unwrap().values();
        let sum: u64 = parts.map(|nodes| nodes.as_u64().unwrap()).sum();
        assert_eq!(divided["nodes"].as_u64(), Some(sum));
    }
}

#[test]
fn a_match_prints_one_document_whose_numbers_add_up() {
    let args = [
        "match",
        "--game",
        "einstein",
        "--a",
        "rollout:sims=50",
        "--b",
        "random",
        "--games",
        "60",
        "--json",
    ];
    let found = json(&args);
    let number = |key: &str| found[key].as_u64().unwrap();
    assert_eq!(
        number("wins") + number("draws") + number("losses") + number("truncated"),
        60
    );
    assert_eq!(number("games"), 60);
    assert_eq!(number("pairs"), 30);
    assert!(found["score"].as_f64().unwrap() > 0.6);
    assert_eq!(json(&args), found, "the same seed, the same match");
}

#[test]
fn analysis_lists_the_legal_moves_with_their_numbers() {
    let position = START.replace('-', "3");
    let args = [
        "analyze",
        "--game",
        "einstein",
        "--position",
        &position,
        "--player",
        "rollout:sims=200",
        "--json",
    ];
    let found = json(&args);
    let moves = found["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 3);
    let visits: u64 = moves
        .iter()
        .map(|entry| entry["visits"].as_u64().unwrap())
        .sum();
    assert_eq!(visits, 200);
    assert!(found["value"].as_f64().unwrap().abs() <= 1.0);
    // Red wins at once: a proven win in the view of the side to move, for either side.
    for (position, best) in [
        ("5/5/2b2/5/3A1 r 1", "R1-E1"),
        ("1a3/5/2B2/5/5 b 1", "B1-A5"),
    ] {
        let args = [
            "analyze",
            "--game",
            "einstein",
            "--position",
            position,
            "--player",
            "rollout:sims=50",
            "--json",
        ];
        let found = json(&args);
        assert_eq!(
            (found["best"].as_str(), found["value"].as_f64()),
            (Some(best), Some(1.0))
        );
    }
}

#[test]
fn alpha_beta_analyses_with_depth_and_nodes_and_shows_the_way_of_a_capture() {
    // Red's C1 flies down column C, round the corner and along row 3, where only Black's F3 stands.
    let args = [
        "analyze",
        "--game",
        "surakarta",
        "--position",
        "6/6/6/5b/6/2r3 r 0",
        "--player",
        "alphabeta:depth=3",
    ];
    let found = json(&[&args[..], &["--json"]].concat());
    assert_eq!(found["best"].as_str(), Some("C1xF3"));
    assert_eq!(found["value"].as_f64(), Some(1.0));
    assert_eq!(found["proven"].as_bool(), Some(true));
    assert_eq!(found["depth"].as_u64(), Some(1), "the win is in one ply");
    let moves = found["moves"].as_array().unwrap();
    let visits = moves.iter().map(|entry| entry["visits"].as_u64().unwrap());
    assert_eq!(found["nodes"].as_u64(), Some(visits.sum()));
    let shown = stdout(&run(&args));
    assert!(shown.contains("C1xF3 (C1"), "{shown}");
    assert!(shown.contains("depth 1 plies"), "{shown}");
}

#[test]
fn a_run_trains_replays_plays_and_shows_its_ladder() {
    let folder = tempfile::tempdir().unwrap();
    let run_folder = folder.path().join("run");
    let ladder = [
        "--set",
        "run.rounds=2",
        "--set",
        "ladder.pairs=4",
        "--set",
        "ladder.simulations=4",
    ];
    let output = train(&run_folder, &ladder).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(
        stdout(&output).contains("random"),
        "the ladder is printed: {}",
        stdout(&output)
    );
    for name in [
        "run.json",
        "metrics.jsonl",
        "checkpoint/latest.trb",
        "ladder/ladder.json",
        "games/000001.rec",
    ] {
        assert!(run_folder.join(name).is_file(), "{name}");
    }
    assert_eq!(std::fs::read_dir(run_folder.join("tb")).unwrap().count(), 1);

    // The same command again has nothing left to do but to show the ladder.
    let again = train(&run_folder, &ladder).output().unwrap();
    assert!(again.status.success());
    assert_eq!(stdout(&again), stdout(&output));

    let records = run_folder.join("games/000001.rec");
    let replayed = json(&["replay", records.to_str().unwrap(), "--json"]);
    assert!(replayed["games"].as_u64().unwrap() > 0);
    assert_eq!(replayed["draws"], 0);

    let steps = trainer::run::RunFolder::new(&run_folder).net_steps();
    let net = run_folder.join(format!("nets/{:08}", steps.last().unwrap()));
    let spec = format!("net:{},sims=8", net.display());
    let found = json(&[
        "match", "--game", "einstein", "--a", &spec, "--b", "random", "--games", "8", "--json",
    ]);
    assert_eq!(found["a_net"]["step"].as_u64(), steps.last().copied());
    let position = START.replace('-', "3");
    json(&[
        "analyze",
        "--game",
        "einstein",
        "--position",
        &position,
        "--player",
        &spec,
        "--json",
    ]);
}

#[test]
fn stages_run_alone_and_together_make_a_round() {
    let folder = tempfile::tempdir().unwrap();
    let run_folder = folder.path().join("run");
    let name = run_folder.to_str().unwrap();
    let mut first = tribord();
    first.args(["selfplay", name, "--config", "configs/einstein/smoke.toml"]);
    first
        .args(crate::support::TINY)
        .args(["--set", "run.rounds=1", "--set", "ladder.pairs=2"]);
    let output = first.output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(run_folder.join("games/000000.rec").is_file());
    for stage in ["learn", "ladder"] {
        let output = run(&[stage, name]);
        assert!(output.status.success(), "{stage}: {}", stderr(&output));
    }
    assert_eq!(
        trainer::run::RunFolder::new(&run_folder).net_steps().len(),
        2
    );
    assert!(run_folder.join("ladder/ladder.json").is_file());
}

#[test]
fn a_game_can_be_played_in_the_terminal() {
    let args = [
        "play",
        "--game",
        "einstein",
        "--opponent",
        "random",
        "--seed",
        "3",
    ];
    let text = stdout(&told(&args, b"moves\nR9-Z9\nboard\nquit\n"));
    assert!(text.contains("The die shows"), "{text}");
    assert!(text.contains("A  B  C  D  E"), "{text}");
    assert!(text.contains("R to move, the die shows"), "{text}");
    assert!(text.contains("moves` lists"), "{text}");
    assert!(text.contains("Game left."), "{text}");
}

#[test]
fn every_command_explains_itself() {
    let help = stdout(&run(&["--help"]));
    for command in [
        "train",
        "selfplay",
        "learn",
        "ladder",
        "match",
        "moves",
        "perft",
        "play",
        "analyze",
        "replay",
        "bench",
        "doctor",
        "check-config",
    ] {
        assert!(help.contains(command), "{command} is listed");
        let own = run(&[command, "--help"]);
        assert!(own.status.success());
        assert!(stdout(&own).contains("Usage: tribord"), "{command}");
    }
    let doctor = json(&["doctor", "--json"]);
    assert_eq!(doctor["games"], json!(["einstein", "surakarta", "jiu"]));
}

#[test]
fn the_engine_depends_on_no_network_library() {
    let tree = std::process::Command::new(env!("CARGO"))
        .args([
            "tree",
            "-p",
            "engine",
            "--edges",
            "normal,build",
            "--offline",
            "--manifest-path",
        ])
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml"))
        .output()
        .unwrap();
    assert!(tree.status.success(), "{}", stderr(&tree));
    let text = stdout(&tree);
    assert!(text.contains("engine v"), "{text}");
    assert!(!text.contains("burn"), "{text}");
}
