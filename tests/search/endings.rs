//! EinStein endings against a plain expectimax and against exact values of an independent program.

use std::collections::HashMap;

use engine::draws::{Purpose, keyed};
use engine::games::einstein::{Einstein, Rules};
use engine::search::{Budget, Evaluations, Evaluator, Leaf};
use engine::{Game, Side, Status, Value};
use rand::RngExt;
use serde_json::Value as Json;

use crate::toys::{Level, METHODS, search};

const GOLDEN: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../tests/data/golden/einstein_values.jsonl"
);

/// Exact value by plain expectimax, remembering positions by their text.
fn exact(game: &Einstein, known: &mut HashMap<String, f64>) -> f64 {
    let text = game.text();
    if let Some(&value) = known.get(&text) {
        return value;
    }
    let value = match game.status() {
        Status::Over(outcome) => outcome.value().0,
        Status::Rolling => {
            let rolls = game.rolls().iter().map(|&(roll, probability)| {
                let mut rolled = *game;
                rolled.settle(roll);
                probability * exact(&rolled, known)
            });
            rolls.sum()
        }
        Status::ToMove(side) => {
            let mut moves = Vec::new();
            game.moves(&mut moves);
            let values = moves.iter().map(|&mv| {
                let mut next = *game;
                next.play(mv);
                Value(exact(&next, known)).seen_by(side)
            });
            let best = values.fold(f64::NEG_INFINITY, f64::max);
            Value::from_view(best, side).0
        }
    };
    known.insert(text, value);
    value
}

#[test]
fn expectimax_agrees_with_the_golden_values() {
    let text = std::fs::read_to_string(GOLDEN).expect("the golden file is there");
    let mut known = HashMap::new();
    let mut compared = 0;
    for line in text.lines() {
        let entry: Json = serde_json::from_str(line).expect("a line is JSON");
        let game = Einstein::parse(entry["position"].as_str().unwrap(), &Rules {}).unwrap();
        let cubes: u32 = Side::BOTH
            .iter()
            .map(|&side| game.alive(side).count_ones())
            .sum();
        if cubes > 4 {
            continue;
        }
        let value = Value(exact(&game, &mut known)).seen_by(game.mover());
        let expected = entry["value"].as_f64().unwrap();
        assert!((value - expected).abs() < 1e-8, "{line}: {value}");
        compared += 1;
    }
    assert!(compared >= 30, "{compared} golden values compared");
}

/// A random board with `cubes` cubes a side, a die rolled, not over.
fn random_ending(number: u64, cubes: usize) -> Option<Einstein> {
    let mut draws = keyed(11, Purpose::Start, number, 0);
    let mut cells = [None; 25];
    for side in [b'A', b'a'] {
        let mut left = cubes;
        let mut used = 0_u8;
        while left > 0 {
            let (cell, cube) = (draws.random_range(0..25), draws.random_range(0..6));
            if cells[cell].is_none() && used >> cube & 1 == 0 {
                cells[cell] = Some(char::from(side + cube));
                used |= 1 << cube;
                left -= 1;
            }
        }
    }
    let board = engine::text::write_board(5, |point| {
        cells[usize::from(point.row) * 5 + usize::from(point.column)]
    });
    let side = ["r", "b"][draws.random_range(0..2)];
    Einstein::parse(
        &format!("{board} {side} {}", draws.random_range(1..7)),
        &Rules {},
    )
    .ok()
}

/// Nodes of the tree below a position, every roll and move counted, up to a limit.
fn tree_size(game: &Einstein, limit: usize) -> usize {
    let mut nodes = 1;
    let mut add = |next: &Einstein| {
        if nodes < limit {
            nodes += tree_size(next, limit - nodes);
        }
    };
    for &(roll, _) in game.rolls() {
        let mut next = *game;
        next.settle(roll);
        add(&next);
    }
    let mut moves = Vec::new();
    game.moves(&mut moves);
    for &mv in &moves {
        let mut next = *game;
        next.play(mv);
        add(&next);
    }
    nodes
}

#[test]
fn searches_prove_small_endings_exactly() {
    const NODES: usize = 20_000;
    let mut known = HashMap::new();
    let mut proven = 0;
    for number in 0..1_000 {
        let Some(game) = random_ending(number, 1 + number as usize % 3) else {
            continue;
        };
        if tree_size(&game, NODES) >= NODES {
            continue;
        }
        let expected = exact(&game, &mut known);
        for method in METHODS {
            let verdict = search(&game, method, Budget::play(40_000), &mut Level);
            let at = format!("{method:?} in {}", game.text());
            assert!(verdict.proven, "{at}");
            assert!((verdict.value.0 - expected).abs() < 1e-9, "{at}");
            let mut next = game;
            next.play(verdict.best);
            assert!((exact(&next, &mut known) - expected).abs() < 1e-9, "{at}");
            proven += 1;
        }
    }
    assert!(proven > 100, "{proven} searches were proven");
}

/// Counts the dice of the positions it is shown.
#[derive(Default)]
struct DiceSeen {
    faces: [u32; 6],
}

impl Evaluator<Einstein> for DiceSeen {
    fn evaluate(&mut self, leaves: &mut [Leaf<'_, Einstein>], out: &mut Evaluations) {
        for leaf in leaves {
            assert!(
                matches!(leaf.position.status(), Status::ToMove(_)),
                "a position before its roll never reaches the evaluator"
            );
            let face = leaf.position.die().expect("a die lies");
            self.faces[usize::from(face) - 1] += 1;
            out.push_uniform(leaf.moves.len(), Value(0.0));
        }
    }
}

#[test]
fn no_die_is_frozen_and_every_face_is_seen_at_its_share() {
    let start = Einstein::parse("ABC2/DE3/F3f/3ed/2cba r 1", &Rules {}).unwrap();
    for method in METHODS {
        let mut seen = DiceSeen::default();
        search(&start, method, Budget::play(1_800), &mut seen);
        let total: u32 = seen.faces.iter().sum();
        for faces in seen.faces {
            let share = f64::from(faces) / f64::from(total);
            assert!(
                (share - 1.0 / 6.0).abs() < 0.02,
                "{method:?}: {:?}",
                seen.faces
            );
        }
    }
}

#[test]
fn a_search_never_knows_a_future_roll() {
    // Before the roll the mover's chance on this board is the mean over the faces, whatever comes.
    let game = Einstein::parse("5/5/5/3AB/2f2 r 1", &Rules {}).unwrap();
    let mut known = HashMap::new();
    let expected = exact(&game, &mut known);
    for method in METHODS {
        let verdict = search(&game, method, Budget::play(5_000), &mut Level);
        assert!((verdict.value.0 - expected).abs() < 1e-9);
    }
}
