//! The Surakarta twin against its golden file, perft numbers and tricky cases.

use std::collections::BTreeSet;

use super::{Numbers, after, check_golden_moves, golden, has, perft, play_at_random};
use crate::naive::{End, Surakarta, Twin};

const START: &str = "bbbbbb/bbbbbb/6/6/rrrrrr/rrrrrr r 0";

#[test]
fn golden_moves() {
    check_golden_moves::<Surakarta>("surakarta");
}

#[test]
fn perft_of_the_start() {
    let mut position = Surakarta::parse(START);
    position.quiet_limit = u32::MAX;
    position.occurrence_limit = usize::MAX;
    let counts: Vec<u64> = (1..=4).map(|depth| perft(&position, depth)).collect();
    assert_eq!(counts, [16, 256, 5_382, 111_122]);
}

#[test]
fn the_start_has_582_captures_on_the_fourth_ply() {
    let mut captures = 0;
    let start = Surakarta::parse(START);
    for first in start.moves() {
        let one = after(start.clone(), &[&first]);
        for second in one.moves() {
            let two = after(one.clone(), &[&second]);
            for third in two.moves() {
                let mut three = two.clone();
                three.occurrence_limit = usize::MAX;
                let three = after(three, &[&third]);
                captures += three.moves().iter().filter(|m| m.contains('x')).count();
            }
        }
    }
    assert_eq!(captures, 582);
}

#[test]
fn each_track_has_24_stops_over_20_points() {
    for (from, heading) in [
        ("A2", (1, 0)),
        ("C1", (0, 1)),
        ("B6", (0, -1)),
        ("F4", (-1, 0)),
    ] {
        let lap = Surakarta::lap_points(from, heading);
        assert_eq!(lap.len(), 24, "from {from}");
        let points: BTreeSet<String> = lap.into_iter().collect();
        assert_eq!(points.len(), 20, "from {from}");
    }
}

#[test]
fn points_have_the_track_attributes_of_s3() {
    let track = |from, heading| -> BTreeSet<String> {
        Surakarta::lap_points(from, heading).into_iter().collect()
    };
    let outer = track("A3", (1, 0));
    let inner = track("A2", (1, 0));
    let both: Vec<&String> = outer.intersection(&inner).collect();
    assert_eq!(both, ["B3", "B4", "C2", "C5", "D2", "D5", "E3", "E4"]);
    assert_eq!(outer.difference(&inner).count(), 12);
    assert_eq!(inner.difference(&outer).count(), 12);
}

#[test]
fn captures_are_symmetric_unless_they_cross_their_own_start() {
    // S7 on the golden positions. Its reverse route is barred where the mover came over its own
    // start point and on to a victim straight behind it: the victim would meet it without an arc.
    let (mut captures, mut one_way) = (0, 0);
    for line in golden("surakarta") {
        let text = line["position"].as_str().unwrap();
        let reversed = if text.contains(" r ") {
            text.replace(" r ", " b ")
        } else {
            text.replace(" b ", " r ")
        };
        let (position, reversed) = (Surakarta::parse(text), Surakarta::parse(&reversed));
        for ply in position.moves() {
            let Some((from, to)) = ply.split_once('x') else {
                continue;
            };
            captures += 1;
            if !has(&reversed, &format!("{to}x{from}")) {
                one_way += 1;
                assert!(position.crosses_its_start(&ply), "{ply} in {text}");
            }
        }
    }
    assert!(
        captures > 500 && one_way > 0,
        "{captures} captures, {one_way} one way"
    );
}

#[test]
fn a_capture_over_the_own_start_has_no_way_back() {
    // E2, F2, arc, E1, E2 (counted empty), E3, E4, E5.
    let text = "6/2b1br/6/6/3rr1/6 r 0";
    let position = Surakarta::parse(text);
    assert!(has(&position, "E2xE5") && position.crosses_its_start("E2xE5"));
    assert!(!has(
        &Surakarta::parse(&text.replace(" r ", " b ")),
        "E5xE2"
    ));
}

#[test]
fn tricky_1_a_touching_stone_is_taken_by_one_move() {
    let position = Surakarta::parse("6/6/2b3/2r3/6/6 r 0");
    let takes: Vec<String> = position
        .moves()
        .into_iter()
        .filter(|ply| ply.contains('x'))
        .collect();
    assert_eq!(takes, ["C3xC4"]);
}

#[test]
fn tricky_2_the_start_point_counts_as_empty() {
    let position = Surakarta::parse("6/6/2b3/2rr2/6/6 r 0");
    assert!(has(&position, "C3xC4"));
    assert_eq!(position.exits("C3xC4"), ["A3"]);
}

#[test]
fn tricky_3_own_stones_bar_the_way() {
    let position = Surakarta::parse("6/6/2rb2/2r3/2r3/6 r 0");
    assert!(has(&position, "C3xD4"));
    assert!(!has(&position, "C2xD4"));
    assert!(has(&position, "C4xD4"));
}

#[test]
fn tricky_4_both_ways_round_are_tried() {
    let one = Surakarta::parse("6/6/6/bb4/6/2r3 r 0");
    assert!(has(&one, "C1xA3") && has(&one, "C1xB3"));
    let barred = Surakarta::parse("6/6/6/rb4/6/2r3 r 0");
    assert!(has(&barred, "C1xB3"));
}

#[test]
fn tricky_5_corners_take_nothing() {
    for text in ["6/6/6/6/6/rb4 r 0", "6/6/6/6/6/rb4 b 0"] {
        let position = Surakarta::parse(text);
        assert!(position.moves().iter().all(|ply| !ply.contains('x')));
    }
}

#[test]
fn tricky_6_the_shortest_arcs() {
    assert!(has(&Surakarta::parse("6/6/6/6/b5/1r4 r 0"), "B1xA2"));
    assert!(has(&Surakarta::parse("6/6/6/6/rb4/6 r 0"), "A2xB2"));
}

#[test]
fn tricky_7_by_the_inner_track_only() {
    assert!(has(&Surakarta::parse("6/4b1/6/6/2r3/6 r 0"), "C2xE5"));
    // With the inner track barred on both sides nothing is left.
    let barred = Surakarta::parse("6/4b1/6/6/1rrr2/6 r 0");
    assert!(!has(&barred, "C2xE5"));
}

#[test]
fn tricky_8_without_an_enemy_on_the_tracks_there_are_steps_only() {
    let position = Surakarta::parse("6/6/6/2r3/6/b5 r 0");
    assert_eq!(
        position.moves(),
        [
            "C3-B2", "C3-B3", "C3-B4", "C3-C2", "C3-C4", "C3-D2", "C3-D3", "C3-D4"
        ]
    );
}

#[test]
fn tricky_9_the_first_repetition_ends_the_game() {
    let plies = ["A2-A3", "A5-A4", "A3-A2", "A4-A5"];
    let mut position = after(Surakarta::parse(START), &plies[..3]);
    assert_eq!(position.result(), None);
    position.play(plies[3]);
    assert_eq!(position.result(), Some(End::Draw));
    assert!(position.moves().is_empty());
    // The option: at the third occurrence instead.
    let mut third = Surakarta::parse(START);
    third.occurrence_limit = 3;
    let third = after(after(third, &plies), &plies[..3]);
    assert_eq!(third.result(), None);
    assert_eq!(after(third, &plies[3..]).result(), Some(End::Draw));
}

#[test]
fn tricky_10_a_side_without_a_move_is_counted_out() {
    let position = Surakarta::parse("6/6/6/6/bb4/rb4 r 0");
    assert_eq!(position.result(), Some(End::Second));
    assert!(position.moves().is_empty());
}

#[test]
fn tricky_11_a_straight_line_takes_nothing() {
    assert!(has(&Surakarta::parse("3b2/6/2r3/6/6/6 r 0"), "C4xD6"));
    let position = Surakarta::parse("6/6/6/6/r4b/1r4 r 0");
    assert!(!has(&position, "A2xF2"));
    assert!(has(&position, "B1xF2"));
}

#[test]
fn a_side_without_stones_has_lost() {
    let position = after(Surakarta::parse("6/6/6/6/b5/1r4 r 0"), &["B1xA2"]);
    assert_eq!(position.result(), Some(End::First));
    assert_eq!(position.text(), "6/6/6/6/r5/6 b 0");
}

#[test]
fn the_fiftieth_quiet_ply_ends_the_game_and_a_capture_resets_the_count() {
    // S8 b: Red has two stones, Black one.
    let position = Surakarta::parse("6/6/6/6/b5/1r3r r 49");
    assert_eq!(position.result(), None);
    let quiet = after(position.clone(), &["F1-F2"]);
    assert_eq!(quiet.result(), Some(End::First));
    let text = "b5/6/6/6/b5/1r3r r 49";
    let capture = after(Surakarta::parse(text), &["B1xA2"]);
    assert_eq!(capture.text(), "b5/6/6/6/r5/5r b 0");
    assert_eq!(capture.result(), None);
}

#[test]
fn random_games_come_to_an_end() {
    let mut numbers = Numbers::new(2);
    let (mut plies, mut moves) = (0, 0);
    let games = 40;
    for _ in 0..games {
        let mut position = Surakarta::parse(START);
        position.occurrence_limit = usize::MAX;
        while position.result().is_none() {
            assert_eq!(Surakarta::parse(&position.text()).moves(), position.moves());
            plies += 1;
            moves += position.moves().len();
            play_at_random(&mut position, &mut numbers);
        }
    }
    // Docs: 178 plies and 26.1 moves per position without S8 c.
    let (plies, moves) = (plies as f64, moves as f64);
    assert!((plies / games as f64 - 178.0).abs() < 50.0, "{plies} plies");
    assert!((moves / plies - 26.1).abs() < 2.0, "{moves} moves");
}
