//! Openings of ladders: books, and what happens without any (E1).
#![cfg(unix)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Stdio;

use engine::games::surakarta::{Surakarta, Variant};
use engine::{Encode, Game};
use serde_json::Value as Json;

use crate::ladder_reports::write;
use crate::ladders::{ladder, lines, played, program, report};
use crate::support::{run, stderr, stdout};

fn make_book(path: &Path, plies: &str, openings: &str, within: &str, seed: &str) -> Json {
    let out = path.to_str().unwrap();
    let options = [
        ("--game", "surakarta"),
        ("--plies", plies),
        ("--openings", openings),
        ("--within", within),
        ("--judge", "rollout:sims=30"),
        ("--seed", seed),
        ("--out", out),
    ];
    let options = options.iter().flat_map(|&(name, value)| [name, value]);
    let made = run(&["book"].into_iter().chain(options).collect::<Vec<_>>());
    assert!(made.status.success(), "{}", stderr(&made));
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn a_book_of_single_plies_holds_one_of_each_two_mirrored_ones() {
    // The sixteen first moves are eight and their mirror images.
    let folder = tempfile::tempdir().unwrap();
    let book = make_book(&folder.path().join("book.json"), "1", "20", "1", "1");
    assert_eq!(book["openings"].as_array().unwrap().len(), 8);
    // With less leeway than any opening is worth there is no book.
    let path = folder.path().join("none.json");
    let args = [
        "book",
        "--game",
        "surakarta",
        "--plies",
        "0",
        "--within",
        "0",
        "--judge",
        "rollout:sims=9",
        "--out",
        path.to_str().unwrap(),
    ];
    let output = run(&args);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("no opening of 0 plies"),
        "{}",
        stderr(&output)
    );
    assert!(!path.exists());
}

#[test]
fn a_book_repeats_no_opening_in_any_view_and_a_ladder_plays_it_in_pairs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.json");
    let book = make_book(&path, "4", "12", "0.4", "3");
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
    assert_eq!(
        make_book(&folder.path().join("again.json"), "4", "12", "0.4", "3"),
        book
    );
    assert_ne!(
        make_book(&folder.path().join("other.json"), "4", "12", "0.4", "4"),
        book
    );

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
