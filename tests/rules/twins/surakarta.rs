//! Surakarta: engine and twin.

use engine::Game;
use engine::draws::{Purpose, keyed};
use engine::games::surakarta::{Repetition, Start, Surakarta, Variant};
use engine::opening::first_position;
use rand::RngExt;

use super::{Habit, Seen, Twinned, draws_of, scattered};
use crate::naive::{self, Twin};

const THIRD: Variant = Variant {
    quiet_limit: 50,
    repetition: Repetition::Third,
};

impl Twinned for Surakarta {
    type Twin = naive::Surakarta;
    const TRIED: usize = 5;

    /// The exit points of every capture (S10).
    fn compare_more(&self, twin: &naive::Surakarta) {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        for &mv in moves.iter().filter(|mv| mv.captures) {
            let route = self.exits(mv).unwrap();
            let exits: Vec<_> = route.exits().iter().map(|exit| exit.name()).collect();
            let text = self.move_text(mv);
            assert_eq!(exits, twin.exits(&text), "{text} in {}", self.text());
        }
    }
}

/// A position without a past, for the engine and for the twin.
fn both(text: &str, variant: &Variant) -> (Surakarta, naive::Surakarta) {
    let engine = Surakarta::parse(text, variant).unwrap();
    let mut twin = naive::Surakarta::parse(text);
    twin.quiet_limit = u32::from(variant.quiet_limit);
    twin.occurrence_limit = match variant.repetition {
        Repetition::First => 2,
        Repetition::Third => 3,
    };
    (engine, twin)
}

/// Plays games after openings of so many random plies.
fn games(
    variant: &Variant,
    random_plies: u32,
    habit: Habit,
    numbers: std::ops::Range<u64>,
) -> Seen {
    let mut seen = Seen::default();
    for number in numbers {
        let mut starts = keyed(7, Purpose::Start, number, 0);
        let start = Start::default();
        let opening: Surakarta =
            first_position(variant, &start, random_plies, &mut starts).unwrap();
        let (engine, twin) = both(&opening.text(), variant);
        seen.play_out(engine, twin, habit, &mut draws_of(number));
    }
    seen
}

#[test]
fn engine_and_twin_agree_on_games_from_the_start() {
    let seen = games(&Variant::default(), 0, Habit::Random, 0..60);
    assert_eq!(seen.outcomes.len(), 3, "{seen:?}");
}

#[test]
fn engine_and_twin_agree_on_games_from_the_middle() {
    for random_plies in [10, 30, 60] {
        let first = u64::from(random_plies) * 1000;
        let seen = games(
            &Variant::default(),
            random_plies,
            Habit::Random,
            first..first + 20,
        );
        assert_eq!(seen.outcomes.len(), 3, "{seen:?}");
    }
}

#[test]
fn engine_and_twin_agree_on_the_first_repetition() {
    let seen = games(&Variant::default(), 0, Habit::Shuttling, 200..230);
    // Far fewer plies than it takes to reach the quiet limit.
    assert!(seen.plies < 50 * seen.games, "{seen:?}");
}

#[test]
fn engine_and_twin_agree_on_the_third_occurrence() {
    let random = games(&THIRD, 0, Habit::Random, 300..310);
    let shuttling = games(&THIRD, 20, Habit::Shuttling, 310..350);
    assert_eq!(random.outcomes.len(), 3, "{random:?}");
    assert!(shuttling.plies < 50 * shuttling.games, "{shuttling:?}");
}

#[test]
fn engine_and_twin_agree_on_games_with_few_stones() {
    let mut seen = Seen::default();
    for number in 400..550 {
        let mut draws = draws_of(number);
        let red = draws.random_range(1..=12);
        let black = draws.random_range(1..=12);
        let board = scattered(6, [('r', red), ('b', black)], &mut draws);
        let side = if draws.random() { 'r' } else { 'b' };
        let quiet = draws.random_range(0..=50);
        let (engine, twin) = both(&format!("{board} {side} {quiet}"), &Variant::default());
        seen.play_out(engine, twin, Habit::Random, &mut draws);
    }
    assert_eq!(seen.outcomes.len(), 3, "{seen:?}");
}
