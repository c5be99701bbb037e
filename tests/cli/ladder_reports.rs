//! What ladders report, and what they are made from: books, nets of a run, tests that stop, pages.
#![cfg(unix)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Stdio;

use engine::games::surakarta::{Surakarta, Variant};
use engine::{Encode, Game};
use serde_json::{Value as Json, json};

use crate::ladders::{config, ladder, lines, played, program, report};
use crate::support::{run, stderr, stdout, train};

fn write(folder: &Path, text: &str) -> String {
    let path = folder.join("ladder.toml");
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_string()
}

fn make_book(path: &Path, seed: &str) -> Json {
    let out = path.to_str().unwrap();
    let args = [
        "book",
        "--game",
        "surakarta",
        "--plies",
        "4",
        "--openings",
        "12",
        "--within",
        "0.4",
        "--judge",
        "rollout:sims=30",
        "--seed",
        seed,
        "--out",
        out,
    ];
    let made = run(&args);
    assert!(made.status.success(), "{}", stderr(&made));
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn a_book_repeats_no_opening_in_any_view_and_a_ladder_plays_it_in_pairs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.json");
    let book = make_book(&path, "3");
    let openings: Vec<_> = book["openings"].as_array().unwrap().iter().collect();
    assert_eq!(openings.len(), 12);
    let mut views = BTreeSet::new();
    for opening in &openings {
        let opening = Surakarta::parse(opening.as_str().unwrap(), &Variant::default()).unwrap();
        let seen = opening
            .symmetries()
            .iter()
            .map(|&by| opening.map(by).text());
        assert!(views.insert(seen.min().unwrap()), "{}", opening.text());
    }
    assert_eq!(make_book(&folder.path().join("again.json"), "3"), book);
    assert_ne!(make_book(&folder.path().join("other.json"), "4"), book);

    let text = format!(
        "[game]\nname = \"surakarta\"\n[ladder]\npairs = 12\nbook = {:?}\n[[player]]\nspec = \"random\"\n\
         [[player]]\nspec = \"alphabeta:depth=1\"\n",
        path.to_str().unwrap()
    );
    let out = folder.path().join("out");
    played(
        &ladder(&write(folder.path(), &text), &out, "2")
            .output()
            .unwrap(),
    );
    let lines = lines(&out);
    assert_eq!(lines.len(), 24);
    for pair in 1..=12 {
        let two: Vec<_> = lines.iter().filter(|line| line["pair"] == pair).collect();
        assert_eq!(two.len(), 2);
        assert_eq!(two[0]["opening"], two[1]["opening"]);
        assert_eq!(two[0]["first"], two[1]["second"]);
    }
    let used: BTreeSet<_> = lines
        .iter()
        .map(|line| line["opening"].to_string())
        .collect();
    let all: BTreeSet<_> = openings.iter().map(|opening| opening.to_string()).collect();
    assert_eq!(used, all, "every opening once before any comes twice");
    // A book of another game is refused by name.
    let wrong = text
        .replace("surakarta", "einstein")
        .replace("alphabeta:depth=1", "static");
    let output = ladder(
        &write(folder.path(), &wrong),
        &folder.path().join("wrong"),
        "1",
    )
    .output();
    let output = output.unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("book.json"), "{}", stderr(&output));
}

#[test]
fn greedy_players_without_openings_play_two_games_only_and_the_report_says_so() {
    // E1. A player without any randomness: it is told the same number for every game.
    let folder = tempfile::tempdir().unwrap();
    let greedy = |depth: u32| {
        let path = folder.path().join(format!("greedy-{depth}"));
        let text = format!(
            "while read -r line; do case $line in new*) line='new 0';; esac; echo \"$line\"; done \
             | {} engine --player alphabeta:depth={depth}\n",
            program()
        );
        fs::write(&path, text).unwrap();
        format!("engine:sh {}", path.display())
    };
    let text = |plies: u32| {
        format!(
            "[game]\nname = \"surakarta\"\n[ladder]\npairs = 20\nopening_plies = {plies}\n\
             [[player]]\nname = \"a\"\nspec = {:?}\n[[player]]\nname = \"b\"\nspec = {:?}\n",
            greedy(2),
            greedy(1)
        )
    };
    let play = |name: &str, plies: u32, threads: &str| {
        let out = folder.path().join(name);
        let config = write(folder.path(), &text(plies));
        let mut command = ladder(&config, &out, threads);
        let output = command.stdout(Stdio::piped()).output().unwrap();
        played(&output);
        (out, stdout(&output))
    };
    let (_, table) = play("alike", 0, "2");
    assert!(table.contains("40 games, distinct games: 2"), "{table}");
    assert!(table.contains("not counted"), "{table}");
    let (out, _) = play("openings", 6, "2");
    let distinct = report(&out)["standings"]["distinct_games"]
        .as_u64()
        .unwrap();
    assert!(distinct >= 38, "{distinct} of 40");
    let (again, _) = play("again", 6, "1");
    let sorted = |out: &Path| -> BTreeSet<String> {
        lines(out).iter().map(|line| line.to_string()).collect()
    };
    assert_eq!(
        sorted(&out),
        sorted(&again),
        "the same seed, the same 40 games"
    );
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
