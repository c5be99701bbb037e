//! The nets that the program carries are there at once, from any folder.

use std::io::Write;
use std::process::Stdio;

use crate::support::{json, stdout, tribord};

#[test]
fn a_game_in_the_terminal_has_an_opponent_at_once() {
    let elsewhere = tempfile::tempdir().unwrap();
    for game in ["einstein", "surakarta", "jiu"] {
        let mut child = tribord()
            .args(["play", "--game", game, "--second", "--seed", "1"])
            .current_dir(&elsewhere)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(b"quit\n").unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success());
        let text = stdout(&output);
        assert!(text.contains("against net:bundled,sims=256"), "{text}");
        assert!(text.contains("net:bundled,sims=256 plays "), "{text}");
    }
}

#[test]
fn each_bundled_net_beats_random_play() {
    let against_random = |game: &[&str]| {
        let players = ["--a", "net:bundled,sims=8", "--b", "random", "--json"];
        json(&[&["match", "--game"], game, &players].concat())
    };
    for game in [
        &["einstein", "--games", "40"][..],
        &["surakarta", "--games", "8", "--opening-plies", "4"],
        &["jiu", "--size", "8", "--games", "8", "--opening-plies", "4"],
    ] {
        let found = against_random(game);
        assert!(found["score"].as_f64().unwrap() > 0.75, "{found}");
    }
}
