//! What ladders report: nets by step and hash, pages, tests that stop, mixtures.
#![cfg(unix)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value as Json, json};

use crate::ladders::{config, ladder, lines, played, report};
use crate::support::{json as json_of, run, stderr, stdout, train};

pub fn write(folder: &Path, text: &str) -> String {
    let path = folder.join("ladder.toml");
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_string()
}

/// The nets of a small run, by folder name.
fn nets(run_folder: &Path) -> Vec<String> {
    let more = ["--set", "run.rounds=2", "--set", "ladder.pairs=0"];
    let output = train(run_folder, &more).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let mut names: Vec<_> = fs::read_dir(run_folder.join("nets"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn nets_by_a_pattern_are_named_by_step_and_hash_and_drawn_over_their_steps() {
    let folder = tempfile::tempdir().unwrap();
    let run_folder = folder.path().join("run");
    let nets = nets(&run_folder);
    assert!(nets.len() >= 3, "{nets:?}");
    let text = format!(
        "[game]\nname = \"einstein\"\n[ladder]\nplan = \"anchors\"\npairs = 6\nanchor = \"random\"\n\
         [[player]]\nspec = \"random\"\n[[player]]\nname = \"by time\"\nspec = \"rollout:secs=0.002\"\n\
         [[player]]\nname = \"step\"\nnets = {:?}\nbudget = \"sims=2\"\n",
        run_folder.join("n?ts/0*").to_str().unwrap()
    );
    let out = folder.path().join("out");
    let output = ladder(&write(folder.path(), &text), &out, "2")
        .output()
        .unwrap();
    played(&output);
    assert!(
        stderr(&output).contains("share of time in evaluation"),
        "{}",
        stderr(&output)
    );
    let report = report(&out);
    let players = report["players"].as_array().unwrap();
    assert_eq!(players.len(), 2 + nets.len());
    for (player, net) in players[2..].iter().zip(&nets) {
        assert_eq!(player["name"], json!(format!("step {net}")));
        assert_eq!(
            player["step"].as_u64().unwrap(),
            net.parse::<u64>().unwrap()
        );
        assert_eq!(player["hash"].as_str().unwrap().len(), 8);
    }
    let hashes: BTreeSet<_> = players
        .iter()
        .map(|player| player["hash"].to_string())
        .collect();
    assert_eq!(
        hashes.len(),
        players.len(),
        "E19: other weights, another hash"
    );
    // Each net meets the two players that are no nets and its one predecessor.
    let couples = report["standings"]["couples"].as_array().unwrap();
    assert_eq!(couples.len(), 2 * nets.len() + nets.len() - 1);
    assert!(report["evaluation_share"].as_f64().unwrap() > 0.0);

    let page = fs::read_to_string(out.join("ladder.html")).unwrap();
    for part in [
        "<svg",
        "Cross table",
        "Results by opening",
        "Rating over learning steps",
        "by time",
    ] {
        assert!(page.contains(part), "{part}");
    }
    assert_eq!(page.matches("<circle").count(), rated_nets(&report));
    for outside in ["http://", "https://", "<script", "src="] {
        let own = page.replace("http://www.w3.org/2000/svg", "");
        assert!(!own.contains(outside), "the page needs {outside}");
    }
    let markdown = fs::read_to_string(out.join("ladder.md")).unwrap();
    assert!(markdown.starts_with("| player | Elo |"), "{markdown}");
    assert!(markdown.contains("| random | 0 (anchor) |"), "{markdown}");
}

/// Nets with a rating and both ends of its interval.
fn rated_nets(report: &Json) -> usize {
    let lines = report["standings"]["players"].as_array().unwrap();
    let is_net = |line: &&Json| line["player"].as_str().unwrap().starts_with("step ");
    let is_rated = |line: &&Json| line["rating"].is_number();
    lines.iter().filter(is_net).filter(is_rated).count()
}

#[test]
fn a_pattern_that_no_net_matches_stops_before_the_first_game() {
    let folder = tempfile::tempdir().unwrap();
    let text = "[game]\nname = \"einstein\"\n[[player]]\nspec = \"random\"\n\
                [[player]]\nnets = \"no/such/*\"\nbudget = \"sims=2\"\n";
    let out = folder.path().join("out");
    let output = ladder(&write(folder.path(), text), &out, "1")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("no net matches no/such/*"),
        "{}",
        stderr(&output)
    );
    assert!(!out.exists());
}

#[test]
fn a_test_stops_the_ladder_with_the_same_verdict_on_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let specs = [
        ("better", "rollout:sims=8".to_string()),
        ("random", "random".to_string()),
    ];
    let more = "games_at_once = 16\n[sprt]\nelo0 = 0.0\nelo1 = 60.0\nminimum = 20";
    let config = config(folder.path(), 400, &specs, more);
    let reports: Vec<_> = ["1", "4"]
        .iter()
        .map(|threads| {
            let out = folder.path().join(threads);
            played(&ladder(&config, &out, threads).output().unwrap());
            let report = report(&out);
            (
                report["sprt"].clone(),
                report["standings"].clone(),
                report["complete"].clone(),
            )
        })
        .collect();
    assert_eq!(reports[0], reports[1]);
    let (sprt, standings, complete) = &reports[0];
    assert_eq!(sprt["verdict"], "elo1 accepted");
    let pairs = sprt["pairs"].as_u64().unwrap();
    assert!((20..200).contains(&pairs), "{pairs}");
    let counts = sprt["pentanomial"].as_array().unwrap();
    let counted: u64 = counts.iter().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!(counted, pairs);
    // The pairs that were under way when it was decided are rated, and change nothing of the verdict.
    assert!(standings["games"].as_u64().unwrap() >= 2 * pairs);
    assert!(
        standings["games"].as_u64().unwrap() < 800,
        "the ladder stopped"
    );
    assert_eq!(*complete, true);
    // The same command again finds the same verdict without a game.
    let out = folder.path().join("1");
    let before = lines(&out).len();
    played(&ladder(&config, &out, "2").output().unwrap());
    assert_eq!(lines(&out).len(), before);
    assert_eq!(report(&out)["sprt"], *sprt);
}

#[test]
fn a_report_of_another_format_is_not_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let specs = [("a", "random".to_string()), ("b", "static".to_string())];
    let config = config(folder.path(), 2, &specs, "");
    let out = folder.path().join("out");
    fs::create_dir(&out).unwrap();
    fs::write(out.join("ladder.json"), "[{\"step\": 14}]").unwrap();
    let output = ladder(&config, &out, "1").output().unwrap();
    played(&output);
    assert!(
        stderr(&output).contains("ladder-old-1.json"),
        "{}",
        stderr(&output)
    );
    assert_eq!(
        fs::read_to_string(out.join("ladder-old-1.json")).unwrap(),
        "[{\"step\": 14}]"
    );
    assert_eq!(report(&out)["format"], 1);
    played(&ladder(&config, &out, "1").output().unwrap());
    assert!(
        !out.join("ladder-old-2.json").exists(),
        "its own report is renewed"
    );
}

#[test]
fn rate_fails_on_a_mixture_and_lists_what_it_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lines.jsonl");
    let line = |id: u64, hash: &str| {
        json!({"game": "einstein", "rules": 1, "id": id, "seed": 5, "result": "first",
               "first": {"name": "a", "hash": hash}, "second": {"name": "b"}})
    };
    let file = path.to_str().unwrap();
    fs::write(&path, format!("{}\n{}\n", line(1, "x"), line(2, "x"))).unwrap();
    assert!(run(&["rate", file]).status.success());
    fs::write(
        &path,
        format!("{}\n{}\n{}\n", line(1, "x"), line(1, "x"), line(2, "y")),
    )
    .unwrap();
    let output = run(&["rate", file, "--json"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("2 of 3 lines were left out"),
        "{}",
        stderr(&output)
    );
    let document: Json = serde_json::from_str(&stdout(&output)).unwrap();
    let why = |at: usize| document["left_out"][at]["why"].as_str().unwrap();
    assert!(
        why(0).contains("duplicate") && why(1).contains("other weights"),
        "{document}"
    );
    assert_eq!(document["standings"]["games"], 1);
    assert!(run(&["rate", file, "--leave-out"]).status.success());
}

#[test]
fn the_gate_of_a_run_names_both_nets_by_step_and_by_the_weights_that_their_files_hold() {
    // E19.
    let folder = tempfile::tempdir().unwrap();
    let run_folder = folder.path().join("run");
    let settings = [
        "run.rounds=1",
        "ladder.pairs=0",
        "gate.pairs=4",
        "gate.simulations=2",
        "gate.threshold=0.0",
    ];
    let more = settings.map(|setting| ["--set", setting]).concat();
    let output = train(&run_folder, &more).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    let steps = trainer::run::RunFolder::new(&run_folder).net_steps();
    let [first, last] = [steps[0], steps[1]];
    let hash = |step: u64| {
        let spec = format!("net:{}/nets/{step:08},sims=1", run_folder.display());
        let args = [
            "match", "--game", "einstein", "--a", &spec, "--b", "random", "--games", "2", "--json",
        ];
        let found = json_of(&args);
        found["a_net"]["hash"].as_str().unwrap().to_string()
    };
    let names = format!(
        "gate: step {last} (weights {}) against step {first} (weights {}): ",
        hash(last),
        hash(first)
    );
    let told = stderr(&output);
    let line = told.lines().find(|line| line.starts_with(&names));
    let line = line.unwrap_or_else(|| panic!("{names} in {told}"));
    for part in ["(W-D-L)", "score 0.", "threshold 0.0000: accepted"] {
        assert!(line.contains(part), "{line}");
    }
}
