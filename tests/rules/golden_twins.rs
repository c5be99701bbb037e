//! The plain twins against the golden files, the perft numbers and the tricky cases of docs/rules.

mod einstein;
mod jiu;
mod surakarta;

use serde_json::Value;

use crate::naive::Twin;

/// The lines of a golden file; `name` is its name without the ending.
fn golden(name: &str) -> Vec<Value> {
    let path = format!(
        "{}/../tests/data/golden/{name}.jsonl",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert!(!lines.is_empty(), "{path} is empty");
    lines
}

/// Compares the moves of every position of a golden file, and takes its text there and back.
fn check_golden_moves<T: Twin>(name: &str) {
    for line in golden(name) {
        let text = line["position"].as_str().unwrap();
        let position = T::parse(text);
        assert_eq!(position.text(), text);
        let moves = line["moves"].as_array().unwrap();
        let expected: Vec<&str> = moves.iter().map(|ply| ply.as_str().unwrap()).collect();
        assert_eq!(position.moves(), expected, "in {text}");
    }
}

/// Counts the lines of `depth` plies, over all faces where a die is rolled.
fn perft<T: Twin>(position: &T, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if position.rolling() {
        let mut nodes = 0;
        for face in 1..=6 {
            let mut rolled = position.clone();
            rolled.roll(face);
            nodes += perft(&rolled, depth);
        }
        return nodes;
    }
    let moves = position.moves();
    if depth == 1 {
        return moves.len() as u64;
    }
    let mut nodes = 0;
    for ply in moves {
        let mut next = position.clone();
        next.apply(&ply);
        nodes += perft(&next, depth - 1);
    }
    nodes
}

/// A position after some plies.
fn after<T: Twin>(mut position: T, plies: &[&str]) -> T {
    for ply in plies {
        position.play(ply);
    }
    position
}

fn has<T: Twin>(position: &T, ply: &str) -> bool {
    position.moves().contains(&ply.to_string())
}

/// Numbers without an obvious pattern, the same in every run (Knuth's 64-bit linear congruence).
struct Numbers {
    state: u64,
}

impl Numbers {
    fn new(seed: u64) -> Numbers {
        Numbers { state: seed }
    }

    fn below(&mut self, bound: usize) -> usize {
        self.state = self
            .state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.state >> 33) as usize) % bound
    }
}

/// Plays one random ply, or one random roll if that is due.
fn play_at_random<T: Twin>(position: &mut T, numbers: &mut Numbers) {
    if position.rolling() {
        position.roll(numbers.below(6) as u8 + 1);
        return;
    }
    let moves = position.moves();
    let ply = &moves[numbers.below(moves.len())];
    position.apply(ply);
}
