//! Exact tables, values and regret as commands.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serde_json::{Value as Json, json};

use crate::support::{json, run, stderr, stdout, train};

/// A table of three cubes, written once by the command.
pub fn table() -> &'static Path {
    static TABLE: OnceLock<(tempfile::TempDir, PathBuf)> = OnceLock::new();
    let (_, path) = TABLE.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/three.tbl");
        let found = json(&[
            "tables",
            "einstein",
            "--stones",
            "3",
            "--out",
            path.to_str().unwrap(),
            "--json",
        ]);
        assert_eq!(found["entries"], 130_800);
        (folder, path)
    });
    path
}

fn value(position: &str, more: &[&str]) -> Json {
    let args = [
        "value",
        "--game",
        "einstein",
        "--position",
        position,
        "--json",
    ];
    json(&[&args, more].concat())
}

#[test]
fn golden_values_come_out_with_and_without_a_table() {
    let golden = std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../tests/data/golden/einstein_values.jsonl"
    ));
    for line in golden.unwrap().lines().step_by(9) {
        let entry: Json = serde_json::from_str(line).unwrap();
        let position = entry["position"].as_str().unwrap();
        let tables = ["--tables", table().to_str().unwrap()];
        for found in [value(position, &[]), value(position, &tables)] {
            assert_eq!(found.as_object().unwrap().len(), 1);
            let off = found["value"].as_f64().unwrap() - entry["value"].as_f64().unwrap();
            assert!(off.abs() < 1e-9, "{line}: {found}");
        }
    }
}

#[test]
fn a_table_written_with_another_number_of_threads_is_the_same_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("again.tbl");
    let out = path.to_str().unwrap();
    let output = run(&[
        "tables",
        "einstein",
        "--stones",
        "3",
        "--out",
        out,
        "--threads",
        "3",
    ]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(
        std::fs::read(&path).unwrap(),
        std::fs::read(table()).unwrap()
    );
}

#[test]
fn a_value_out_of_reach_is_a_failure_that_names_the_bound_and_the_way_out() {
    let start = "ABC2/DE3/F3f/3ed/2cba r -";
    let output = run(&[
        "value",
        "--game",
        "einstein",
        "--position",
        start,
        "--bound",
        "5000",
        "--json",
    ]);
    assert_eq!(output.status.code(), Some(1));
    let text = stderr(&output);
    for part in ["5000", "--tables", "--bound"] {
        assert!(text.contains(part), "{text}");
    }
    assert!(stdout(&output).is_empty());
    let placing = run(&[
        "value",
        "--game",
        "einstein",
        "--position",
        "5/5/5/5/5 r setup",
    ]);
    assert_eq!(placing.status.code(), Some(1));
    assert!(stderr(&placing).contains("placed"), "{}", stderr(&placing));
    assert_eq!(value("5/5/5/5/3aA b -", &[]), json!({"value": -1.0}));
}

#[test]
fn a_damaged_table_is_refused_with_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bad.tbl");
    let whole = std::fs::read(table()).unwrap();
    let mut flipped = whole.clone();
    flipped[200_000] ^= 1;
    let cases: [(&[u8], &str); 4] = [
        (&flipped, "checksum"),
        (&whole[..whole.len() - 4], "cut short"),
        (b"", "empty"),
        (b"a text of some length that is no table at all", "foreign"),
    ];
    for (bytes, part) in cases {
        std::fs::write(&path, bytes).unwrap();
        let output = run(&[
            "value",
            "--game",
            "einstein",
            "--position",
            "5/1F3/5/2b2/1c3 r -",
            "--tables",
            path.to_str().unwrap(),
        ]);
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(text.contains("bad.tbl") && text.contains(part), "{text}");
    }
}

#[test]
fn other_games_have_no_exact_values() {
    let cases: [&[&str]; 4] = [
        &["tables", "surakarta"],
        &["value", "--game", "jiu", "--position", "x"],
        &["regret", "--game", "surakarta", "--player", "random"],
        &[
            "match", "--game", "jiu", "--a", "static", "--b", "random", "--games", "2",
        ],
    ];
    for args in cases {
        let output = run(args);
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {text}");
        assert!(text.contains("einstein only"), "{args:?}: {text}");
    }
}

#[test]
fn exact_play_loses_nothing_and_other_players_something() {
    let tables = table().to_str().unwrap();
    let regret = |player: &str| {
        let args = [
            "regret",
            "--game",
            "einstein",
            "--player",
            player,
            "--positions",
            "300",
            "--tables",
            tables,
            "--json",
        ];
        json(&args)
    };
    let exact = regret(&format!("exact:{tables}"));
    assert_eq!(exact["regret"], 0.0);
    assert_eq!(exact["interval"], json!([0.0, 0.0]));
    let by_cubes = exact["by_cubes"].as_array().unwrap();
    let cubes: Vec<_> = by_cubes
        .iter()
        .map(|row| (row["cubes"].as_u64(), row["positions"].as_u64()))
        .collect();
    assert_eq!(cubes, [(Some(2), Some(150)), (Some(3), Some(150))]);
    let (by_rule, random) = (regret("static"), regret("random"));
    let mean = |found: &Json| found["regret"].as_f64().unwrap();
    assert!(0.0 < mean(&by_rule) && mean(&by_rule) < mean(&random) / 3.0);
    assert_eq!(by_rule["value_error"], Json::Null);
    assert_eq!(regret("random"), random, "the same seed, the same regret");
}

#[test]
fn the_players_of_einstein_play_and_analyse() {
    let exact = format!("exact:{}", table().display());
    let found = json(&[
        "match", "--game", "einstein", "--a", &exact, "--b", "random", "--games", "40", "--json",
    ]);
    assert!(found["score"].as_f64().unwrap() > 0.6, "{found}");
    let found = json(&[
        "analyze",
        "--game",
        "einstein",
        "--position",
        "5/1F3/5/2b2/1c3 r 6",
        "--player",
        &exact,
        "--json",
    ]);
    assert_eq!(found["proven"], true);
    let best = found["best"].as_str();
    let of_best = found["moves"]
        .as_array()
        .unwrap()
        .iter()
        .find(|entry| entry["move"].as_str() == best);
    assert_eq!(of_best.unwrap()["value"], found["value"]);
    let missing = run(&[
        "match",
        "--game",
        "einstein",
        "--a",
        "exact:nowhere.tbl",
        "--b",
        "random",
        "--games",
        "2",
    ]);
    assert_eq!(missing.status.code(), Some(1));
    assert!(
        stderr(&missing).contains("nowhere.tbl") && stderr(&missing).contains("tribord tables")
    );
}

#[test]
fn a_run_with_a_table_reports_regret_and_its_switches() {
    let folder = tempfile::tempdir().unwrap();
    let run_folder = folder.path().join("run");
    let tables = format!("truth.tables={}", table().display());
    let more = [
        "--set",
        "run.rounds=1",
        "--set",
        "ladder.pairs=2",
        "--set",
        "ladder.simulations=2",
        "--set",
        "truth.positions=40",
        "--set",
        "truth.simulations=2",
        "--set",
        "truth.targets=true",
        "--set",
        "selfplay.positions=600",
        "--set",
        &tables,
    ];
    let output = train(&run_folder, &more).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stdout(&output).contains("regret"), "{}", stdout(&output));
    let read = |name: &str| -> Json {
        serde_json::from_str(&std::fs::read_to_string(run_folder.join(name)).unwrap()).unwrap()
    };
    let line = read("metrics.jsonl");
    let number = |key: &str| line[key].as_f64().unwrap();
    assert!((0.0..0.5).contains(&number("truth/regret")), "{line}");
    assert!(number("truth/value_error") > 0.0, "{line}");
    // Few games come down to three cubes; tests/pipeline/truth.rs checks the targets themselves.
    assert!(
        (0.0..=1.0).contains(&number("truth/target_share")),
        "{line}"
    );
    assert_eq!(number("truth/leaf_share"), 0.0, "leaf values are off");
    assert_eq!(
        read("run.json")["truth"],
        json!({"stones": 3, "leaf_values": false, "targets": true})
    );
}

#[test]
fn a_contest_match_is_played_and_its_records_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let records = folder.path().join("records");
    let contest = [
        "match", "--format", "contest", "--game", "einstein", "--a", "static", "--b", "random",
    ];
    let recorded = [&contest[..], &["--records", records.to_str().unwrap()]].concat();
    let found = json(&[&recorded[..], &["--games", "2", "--json"]].concat());
    let matches = found["matches"].as_array().unwrap();
    assert_eq!(matches.len(), 2);
    let games: usize = matches
        .iter()
        .map(|played| played["games"].as_array().unwrap().len())
        .sum();
    let files: Vec<_> = std::fs::read_dir(&records).unwrap().collect();
    assert_eq!(files.len(), games);
    let text = std::fs::read_to_string(records.join("match-001-game-1.txt")).unwrap();
    assert!(text.starts_with("#[static][random]["), "{text}");
    let output = run(&recorded);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("earlier matches"));
    assert_eq!(
        text,
        std::fs::read_to_string(records.join("match-001-game-1.txt")).unwrap()
    );
    // No time at all: whoever is asked first loses.
    let found = json(&[&contest[..], &["--clock", "0", "--json"]].concat());
    let games = found["matches"][0]["games"].as_array().unwrap();
    for game in games {
        assert_eq!(game["reason"], "time");
        assert_ne!(game["winner"], game["first"]);
    }
    for (more, part) in [
        (
            ["--format", "contest", "--game", "surakarta"],
            "einstein only",
        ),
        (["--clock", "-1", "--format", "contest"], "--clock"),
        (["--records", "x", "--games", "2"], "--format contest"),
        (["--clock", "9", "--games", "2"], "--format contest"),
        (["--games", "-2", "--format", "contest"], "-2"),
        (
            ["--format", "contest", "--opening-plies", "2"],
            "--format games",
        ),
    ] {
        let mut args = vec!["match", "--a", "random", "--b", "random"];
        if !more.contains(&"--game") {
            args.extend(["--game", "einstein"]);
        }
        args.extend(more);
        let output = run(&args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(stderr(&output).contains(part), "{}", stderr(&output));
    }
}

#[test]
fn a_match_shows_its_score_without_luck() {
    let args = [
        "match", "--game", "einstein", "--a", "static", "--b", "random", "--games", "200", "--json",
    ];
    assert_eq!(json(&args)["luck_adjusted"], Json::Null);
    let tables = ["--tables", table().to_str().unwrap()];
    let found = json(&[&args[..], &tables].concat());
    let adjusted = &found["luck_adjusted"];
    // Values of the last three cubes tell little luck; that the variance falls with better ones is
    // tested where the values are (tests/pipeline/contest.rs).
    assert!(
        adjusted["variance_factor"].as_f64().unwrap() > 0.9,
        "{found}"
    );
    let off = adjusted["score"].as_f64().unwrap() - found["score"].as_f64().unwrap();
    assert!(off != 0.0 && off.abs() < 0.1, "{found}");
}
