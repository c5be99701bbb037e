//! First positions: the start, then random plies.

use std::collections::HashSet;

use engine::draws::{Purpose, keyed};
use engine::games::einstein::Einstein;
use engine::games::jiu::Jiu;
use engine::games::surakarta::{self, Surakarta};
use engine::opening::first_position;
use engine::{Game, Side, Status, TextError};

fn opened<G: Game>(start: &G::Start, plies: u32, number: u64) -> Result<G, TextError> {
    let mut draws = keyed(1, Purpose::Start, number, 0);
    first_position(&G::Variant::default(), start, plies, &mut draws)
}

fn openings_differ_and_come_again_with_the_seed<G: Game>(plies: u32) {
    let start = G::Start::default();
    let texts = || (0..40).map(|number| opened::<G>(&start, plies, number).unwrap().text());
    assert!(texts().collect::<HashSet<_>>().len() >= 38);
    assert!(texts().eq(texts()));
}

#[test]
fn openings_of_every_game_differ_and_come_again_with_the_seed() {
    openings_differ_and_come_again_with_the_seed::<Einstein>(4);
    openings_differ_and_come_again_with_the_seed::<Surakarta>(6);
    openings_differ_and_come_again_with_the_seed::<Jiu>(8);
}

#[test]
fn an_opening_has_its_number_of_plies() {
    let start = surakarta::Start::default();
    for plies in 0..8 {
        let mover = Side::BOTH[plies as usize % 2];
        let game: Surakarta = opened(&start, plies, 3).unwrap();
        assert_eq!(game.status(), Status::ToMove(mover));
    }
}

#[test]
fn an_opening_never_ends_the_game() {
    // From here some plies end the game at once: C3 takes the last enemy.
    let start = surakarta::Start {
        position: Some("6/6/2b3/2r3/6/6 r 0".into()),
    };
    for number in 0..200 {
        let game: Surakarta = opened(&start, 1, number).unwrap();
        assert_eq!(game.status(), Status::ToMove(Side::Second));
    }
}

#[test]
fn nothing_before_the_game_counts_as_repeated() {
    // One of the 16 first plies of either side and its return: without the reset, some of these
    // openings end at the next ply.
    let start = surakarta::Start::default();
    for number in 0..300 {
        let game: Surakarta = opened(&start, 3, number).unwrap();
        let read = Surakarta::parse(&game.text(), game.variant()).unwrap();
        assert_eq!(game, read);
    }
}

#[test]
fn openings_that_cannot_be_had_are_an_error() {
    let start = surakarta::Start::default();
    let error = opened::<Surakarta>(&start, 100_000, 0).unwrap_err();
    assert!(error.message.contains("100000"), "{error}");
}
