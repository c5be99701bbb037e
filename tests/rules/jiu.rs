//! Jiu: golden files, perft, conformance; the drawn cases, endings and texts are in the folder beside.

mod boards;
mod cases;
mod endings;
mod pattern_player;
mod patterns;
mod records;
mod speed;
mod texts;
mod threats;
mod turns;

use std::collections::BTreeMap;

use engine::conformance;
use engine::draws::{self, Purpose};
use engine::games::jiu::{Due, Jiu, Move, Path, Spot, Start, Variant};
use engine::perft::Perft;
use engine::{Encode, Game, Status, Symmetry};
use rand::RngExt;

/// One line of a golden file.
fn golden(text: &str) -> Vec<(String, BTreeMap<String, u8>)> {
    let line = |line: &str| {
        let entry: serde_json::Value = serde_json::from_str(line).unwrap();
        let paths = serde_json::from_value(entry["paths"].clone()).unwrap();
        (entry["position"].as_str().unwrap().to_owned(), paths)
    };
    text.lines().map(line).collect()
}

fn agrees_with_golden(text: &str, positions: usize) {
    let entries = golden(text);
    assert_eq!(entries.len(), positions);
    for (position, paths) in entries {
        let game = Jiu::parse(&position, &Variant::default()).unwrap();
        assert_eq!(game.text(), position);
        assert_eq!(game.paths(), paths, "{position}");
    }
}

macro_rules! golden_file {
    ($name:literal) => {
        include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../tests/data/golden/",
            $name
        ))
    };
}

#[test]
fn paths_and_squares_agree_with_the_golden_file_for_6() {
    agrees_with_golden(golden_file!("jiu_6.jsonl"), 200);
}

#[test]
fn paths_and_squares_agree_with_the_golden_file_for_8() {
    agrees_with_golden(golden_file!("jiu_8.jsonl"), 200);
}

#[test]
fn paths_and_squares_agree_with_the_golden_file_for_14() {
    agrees_with_golden(golden_file!("jiu_14.jsonl"), 100);
}

#[test]
fn perft_from_the_scan_filled_start_is_as_published() {
    let counts = |size: u8, depth: u32| {
        let game = Jiu::scan_filled(size).unwrap();
        (1..=depth).map(|d| game.perft(d)).collect::<Vec<_>>()
    };
    assert_eq!(counts(6, 4), [7, 42, 280, 2062]);
    assert_eq!(counts(8, 4), [7, 43, 301, 2450]);
    assert_eq!(counts(14, 3), [7, 43, 308]);
}

#[test]
fn the_conformance_suite_holds_on_6() {
    conformance::check::<Jiu>(&Variant::sized(6), &Start::Empty, 1, 30, 800).unwrap();
    conformance::check::<Jiu>(&Variant::sized(6), &Start::RandomLayout, 2, 30, 800).unwrap();
}

#[test]
fn the_conformance_suite_holds_on_6_without_the_strong_side_limit() {
    let variant = Variant {
        strong_side_limit: false,
        quiet_limit: Some(200),
        ply_cap: Some(300),
        ..Variant::sized(6)
    };
    conformance::check::<Jiu>(&variant, &Start::RandomLayout, 3, 20, 400).unwrap();
}

#[test]
fn the_conformance_suite_holds_on_8() {
    conformance::check::<Jiu>(&Variant::sized(8), &Start::Empty, 4, 6, 800).unwrap();
}

#[test]
fn the_conformance_suite_holds_on_14() {
    let variant = Variant {
        ply_cap: Some(500),
        ..Variant::default()
    };
    conformance::check::<Jiu>(&variant, &Start::RandomLayout, 5, 1, 700).unwrap();
}

/// Plays random games and shows every position on the way.
fn random_games(variant: &Variant, start: &Start, games: u64, mut show: impl FnMut(&Jiu)) {
    for number in 0..games {
        let mut from = draws::keyed(9, Purpose::Start, number, 0);
        let mut draws = draws::keyed(9, Purpose::Choice, number, 0);
        let mut game = Jiu::start(variant, start, &mut from).unwrap();
        let mut plies = Vec::new();
        while let Status::ToMove(_) = game.status() {
            show(&game);
            game.moves(&mut plies);
            game.play(plies[draws.random_range(0..plies.len())]);
        }
        show(&game);
    }
}

/// All turns from a position, found ply by ply: their texts.
fn turns_by_plies(game: &Jiu) -> Vec<String> {
    let mut texts = Vec::new();
    let mut open = vec![(*game, Vec::new())];
    while let Some((now, plies)) = open.pop() {
        let mut legal = Vec::new();
        now.moves(&mut legal);
        for ply in legal {
            let mut next = now;
            next.play(ply);
            let mut longer = plies.clone();
            longer.push(ply);
            if next.in_mid_turn() {
                open.push((next, longer));
            } else {
                texts.push(game.turn_text(&longer).unwrap());
            }
        }
    }
    texts.sort();
    texts.dedup();
    texts
}

#[test]
fn turns_found_ply_by_ply_are_the_turns_counted_by_perft() {
    let mut looked_at = 0;
    random_games(&Variant::sized(6), &Start::RandomLayout, 12, |game| {
        looked_at += 1;
        if looked_at % 5 == 0 && game.due() == Due::Turn {
            assert_eq!(
                turns_by_plies(game).len() as u64,
                game.perft(1),
                "{}",
                game.text()
            );
        }
    });
}

/// Perft of 2 by reading each turn's text and counting the answers.
fn perft_2_by_texts(game: &Jiu) -> u64 {
    let after = |text: &String| {
        let mut next = *game;
        boards::play(&mut next, &[text]);
        next.perft(1)
    };
    turns_by_plies(game).iter().map(after).sum()
}

#[test]
fn perft_of_two_is_the_sum_over_the_turns_read_from_their_texts() {
    let mut looked_at = 0;
    random_games(&Variant::sized(6), &Start::RandomLayout, 4, |game| {
        looked_at += 1;
        if looked_at % 40 == 0 && game.due() == Due::Turn {
            assert_eq!(game.perft(2), perft_2_by_texts(game), "{}", game.text());
        }
    });
}

#[test]
fn perft_counts_a_set_of_removals_once_in_whatever_order_it_is_taken() {
    let game = boards::battle(
        6,
        'b',
        "
        w . . . . w
        . . . . . .
        . b b . . w
        . b . b . w
        . b b . . .
        b . . . w w",
    );
    assert_eq!(game.paths()["D3-C3"], 2);
    assert_eq!(game.perft(1), turns_by_plies(&game).len() as u64);
    assert_eq!(game.perft(2), perft_2_by_texts(&game));
}

/// The point that a cell of a plane stands for.
fn spot(size: usize, cell: usize) -> Spot {
    Spot::new((cell % size) as u8, (size - 1 - cell / size) as u8)
}

#[test]
fn the_planes_of_a_mapped_position_are_the_mapped_planes() {
    let variant = Variant::sized(6);
    let shape = Jiu::shape(&variant);
    let points = shape.rows * shape.columns;
    let mut planes = vec![0.0; shape.input()];
    let mut mapped = planes.clone();
    let mut looked_at = 0;
    random_games(&variant, &Start::Empty, 3, |game| {
        looked_at += 1;
        if looked_at % 7 != 0 || !matches!(game.status(), Status::ToMove(_)) {
            return;
        }
        game.planes(&mut planes);
        let kept = game.symmetries().iter().filter(|&&s| !Jiu::swaps_sides(s));
        for &symmetry in kept {
            game.map(symmetry).planes(&mut mapped);
            for (at, number) in planes.iter().enumerate() {
                let place = Move::Place(spot(shape.rows, at % points));
                let there = game.index(game.map_move(symmetry, place));
                let plane = at / points;
                assert_eq!(mapped[plane * points + there], *number, "{}", game.text());
            }
        }
    });
}

#[test]
fn changing_the_sides_changes_no_plane_but_the_one_of_the_side() {
    let variant = Variant::sized(6);
    let shape = Jiu::shape(&variant);
    let points = shape.rows * shape.columns;
    let mut planes = vec![0.0; shape.input()];
    let mut swapped = planes.clone();
    random_games(&variant, &Start::RandomLayout, 3, |game| {
        if !matches!(game.status(), Status::ToMove(_)) {
            return;
        }
        game.planes(&mut planes);
        game.map(Symmetry(8)).planes(&mut swapped);
        let last = planes.len() - points;
        assert_eq!(planes[..last], swapped[..last], "{}", game.text());
        assert!(
            planes[last..]
                .iter()
                .zip(&swapped[last..])
                .all(|(a, b)| a + b == 1.0)
        );
    });
}

#[test]
fn planes_tell_apart_what_only_the_turn_in_progress_differs_in() {
    let board = boards::text(
        6,
        'x',
        "battle",
        "
        w . . . . w
        . . . . . .
        . . b w . .
        . . . . . .
        b b b . w .
        b b b b w .",
    );
    let mut seen = std::collections::HashMap::new();
    for (side, in_turn) in [
        ('b', ""),
        ('w', ""),
        ('b', " hop C4 1 A4"),
        ('b', " hop C4 1 C6"),
        ('b', " hop C4 3 A4"),
        ('b', " hop D1 1 F1"),
        ('b', " take 1"),
        ('b', " take 2"),
        ('w', " drop B5"),
        ('w', " drop C5"),
    ] {
        let text = board.replace(" x ", &format!(" {side} ")) + in_turn;
        let game = Jiu::parse(&text, &Variant::default()).unwrap();
        let mut planes = vec![0.0_f32; Jiu::shape(game.variant()).input()];
        game.planes(&mut planes);
        let bits: Vec<_> = planes.iter().map(|number| number.to_bits()).collect();
        assert_eq!(seen.insert(bits, text.clone()), None, "{text}");
    }
}

#[test]
fn policy_indices_lie_in_their_planes_from_the_top_row_down() {
    let game = Jiu::empty(&Variant::sized(8)).unwrap();
    let index = |text: &str| game.index(game.parse_move(text).unwrap());
    assert_eq!(
        (index("A8"), index("H8"), index("A1"), index("-H1")),
        (0, 7, 56, 63)
    );
    assert_eq!(
        (index("A8^"), index("A8-B8"), index("A7-A8")),
        (64, 128, 3 * 64 + 8)
    );
    assert_eq!(
        (index("A8xC8"), index("+A8"), index("stop")),
        (6 * 64, 10 * 64, 11 * 64)
    );
    assert_eq!(Jiu::shape(game.variant()).policy, 11 * 64 + 1);
}

#[test]
fn the_first_battle_move_has_six_choices_on_average() {
    let mut choices = 0;
    let layouts = 2000;
    for number in 0..layouts {
        let mut draws = draws::keyed(8, Purpose::Start, number, 0);
        let game = Jiu::start(&Variant::sized(8), &Start::RandomLayout, &mut draws).unwrap();
        choices += game.paths().len();
    }
    let average = choices as f64 / layouts as f64;
    assert!((5.7..6.3).contains(&average), "{average}");
}

#[test]
fn a_random_layout_gives_each_side_its_stones_and_leaves_the_centre_empty() {
    for size in [6, 8, 10, 12, 14] {
        let variant = Variant::sized(size);
        let mut draws = draws::keyed(3, Purpose::Start, u64::from(size), 0);
        let game = Jiu::start(&variant, &Start::RandomLayout, &mut draws).unwrap();
        let stones = u32::from(size) * u32::from(size) / 2 - 1;
        for side in engine::Side::BOTH {
            assert_eq!(game.stones(side).count(), stones);
        }
        assert_eq!(game.vacant(), game.central());
        assert_eq!(game.side(), engine::Side::Second);
    }
}

#[test]
fn a_path_knows_how_many_stones_it_jumps() {
    let game = boards::cases(
        'b',
        "
        . . . . . .
        . . . w . .
        . . w . . .
        . . b . . .
        . . . . . .
        . . . . . .",
    );
    let mut longest = 0;
    game.for_each_path(|path: Path<'_>| longest = longest.max(path.jumped()));
    assert_eq!(longest, 2);
}

#[test]
fn planes_3_to_10_show_squares_and_threats_and_plane_14_the_lead() {
    let variant = Variant::sized(8);
    let shape = Jiu::shape(&variant);
    let points = shape.rows * shape.columns;
    let mut planes = vec![0.0; shape.input()];
    let mut shown = 0;
    random_games(&variant, &Start::RandomLayout, 3, |game| {
        let Status::ToMove(side) = game.status() else {
            return;
        };
        game.planes(&mut planes);
        let plane = |number: usize| &planes[number * points..(number + 1) * points];
        let sides = [game.threats(side), game.threats(side.other())];
        let sets = sides.map(|of| [of.squares, of.triangles, of.gates, of.dalians]);
        for (whose, sets) in sets.iter().enumerate() {
            for (kind, set) in sets.iter().enumerate() {
                for (cell, &number) in plane(3 + 2 * kind + whose).iter().enumerate() {
                    let holds = set.has(spot(shape.rows, cell).0);
                    assert_eq!(number, f32::from(u8::from(holds)), "{}", game.text());
                    shown += usize::from(holds);
                }
            }
        }
        let lead = f32::from(game.count(side)) - f32::from(game.count(side.other()));
        assert!(plane(14).iter().all(|&number| number == lead / 8.0));
    });
    assert!(shown > 1000, "{shown}");
}
