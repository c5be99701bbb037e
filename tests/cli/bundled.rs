//! The nets that the program carries are there at once, from any folder.

use std::io::Write;
use std::process::Stdio;

use crate::support::{json, stdout, tribord};

#[test]
fn a_game_in_the_terminal_has_an_opponent_at_once() {
    let elsewhere = tempfile::tempdir().unwrap();
    // On the competition board of Jiu the bundled net, which learned on 8×8, would be no match.
    for (game, opponent) in [
        (&["einstein"][..], "net:bundled,sims=256"),
        (&["surakarta"], "net:bundled,sims=256"),
        (&["jiu"], "pattern"),
        (&["jiu", "--size", "8"], "net:bundled,sims=256"),
    ] {
        let mut child = tribord()
            .args(["play", "--second", "--seed", "1", "--game"])
            .args(game)
            .current_dir(&elsewhere)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(b"quit\n").unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success());
        let text = stdout(&output);
        assert!(text.contains(&format!("against {opponent}. ")), "{text}");
        assert!(text.contains(&format!("\n{opponent} plays ")), "{text}");
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
