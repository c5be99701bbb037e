//! EinStein würfelt nicht: engine and twin.

use engine::Game;
use engine::draws::{Purpose, keyed};
use engine::games::einstein::{Einstein, Rules, Setup};

use super::{Habit, Seen, Twinned, draws_of};
use crate::naive::{EinStein, Twin};

impl Twinned for Einstein {
    type Twin = EinStein;
    const TRIED: usize = usize::MAX;
}

/// Plays games from this set-up on engine and twin.
fn games(setup: &Setup, numbers: std::ops::Range<u64>) -> Seen {
    let mut seen = Seen::default();
    for number in numbers {
        let mut starts = keyed(7, Purpose::Start, number, 0);
        let engine = Einstein::start(&Rules {}, setup, &mut starts).unwrap();
        let twin = EinStein::parse(&engine.text());
        seen.play_out(engine, twin, Habit::Random, &mut draws_of(number));
    }
    seen
}

#[test]
fn engine_and_twin_agree_on_games_from_random_set_ups() {
    let seen = games(&Setup::Random, 0..1000);
    assert_eq!(seen.outcomes.len(), 2, "{seen:?}");
}

#[test]
fn engine_and_twin_agree_on_games_whose_players_place_their_cubes() {
    let seen = games(&Setup::Players, 1000..1500);
    assert_eq!(seen.outcomes.len(), 2, "{seen:?}");
}
