//! The EinStein twin against its golden files, perft numbers and tricky cases.

use std::collections::HashMap;

use super::{Numbers, after, check_golden_moves, golden, has, perft, play_at_random};
use crate::naive::{EinStein, End, Twin};

const EXAMPLE: &str = "ABC2/DE3/F3f/3ed/2cba r -";

#[test]
fn golden_moves() {
    check_golden_moves::<EinStein>("einstein");
}

/// E10: the exact value for Red, averaged over the faces, with the best move on each.
fn value(position: &EinStein, known: &mut HashMap<String, f64>) -> f64 {
    match position.result() {
        Some(End::First) => return 1.0,
        Some(End::Second) => return -1.0,
        Some(other) => panic!("{other:?} in a game without draws"),
        None => {}
    }
    let text = position.text();
    if let Some(&value) = known.get(&text) {
        return value;
    }
    let mut sum = 0.0;
    for face in 1..=6 {
        let mut rolled = position.clone();
        rolled.roll(face);
        let mut best: Option<f64> = None;
        for ply in rolled.moves() {
            let mut next = rolled.clone();
            next.apply(&ply);
            let worth = value(&next, known);
            let better = match best {
                None => true,
                Some(best) if position.side() == 0 => worth > best,
                Some(best) => worth < best,
            };
            if better {
                best = Some(worth);
            }
        }
        sum += best.unwrap();
    }
    known.insert(text, sum / 6.0);
    sum / 6.0
}

/// Compares the values of the golden positions with at most so many cubes.
fn check_golden_values(most_cubes: usize) {
    let mut known = HashMap::new();
    for line in golden("einstein_values") {
        let text = line["position"].as_str().unwrap();
        let board = text.split(' ').next().unwrap();
        if board.matches(char::is_alphabetic).count() > most_cubes {
            continue;
        }
        let expected = line["value"].as_f64().unwrap();
        let position = EinStein::parse(text);
        // The golden file has the view of the side to move.
        let view = if position.side() == 0 { 1.0 } else { -1.0 };
        let found = view * value(&position, &mut known);
        assert!(
            (found - expected).abs() < 1e-8,
            "{text} is worth {found}, not {expected}"
        );
    }
}

#[test]
fn golden_values_of_up_to_four_cubes() {
    check_golden_values(4);
}

#[test]
#[ignore = "the positions with five cubes take a minute"]
fn golden_values_of_all() {
    check_golden_values(usize::MAX);
}

#[test]
fn perft_of_the_example() {
    let position = EinStein::parse(EXAMPLE);
    let counts: Vec<u64> = (1..=4).map(|depth| perft(&position, depth)).collect();
    assert_eq!(counts, [18, 324, 6_162, 117_369]);
}

#[test]
fn a_missing_number_gives_the_next_larger_and_the_next_smaller() {
    // E4's three examples, and one for Blue.
    for (text, numbers) in [
        ("AB3/E4/5/5/4f r 4", "25"),
        ("DE3/F4/5/5/4f r 1", "4"),
        ("AE3/F4/5/5/4f r 3", "15"),
        ("A4/5/5/4e/2cb1 b 4", "35"),
    ] {
        let position = EinStein::parse(text);
        let mut movable = String::new();
        for ply in position.moves() {
            if !movable.contains(&ply[1..2]) {
                movable.push_str(&ply[1..2]);
            }
        }
        assert_eq!(movable, numbers, "in {text}");
    }
}

#[test]
fn a_living_rolled_cube_must_move_even_if_another_could_win() {
    let position = EinStein::parse("5/5/3C1/a2E1/5 r 3");
    assert_eq!(position.moves(), ["R3-E2", "R3-E3", "R3xD2"]);
    assert!(has(&EinStein::parse("5/5/3C1/a2E1/5 r 5"), "R5-E1"));
}

#[test]
fn an_own_cube_may_have_to_be_taken() {
    let position = EinStein::parse("5/5/a3C/4E/5 r 3");
    assert_eq!(position.moves(), ["R3xE2"]);
    let next = after(position, &["R3xE2"]);
    assert_eq!(next.text(), "5/5/a4/4C/5 b -");
    assert!(next.rolling());
}

#[test]
fn entering_the_goal_on_top_of_a_blue_cube_wins() {
    let position = after(EinStein::parse("5/a4/5/3C1/4b r 3"), &["R3xE1"]);
    assert_eq!(position.result(), Some(End::First));
    assert!(position.moves().is_empty() && !position.rolling());
}

#[test]
fn taking_the_last_enemy_cube_ends_the_game_without_a_reply_roll() {
    let red = after(EinStein::parse("5/5/1Cb2/5/5 r 1"), &["R3xC3"]);
    assert_eq!(red.result(), Some(End::First));
    assert!(red.moves().is_empty() && !red.rolling());
    let blue = after(EinStein::parse("5/5/1Cb2/5/5 b 1"), &["B2xB3"]);
    assert_eq!(blue.result(), Some(End::Second));
}

#[test]
fn blue_wins_in_the_corner_a5() {
    let position = after(EinStein::parse("1a3/5/5/5/3C1 b 6"), &["B1-A5"]);
    assert_eq!(position.result(), Some(End::Second));
}

#[test]
fn players_set_up_cube_by_cube_red_first() {
    let mut position = EinStein::parse("5/5/5/5/5 r setup");
    assert_eq!(
        position.moves(),
        ["R1@A3", "R1@A4", "R1@A5", "R1@B4", "R1@B5", "R1@C5"]
    );
    for ply in ["R1@A5", "R2@B5", "R3@C5", "R4@A4", "R5@B4"] {
        position.play(ply);
        assert_eq!(EinStein::parse(&position.text()), position);
    }
    assert_eq!(position.text(), "ABC2/DE3/5/5/5 r setup");
    assert_eq!(position.moves(), ["R6@A3"]);
    position.play("R6@A3");
    assert_eq!(position.text(), "ABC2/DE3/F4/5/5 b setup");
    assert!(position.result().is_none() && position.side() == 1);
    for ply in ["B1@E1", "B2@D1", "B3@C1", "B4@E2", "B5@D2"] {
        position.play(ply);
        assert_eq!(EinStein::parse(&position.text()), position);
    }
    assert_eq!(position.moves(), ["B6@E3"]);
    position.play("B6@E3");
    assert_eq!(position.text(), "ABC2/DE3/F3f/3ed/2cba r -");
    assert!(position.rolling());
}

#[test]
fn random_games_are_short_decided_and_slightly_better_for_the_first_side() {
    let mut numbers = Numbers::new(1);
    let (games, mut plies, mut moves, mut first_wins) = (1000, 0, 0, 0);
    for _ in 0..games {
        let mut position = EinStein::parse("5/5/5/5/5 r setup");
        let mut length = 0;
        while position.result().is_none() {
            assert_eq!(EinStein::parse(&position.text()), position);
            let in_play = position
                .text()
                .ends_with(|last: char| last.is_ascii_digit());
            if in_play {
                length += 1;
                moves += position.moves().len();
            }
            play_at_random(&mut position, &mut numbers);
        }
        assert!(length <= 69, "E6: a game lasts at most 69 plies");
        plies += length;
        first_wins += usize::from(position.result() == Some(End::First));
    }
    // Docs: 21.6 plies, 3.11 moves per roll, 53.3 % of wins; the margins are four standard errors or more.
    let (plies, moves) = (plies as f64, moves as f64);
    assert!((plies / games as f64 - 21.6).abs() < 0.7, "{plies} plies");
    assert!((moves / plies - 3.11).abs() < 0.03, "{moves} moves");
    assert!((first_wins as f64 / games as f64 - 0.533).abs() < 0.064);
}
