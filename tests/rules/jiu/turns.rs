//! Turn texts.

use engine::games::jiu::{Jiu, Start, Variant};
use engine::{Game, Status};
use rand::RngExt;

use super::boards::{battle, cases, play};

fn error(game: &Jiu, turn: &str) -> String {
    game.turn_plies(turn).unwrap_err().to_string()
}

/// A random game from a start as its plies.
pub(crate) fn random_plies(
    variant: &Variant,
    start: &Start,
    number: u64,
) -> (Jiu, Vec<engine::games::jiu::Move>) {
    let mut draws = engine::draws::keyed(21, engine::draws::Purpose::Choice, number, 0);
    let first = Jiu::start(variant, start, &mut draws).unwrap();
    let mut game = first;
    let mut record = Vec::new();
    let mut plies = Vec::new();
    while let Status::ToMove(_) = game.status() {
        game.moves(&mut plies);
        let ply = plies[draws.random_range(0..plies.len())];
        game.play(ply);
        record.push(ply);
    }
    (first, record)
}

#[test]
fn the_turns_of_whole_games_come_back_from_their_texts() {
    for (size, games) in [(6, 20), (8, 4)] {
        for number in 0..games {
            let (first, plies) = random_plies(&Variant::sized(size), &Start::Empty, number);
            let mut game = first;
            let mut again = Vec::new();
            for text in first.turn_texts(&plies).unwrap() {
                let turn = game.turn_plies(&text).unwrap();
                assert_eq!(game.turn_text(&turn).unwrap(), text);
                turn.iter().for_each(|&ply| game.play(ply));
                again.extend(turn);
            }
            let mut end = first;
            plies.iter().for_each(|&ply| end.play(ply));
            assert_eq!(game.text(), end.text());
            assert_eq!(again.len(), plies.len());
        }
    }
}

const LOOP: &str = "
    . b b . . .
    . b . w . .
    . . w . w .
    . . b w . .
    . . . . . .
    . . . . . .";

#[test]
fn a_turn_text_adds_the_stop_that_a_chain_needs() {
    let game = cases('b', LOOP);
    let plies = game.turn_plies("C3xC5xE5").unwrap();
    let texts: Vec<_> = plies.iter().map(|&ply| game.move_text(ply)).collect();
    assert_eq!(texts, ["C3xC5", "C5xE5", "stop"]);
    let plies = game.turn_plies("C3xC5+A13").unwrap();
    let texts: Vec<_> = plies.iter().map(|&ply| game.move_text(ply)).collect();
    assert_eq!(texts, ["C3xC5", "stop", "+A13"]);
}

#[test]
fn removals_are_sorted_by_column_and_read_in_any_order() {
    let game = cases(
        'b',
        "
        . . . . . .
        . . . . . .
        . b b . . .
        . b . b . .
        . b b . . .
        . . . . . .",
    );
    let plies = game.turn_plies("D3-C3+B12,A13").unwrap();
    assert_eq!(game.turn_text(&plies).unwrap(), "D3-C3+A13,B12");
}

#[test]
fn turns_that_are_not_legal_are_refused_with_their_column() {
    let game = cases('b', LOOP);
    assert!(error(&game, "C3xC5").starts_with("line 1, column 4: 1 stones are to be taken"));
    assert!(error(&game, "C3xC5+A13,B12").contains("1 stones are to be taken for squares, not 2"));
    assert!(error(&game, "C3xC5+C4").starts_with("line 1, column 7: +C4 is not a legal move"));
    assert!(error(&game, "C3xC5xE5+A13").contains("column 10: the turn makes no square"));
    assert!(error(&game, "C3xC5xC7").starts_with("line 1, column 7"));
    assert!(error(&game, "C3-C5").contains("is not beside C3"));
    assert!(error(&game, "C3xC4").contains("a hop leads to the second point"));
    assert!(error(&game, "C3xZ9").starts_with("line 1, column 4"));
    assert!(error(&game, "C3").contains("this is not a turn"));
    assert!(error(&game, "").contains("is not a point"));
    assert!(error(&game, "stop").contains("is not a point"));
}

#[test]
fn the_rest_of_a_turn_in_progress_has_a_text() {
    let mut game = cases('b', LOOP);
    let hop = game.parse_move("C3xC5").unwrap();
    game.try_play(hop).unwrap();
    assert_eq!(
        game.paths().keys().collect::<Vec<_>>(),
        ["C5xE5", "C5xE5xE3", "C5xE5xE3xC3", "stop"]
    );
    let plies = game.turn_plies("stop+A13").unwrap();
    assert_eq!(game.turn_text(&plies).unwrap(), "stop+A13");
    let stop = game.parse_move("stop").unwrap();
    game.try_play(stop).unwrap();
    assert_eq!(
        game.turn_text(&game.turn_plies("+A13").unwrap()).unwrap(),
        "+A13"
    );
}

#[test]
fn a_flight_is_one_turn_text_and_two_plies() {
    let mut game = battle(
        6,
        'w',
        "
        w . . . . w
        . . . . . .
        . . b . . .
        . . . . . .
        w . b . b w
        . . b . b .",
    );
    let plies = game.turn_plies("A6-D5").unwrap();
    assert_eq!(plies.len(), 2);
    assert_eq!(game.turn_text(&plies).unwrap(), "A6-D5");
    assert_eq!(game.turn_text(&plies[..1]).unwrap(), "A6^");
    let late = [plies[0], plies[1], plies[0]];
    assert!(
        game.turn_text(&late).is_err(),
        "a third ply belongs to another turn"
    );
    game.try_play(plies[0]).unwrap();
    assert_eq!(game.turn_plies("-D5").unwrap(), plies[1..]);
    assert_eq!(game.turn_plies("A6-D5").unwrap(), plies[1..]);
    play(&mut game, &["A6-D5"]);
}
