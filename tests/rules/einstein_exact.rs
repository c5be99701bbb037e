//! Exact values of EinStein: against published values, a plain expectimax, and the symmetries.

use std::collections::HashMap;
use std::sync::OnceLock;

use engine::draws::{Purpose, keyed};
use engine::games::einstein::exact::{Build, Exact, Part, Table, TableError};
use engine::games::einstein::{Einstein, Rules};
use engine::{Encode, Game, Outcome, Roll, Side, Status};
use rand::RngExt;
use rand::seq::SliceRandom;
use serde_json::Value as Json;

const GOLDEN: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../tests/data/golden/einstein_values.jsonl"
);

/// Half a step of the stored numbers.
const ROUNDING: f64 = 1.0 / u32::MAX as f64;

fn position(text: &str) -> Einstein {
    Einstein::parse(text, &Rules {}).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The table of three cubes, computed once.
fn three() -> &'static Build {
    static BUILD: OnceLock<Build> = OnceLock::new();
    BUILD.get_or_init(|| {
        let mut build = Build::new(3).unwrap();
        build.run();
        build
    })
}

/// The value for the side to move, by the rules alone.
fn plain(game: &Einstein, memo: &mut HashMap<u64, f64>) -> f64 {
    if let Status::Over(outcome) = game.status() {
        return outcome.value().seen_by(game.mover());
    }
    if let Some(&value) = memo.get(&game.key()) {
        return value;
    }
    let mut moves = Vec::new();
    game.moves(&mut moves);
    let value = match game.status() {
        Status::Rolling => (0..6).fold(0.0, |sum, face| {
            let mut rolled = *game;
            rolled.settle(Roll(face));
            sum + plain(&rolled, memo) / 6.0
        }),
        _ => moves.iter().fold(-1.0, |best: f64, &mv| {
            let mut next = *game;
            next.play(mv);
            best.max(-plain(&next, memo))
        }),
    };
    memo.insert(game.key(), value);
    value
}

/// A random position before the roll with the given numbers of cubes.
fn random(red: usize, blue: usize, draws: &mut impl RngExt) -> Einstein {
    loop {
        let mut cells: Vec<_> = (0..25).collect();
        cells.shuffle(draws);
        let mut board = [' '; 25];
        for (count, first) in [(red, b'A'), (blue, b'a')] {
            let mut numbers: Vec<_> = (0..6).collect();
            numbers.shuffle(draws);
            for number in &numbers[..count] {
                board[cells.pop().unwrap()] = char::from(first + number);
            }
        }
        // Blue on A5 or Red on E1 has won.
        if board[0].is_ascii_lowercase() || board[24].is_ascii_uppercase() {
            continue;
        }
        let rows: Vec<String> = board.chunks(5).map(row_text).collect();
        let side = ["r", "b"][draws.random_range(0..2)];
        return position(&format!("{} {side} -", rows.join("/")));
    }
}

fn row_text(row: &[char]) -> String {
    let mut text = String::new();
    let mut run = 0;
    for &cell in row {
        if cell == ' ' {
            run += 1;
            continue;
        }
        if run > 0 {
            text.push_str(&run.to_string());
        }
        run = 0;
        text.push(cell);
    }
    if run > 0 {
        text.push_str(&run.to_string());
    }
    text
}

#[test]
fn golden_values_come_out_of_the_table_and_of_the_expectimax() {
    let table = Table::from_bytes(three().to_bytes()).unwrap();
    let alone = Exact::<Vec<u8>>::new(None, 1_000_000);
    let (mut lines, mut covered) = (0, 0);
    for line in std::fs::read_to_string(GOLDEN).unwrap().lines() {
        let entry: Json = serde_json::from_str(line).unwrap();
        let game = position(entry["position"].as_str().unwrap());
        let golden = entry["value"].as_f64().unwrap();
        let found = alone.value(&game).unwrap();
        assert!((found - golden).abs() < 1e-9, "{line}: {found}");
        if let Some(stored) = table.value(&game) {
            assert!((stored - golden).abs() < 1e-9, "{line}: {stored}");
            covered += 1;
        }
        lines += 1;
    }
    assert_eq!(lines, 100);
    assert!(covered > 50, "{covered} golden positions have three cubes");
}

#[test]
fn the_table_equals_a_plain_expectimax_before_rounding() {
    let build = three();
    let table = Table::from_bytes(build.to_bytes()).unwrap();
    let mut draws = keyed(6, Purpose::Statistics, 0, 0);
    let mut memo = HashMap::new();
    for (red, blue) in [(1, 1), (1, 2), (2, 1)] {
        for _ in 0..400 {
            let game = random(red, blue, &mut draws);
            let expected = plain(&game, &mut memo);
            let computed = build.value(&game).unwrap();
            assert!((computed - expected).abs() < 1e-12, "{}", game.text());
            let stored = table.value(&game).unwrap();
            assert!((stored - computed).abs() <= ROUNDING, "{}", game.text());
        }
    }
}

#[test]
fn threads_may_share_the_parts_of_a_stage() {
    let mut build = Build::new(4).unwrap();
    loop {
        let parts = build.parts();
        if parts.is_empty() {
            break;
        }
        let half = parts.len().div_ceil(2);
        let compute = |parts: &[Part]| parts.iter().map(|part| build.compute(part)).collect();
        let values: Vec<Vec<f64>> = std::thread::scope(|scope| {
            let late = scope.spawn(|| compute(&parts[half..]));
            let early: Vec<_> = compute(&parts[..half]);
            [early, late.join().unwrap()].concat()
        });
        build.store(&parts, &values);
    }
    let mut draws = keyed(10, Purpose::Statistics, 0, 0);
    let mut memo = HashMap::new();
    for (red, blue) in [(1, 1), (1, 2), (2, 1), (1, 3), (2, 2), (3, 1)] {
        for _ in 0..4 {
            let game = random(red, blue, &mut draws);
            let expected = plain(&game, &mut memo);
            let computed = build.value(&game).unwrap();
            assert!((computed - expected).abs() < 1e-12, "{}", game.text());
        }
    }
}

#[test]
fn the_expectimax_beyond_the_table_equals_a_plain_one() {
    let table = Table::from_bytes(three().to_bytes()).unwrap();
    let with_table = Exact::new(Some(table), 1_000_000);
    let alone = Exact::<Vec<u8>>::new(None, 1_000_000);
    let mut draws = keyed(7, Purpose::Statistics, 0, 0);
    let mut memo = HashMap::new();
    for (red, blue) in [(1, 3), (2, 2), (3, 1), (2, 3)] {
        for _ in 0..3 {
            let game = random(red, blue, &mut draws);
            let expected = plain(&game, &mut memo);
            let found = alone.value(&game).unwrap();
            assert!((found - expected).abs() < 1e-12, "{}", game.text());
            let found = with_table.value(&game).unwrap();
            assert!((found - expected).abs() < 1e-9, "{}", game.text());
        }
    }
}

#[test]
fn values_after_the_roll_belong_to_the_plies() {
    let exact = Exact::<Vec<u8>>::new(None, 1_000_000);
    let mut draws = keyed(8, Purpose::Statistics, 0, 0);
    let mut memo = HashMap::new();
    for _ in 0..10 {
        let before = random(2, 2, &mut draws);
        let mut luck = 0.0;
        for face in 0..6 {
            let mut game = before;
            game.settle(Roll(face));
            let plies = exact.plies(&game).unwrap();
            let mut legal = Vec::new();
            game.moves(&mut legal);
            assert_eq!(plies.iter().map(|ply| ply.0).collect::<Vec<_>>(), legal);
            let value = exact.value(&game).unwrap();
            for (ply, worth) in plies {
                let mut next = game;
                next.play(ply);
                let expected = -plain(&next, &mut memo);
                assert!((worth - expected).abs() < 1e-12, "{}", game.text());
                let regret = exact.regret(&game, ply).unwrap();
                assert!((regret - (value - worth) / 2.0).abs() < 1e-12);
            }
            let best = exact.best(&game).unwrap();
            assert!(exact.regret(&game, best).unwrap() == 0.0);
            luck += exact.luck(&before, Roll(face)).unwrap();
        }
        assert!(luck.abs() < 1e-12, "luck has mean 0: {luck}");
    }
}

#[test]
fn the_table_values_positions_after_the_roll_too() {
    let table = Table::from_bytes(three().to_bytes()).unwrap();
    let mut draws = keyed(11, Purpose::Statistics, 0, 0);
    let mut memo = HashMap::new();
    for (red, blue) in [(1, 1), (1, 2), (2, 1)] {
        for _ in 0..50 {
            let before = random(red, blue, &mut draws);
            for face in 0..6 {
                let mut game = before;
                game.settle(Roll(face));
                let expected = plain(&game, &mut memo);
                let found = table.value(&game).unwrap();
                let off = (found - expected).abs();
                assert!(off < ROUNDING + 1e-12, "{}: {off:e}", game.text());
            }
        }
    }
}

#[test]
fn one_living_number_is_worth_as_much_as_any_other() {
    let build = three();
    let values: Vec<_> = ["A", "B", "C", "D", "E", "F"]
        .map(|red| build.value(&position(&format!("1{red}3/5/2a1c/5/5 r -"))))
        .to_vec();
    assert!(values.iter().all(|value| *value == values[0]));
    // Sets of two are equal only to their reversal, with the cubes' places exchanged.
    let of = |cubes: &str| build.value(&position(&format!("5/1{cubes}2/5/1a3/5 r -")));
    assert_eq!(of("AC"), of("FD"));
    assert_ne!(of("AC"), of("AD"));
}

#[test]
fn the_symmetries_keep_values() {
    let build = three();
    let mut draws = keyed(9, Purpose::Statistics, 0, 0);
    for _ in 0..300 {
        let game = random(2, 1, &mut draws);
        let value = build.value(&game).unwrap();
        for symmetry in game.symmetries().iter().copied() {
            // A placement on the diagonal has both mirror images in the table, summed in another order.
            let image = build.value(&game.map(symmetry)).unwrap();
            assert!((image - value).abs() < 1e-12, "{}", game.text());
        }
    }
}

#[test]
fn a_smaller_table_is_the_beginning_of_a_larger_one() {
    let mut two = Build::new(2).unwrap();
    two.run();
    let (two, three) = (two.to_bytes(), three().to_bytes());
    assert_eq!(two[16..], three[16..two.len()]);
    let (stored, entries) = self::three().progress();
    assert!(
        stored == entries,
        "every entry belongs to one part of one stage"
    );
}

#[test]
fn too_much_work_is_refused_and_the_bound_is_exact() {
    let game = position("5/1A3/2aB1/3b1/5 r -");
    let within = |limit| Exact::<Vec<u8>>::new(None, limit).value(&game);
    let needed = (1..).find(|&limit| within(limit).is_some()).unwrap();
    assert_eq!(within(needed - 1), None);
    assert_eq!(within(needed), within(1_000_000));
    let start = position("ABC2/DE3/F3f/3ed/2cba r -");
    assert_eq!(Exact::<Vec<u8>>::new(None, 10_000).value(&start), None);
}

#[test]
fn what_has_no_value_gets_none() {
    let table = Table::from_bytes(three().to_bytes()).unwrap();
    assert_eq!(three().value(&position("5/1A3/2f2/5/5 r 1")), None);
    for text in [
        "A4/1B3/2a2/3b1/5 r -",
        "5/5/5/5/5 r setup",
        "5/5/5/5/4A b -",
    ] {
        assert_eq!(table.value(&position(text)), None, "{text}");
        assert_eq!(three().value(&position(text)), None, "{text}");
    }
    let over = position("5/5/5/5/3aA b -");
    assert_eq!(over.status(), Status::Over(Outcome::Win(Side::First)));
    let exact = Exact::new(Some(table), 0);
    assert_eq!(exact.value(&over), Some(-1.0));
    assert_eq!(exact.value(&position("5/5/5/5/5 r setup")), None);
    assert_eq!(exact.plies(&position("5/1A3/2f2/5/5 r -")), None);
}

#[test]
fn a_table_that_does_not_fit_is_refused() {
    let bytes = three().to_bytes();
    let refused = |bytes: &[u8]| Table::from_bytes(bytes.to_vec()).unwrap_err();
    assert_eq!(refused(&bytes[..10]), TableError::Short(10));
    let changed = |at: usize| {
        let mut bytes = bytes.clone();
        bytes[at] += 1;
        refused(&bytes)
    };
    let rules = Einstein::RULES;
    assert_eq!(changed(0), TableError::Version { layout: 2, rules });
    assert!(matches!(changed(4), TableError::Length { stones: 4, .. }));
    assert!(matches!(changed(8), TableError::Length { stones: 3, .. }));
    assert!(matches!(
        refused(&bytes[..bytes.len() - 1]),
        TableError::Length { .. }
    ));
    assert_eq!(Build::new(1).unwrap_err(), TableError::Stones(1));
}
