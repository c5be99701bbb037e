//! Speed of the rules; run with `cargo test -p engine --release --test rules jiu::speed -- --ignored --nocapture --test-threads 1`.

use std::hint::black_box;
use std::time::Instant;

use engine::draws::{self, Purpose};
use engine::games::jiu::{Due, Jiu, Start, Variant};
use engine::{Game, Side, Status};
use rand::RngExt;

use super::random_games;

#[test]
#[ignore = "measures speed and asserts nothing"]
fn paths_a_second_on_14_before_flying() {
    let mut positions = Vec::new();
    random_games(&Variant::default(), &Start::RandomLayout, 10, |game| {
        if game.due() == Due::Turn && Side::BOTH.into_iter().all(|side| !game.flies(side)) {
            positions.push(*game);
        }
    });
    let rounds = 20;
    let (mut paths, mut squares) = (0_u64, 0_u64);
    let start = Instant::now();
    for game in std::iter::repeat_n(&positions, rounds).flatten() {
        game.for_each_path(|path| {
            paths += 1;
            squares += u64::from(path.squares);
        });
    }
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{} positions, {:.1} paths each, {squares} squares: {:.1} million paths a second",
        positions.len(),
        paths as f64 / (positions.len() * rounds) as f64,
        paths as f64 / seconds / 1e6
    );
}

#[test]
#[ignore = "measures speed and asserts nothing"]
fn random_games_a_second_on_8() {
    let variant = Variant {
        ply_cap: Some(10_000),
        ..Variant::sized(8)
    };
    for start_from in [Start::Empty, Start::RandomLayout] {
        let games = 2_000;
        let mut plies = Vec::new();
        let mut played = 0_u64;
        let mut draws = draws::keyed(5, Purpose::Choice, 0, 0);
        let start = Instant::now();
        for _ in 0..games {
            let mut game = Jiu::start(&variant, &start_from, &mut draws).unwrap();
            while let Status::ToMove(_) = game.status() {
                game.moves(&mut plies);
                game.play(plies[draws.random_range(0..plies.len())]);
                played += 1;
            }
        }
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{start_from:?}: {:.0} games a second, {:.0} plies a game, {:.0} ns a ply",
            f64::from(games) / seconds,
            played as f64 / f64::from(games),
            seconds * 1e9 / played as f64
        );
    }
}

#[test]
#[ignore = "measures speed and asserts nothing"]
fn copies_of_a_state_a_second() {
    let game = Jiu::scan_filled(14).unwrap();
    let copies = 50_000_000_u64;
    let start = Instant::now();
    let mut sum = 0_u64;
    for _ in 0..copies {
        let copy = *black_box(&game);
        sum += u64::from(black_box(&copy).size());
    }
    let nanoseconds = start.elapsed().as_secs_f64() * 1e9 / copies as f64;
    println!(
        "{} bytes, {nanoseconds:.1} ns a copy ({sum})",
        size_of::<Jiu>()
    );
}
