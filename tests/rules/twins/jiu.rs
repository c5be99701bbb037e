//! Jiu: engine and twin. The engine lifts and drops where the twin flies in one ply.

use std::collections::{BTreeMap, HashSet};

use engine::draws::{Purpose, keyed};
use engine::games::jiu::{Due, Jiu, Move, Start, Variant};
use engine::{Game, Outcome};
use rand::RngExt;

use super::{Habit, Ply, Seen, Twinned, draws_of, scattered};
use crate::naive::{self, Twin};

impl Twinned for Jiu {
    type Twin = naive::Jiu;
    const TRIED: usize = 5;

    /// Each lift with each of its drops is one flight.
    fn common_plies(&self) -> Vec<Ply<Jiu>> {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        let mut plies = Vec::new();
        for mv in moves {
            let ply = Ply::of(self, mv);
            match mv {
                Move::Lift(_) => plies.extend(flights(&ply)),
                _ => plies.push(ply),
            }
        }
        plies.sort_by(|one, other| one.text.cmp(&other.text));
        plies
    }

    fn play_on_twin(&self, ply: &Ply<Jiu>, twin: &mut naive::Jiu) {
        twin.apply(&ply.text);
        // A flight counts twice towards the engine's cap and once towards the twin's.
        let engine_plies = ply.after.plies() - self.plies();
        twin.ply_limit -= u32::from(engine_plies) - 1;
    }

    /// The paths of a turn that begins. The twin says what they earn, which is all that is left of the
    /// enemy if they make more squares (J7).
    fn compare_more(&self, twin: &naive::Jiu) {
        if self.due() != Due::Turn {
            return;
        }
        let enemies = usize::from(self.count(self.side().other()));
        let mut earned = BTreeMap::new();
        for (path, squares) in self.paths() {
            let jumped = path.matches('x').count();
            earned.insert(path, usize::from(squares).min(enemies - jumped));
        }
        assert_eq!(earned, twin.paths(), "in {}", self.text());
        let mut visited = 0;
        self.for_each_path(|_| visited += 1);
        assert_eq!(visited, earned.len(), "a path twice in {}", self.text());
    }
}

/// The flights of a lifted stone.
fn flights(lift: &Ply<Jiu>) -> Vec<Ply<Jiu>> {
    let origin = lift.text.strip_suffix('^').unwrap();
    let mut drops = Vec::new();
    lift.after.moves(&mut drops);
    let flight = |drop| {
        assert!(matches!(drop, Move::Drop(_)), "{}", lift.after.text());
        let Ply { text, after } = Ply::of(&lift.after, drop);
        let text = format!("{origin}{text}");
        Ply { text, after }
    };
    drops.into_iter().map(flight).collect()
}

/// Rules under which no game is cut short.
fn endless(size: u8) -> Variant {
    Variant {
        ply_cap: Some(u16::MAX),
        ..Variant::sized(size)
    }
}

/// The twin of a position without a past.
fn twin_of(engine: &Jiu) -> naive::Jiu {
    let variant = engine.variant();
    let mut twin = naive::Jiu::parse(&engine.text());
    twin.strong_side_limit = variant.strong_side_limit;
    twin.quiet_limit = u32::from(variant.quiet_turns());
    twin.ply_limit = u32::from(variant.most_plies());
    twin
}

impl Seen {
    /// Plays games of Jiu from such starts.
    fn play_from(
        &mut self,
        variant: &Variant,
        start: &Start,
        habit: Habit,
        numbers: std::ops::Range<u64>,
    ) {
        for number in numbers {
            let mut starts = keyed(7, Purpose::Start, number, 0);
            let engine = Jiu::start(variant, start, &mut starts).unwrap();
            self.play_out(engine, twin_of(&engine), habit, &mut draws_of(number));
        }
    }

    /// Plays games of Jiu from boards on which a side may have just enough stones, or few too many, to fly.
    fn play_from_few(&mut self, variant: &Variant, habit: Habit, numbers: std::ops::Range<u64>) {
        let most = usize::from(variant.size) + 3;
        for number in numbers {
            let mut draws = draws_of(number);
            let white = draws.random_range(4..=most);
            let black = draws.random_range(4..=most);
            let board = scattered(variant.size, [('w', white), ('b', black)], &mut draws);
            let side = if draws.random() { 'w' } else { 'b' };
            let engine = Jiu::parse(&format!("{board} {side} battle"), variant).unwrap();
            self.play_out(engine, twin_of(&engine), habit, &mut draws);
        }
    }
}

#[test]
fn engine_and_twin_agree_on_whole_games_on_6() {
    let mut seen = Seen::default();
    seen.play_from(&endless(6), &Start::Empty, Habit::Random, 0..20);
    seen.play_from(&endless(6), &Start::RandomLayout, Habit::Random, 20..40);
    assert_eq!(seen.outcomes.len(), 3, "{seen:?}");
}

#[test]
fn engine_and_twin_agree_on_whole_games_on_8() {
    let mut seen = Seen::default();
    seen.play_from(&endless(8), &Start::Empty, Habit::Random, 100..105);
    seen.play_from(&endless(8), &Start::RandomLayout, Habit::Random, 105..110);
}

#[test]
fn engine_and_twin_agree_on_games_on_14_that_are_cut_short() {
    let cut = |plies| Variant {
        ply_cap: Some(plies),
        ..Variant::sized(14)
    };
    let mut seen = Seen::default();
    seen.play_from(&cut(150), &Start::Empty, Habit::Random, 200..201);
    seen.play_from(&cut(500), &Start::Empty, Habit::Random, 201..202);
    seen.play_from(&cut(500), &Start::RandomLayout, Habit::Random, 202..203);
    seen.play_from_few(&cut(60), Habit::Random, 203..206);
    assert_eq!(seen.outcomes, HashSet::from([Outcome::Truncated]));
}

#[test]
fn engine_and_twin_agree_without_the_strong_side_limit() {
    let mut seen = Seen::default();
    for (size, games) in [(6, 0..20), (8, 20..24)] {
        let variant = Variant {
            strong_side_limit: false,
            ..endless(size)
        };
        let (few_first, few_last) = (games.start + 100, games.end + 100);
        seen.play_from(&variant, &Start::RandomLayout, Habit::Random, games);
        seen.play_from_few(&variant, Habit::Random, few_first..few_last);
    }
    assert_eq!(seen.outcomes.len(), 3, "{seen:?}");
}

#[test]
fn engine_and_twin_agree_on_games_with_few_stones() {
    let mut seen = Seen::default();
    seen.play_from_few(&endless(6), Habit::Random, 500..540);
    seen.play_from_few(&endless(8), Habit::Random, 540..550);
    assert_eq!(seen.outcomes.len(), 3, "{seen:?}");
}

#[test]
fn engine_and_twin_agree_on_the_third_occurrence() {
    let mut seen = Seen::default();
    seen.play_from_few(&endless(6), Habit::Shuttling, 600..640);
    seen.play_from(
        &endless(6),
        &Start::RandomLayout,
        Habit::Shuttling,
        640..650,
    );
    assert!(seen.outcomes.contains(&Outcome::Draw), "{seen:?}");
}

#[test]
fn engine_and_twin_agree_on_flights_up_to_the_ply_cap() {
    let mut seen = Seen::default();
    for plies in [1, 2, 7, 30, 31, 64, 65] {
        let variant = Variant {
            ply_cap: Some(plies),
            ..Variant::sized(6)
        };
        let first = 700 + 10 * u64::from(plies);
        seen.play_from_few(&variant, Habit::Random, first..first + 10);
    }
    assert!(seen.outcomes.contains(&Outcome::Truncated), "{seen:?}");
}
