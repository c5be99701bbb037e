//! The tricky cases of the rules, drawn.

use engine::games::jiu::{Due, Jiu, Variant};
use engine::{Game, Outcome, Side, Status};

use super::boards::{battle, cases, play, plies, text};

/// The paths of the stone on a point with their squares, `C3-D3:1`, sorted.
fn paths_from(game: &Jiu, origin: &str) -> Vec<String> {
    let paths = game.paths().into_iter();
    let from = paths.filter(|(path, _)| path[origin.len()..].starts_with(['-', 'x']));
    from.filter(|(path, _)| path.starts_with(origin))
        .map(|(path, squares)| format!("{path}:{squares}"))
        .collect()
}

#[test]
fn case_1_a_jump_into_a_square_earns_a_stone_that_is_not_the_jumped_one() {
    let mut game = cases(
        'b',
        "
        . b b . . .
        . b . . . .
        . . w . . .
        . . b . . .
        . . . . . .
        . . . . . .",
    );
    assert_eq!(game.paths()["C3xC5"], 1);
    let hop = game.parse_move("C3xC5").unwrap();
    game.try_play(hop).unwrap();
    assert_eq!(game.due(), Due::Take { owed: 1 });
    assert_eq!(game.status(), Status::ToMove(Side::Second));
    let removals = plies(&game);
    assert_eq!(removals.len(), 21);
    assert!(!removals.contains(&"+C4".into()));
    let take = game.parse_move("+A13").unwrap();
    game.try_play(take).unwrap();
    assert_eq!(game.status(), Status::ToMove(Side::First));
    assert_eq!(game.count(Side::First), 20);
}

#[test]
fn case_2_one_step_makes_two_squares_and_others_make_one() {
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
    assert_eq!(game.paths()["D3-C3"], 2);
    assert_eq!(game.paths()["C2-C3"], 1);
    assert_eq!(game.paths()["C4-C3"], 1);
}

#[test]
fn case_3_a_runner_scores_on_the_way_there_and_on_the_way_back() {
    let mut game = cases(
        'b',
        "
        . . . . . .
        . . . . . .
        . b b b b .
        . b b . b .
        . . . . . .
        . . . . . .",
    );
    assert_eq!(game.paths()["C3-D3"], 1);
    assert_eq!(game.paths()["E3-D3"], 1);
    play(&mut game, &["C3-D3+A13", "B12-B11"]);
    assert_eq!(game.paths()["D3-C3"], 1);
}

#[test]
fn case_4_the_squares_of_a_landing_passed_in_mid_chain_do_not_count() {
    let mut game = cases(
        'b',
        "
        . b b . . .
        . b . w . .
        . . w . . .
        . . b . . .
        . . . . . .
        . . . . . .",
    );
    assert_eq!(paths_from(&game, "C3")[3..], ["C3xC5:1", "C3xC5xE5:0"]);
    let before = game;
    play(&mut game, &["C3xC5+A13"]);
    assert_eq!(game.count(Side::First), before.count(Side::First) - 2);
    let mut game = before;
    play(&mut game, &["C3xC5xE5"]);
    assert_eq!(game.count(Side::First), before.count(Side::First) - 2);
    assert_eq!(game.due(), Due::Turn);
}

#[test]
fn case_5_a_chain_may_end_on_its_start_point() {
    let game = cases(
        'b',
        "
        . . . . . .
        . . . w . .
        . . w . w .
        . . b w . .
        . . . . . .
        . . . . . .",
    );
    let paths = paths_from(&game, "C3");
    let chains: Vec<_> = paths.iter().filter(|path| path.contains('x')).collect();
    assert_eq!(
        chains,
        [
            "C3xC5:0",
            "C3xC5xE5:0",
            "C3xC5xE5xE3:0",
            "C3xC5xE5xE3xC3:0",
            "C3xE3:0",
            "C3xE3xE5:0",
            "C3xE3xE5xC5:0",
            "C3xE3xE5xC5xC3:0",
        ]
    );
}

#[test]
fn a_chain_that_ends_on_its_start_point_inside_an_old_square_scores_it() {
    let game = cases(
        'b',
        "
        . . . . . .
        . . . w . .
        . . w . w .
        . b b w . .
        . b b . . .
        . . . . . .",
    );
    assert_eq!(game.paths()["C3xC5xE5xE3xC3"], 1);
    assert_eq!(game.paths()["C3xC5xE5xE3"], 0);
}

#[test]
fn case_6_a_flight_can_make_four_squares_and_take_four_stones() {
    let mut game = battle(
        14,
        'b',
        "
        w w w w w w w w w w w w w w
        . . . . . . . . . . . . . .
        w w w . . . . . . . . . . .
        .
        .
        .
        .
        .
        .
        .
        . b b b
        . b . b
        . b b b
        . . . . . . . . . . . . . b",
    );
    assert_eq!(game.paths()["N1-C3"], 4);
    play(&mut game, &["N1-C3+A12,A14,B14,N14"]);
    assert_eq!(game.count(Side::First), 13);
    assert_eq!(game.status(), Status::ToMove(Side::First));
}

#[test]
fn case_7_the_strong_side_may_not_take_a_single_stone_by_jumping() {
    let drawing = "
        . w . w . w . w . w . w . w
        . . . . . . . . . . . . . .
        . b . b . b . b . b . b . b
        . . . . . . . . . . . . . .
        . b . b . b . b . b . . . .
        . . . . . . . . . . . . . .
        . . . . . . . . . . . . . .
        . . . . . . . . . . . . . .
        . . . . . . . . . . . . . .
        . . . w . . . w . w . . . .
        . . . . . . . . w . . . . .
        . . w . . . . w . . . . . .
        . . b . . . . b . . . . . .
        . . . . . . . . . . . . . .";
    let game = battle(14, 'b', drawing);
    assert_eq!(
        (game.count(Side::First), game.count(Side::Second)),
        (13, 14)
    );
    assert!(
        !game.limited(),
        "14 stones may fly and are not the strong side"
    );
    assert!(game.paths().contains_key("C2xC4"));

    let mut stronger = drawing.replacen(
        ". . . . . . . . . . . . . .",
        "w . . . . . . . . . . . . b",
        1,
    );
    stronger = stronger.trim_end().to_owned();
    let mut game = battle(14, 'b', &stronger);
    assert_eq!(
        (game.count(Side::First), game.count(Side::Second)),
        (14, 15)
    );
    assert!(game.limited());
    let paths = game.paths();
    assert!(!paths.contains_key("C2xC4") && !paths.contains_key("H2xH4"));
    assert!(paths.contains_key("H2xH4xJ4"));
    assert!(paths.contains_key("C2-D2"));
    assert!(!plies(&game).contains(&"C2xC4".into()));
    let hop = game.parse_move("H2xH4").unwrap();
    game.try_play(hop).unwrap();
    assert_eq!(plies(&game), ["H4xH6", "H4xJ4"], "no stop after one hop");
    let hop = game.parse_move("H4xJ4").unwrap();
    game.try_play(hop).unwrap();
    assert_eq!(plies(&game), ["J4xJ6", "stop"]);
}

#[test]
fn case_7_single_jumps_as_the_only_moves_lose_for_the_strong_side() {
    let drawing = "
        . . . . . .
        w . . . . .
        b w . . . .
        b b w . . .
        b b b w . .
        b b b b w .";
    let game = battle(6, 'b', drawing);
    assert_eq!(game.status(), Status::Over(Outcome::Win(Side::First)));
    let variant = Variant {
        strong_side_limit: false,
        ..Variant::sized(6)
    };
    let game = Jiu::parse(&text(6, 'b', "battle", drawing), &variant).unwrap();
    assert_eq!(game.status(), Status::ToMove(Side::Second));
    assert!(plies(&game).contains(&"D1xF1".into()));
}

#[test]
fn case_8_fewer_than_four_stones_left_after_the_removals_lose() {
    let mut game = battle(
        14,
        'b',
        "
        w . . . . . . . . . . . . w
        . . . . . . . . . . . . . .
        . . . . . . . . . . . . . .
        . . . . . . . . . . . . . .
        . . . . . . . . . . . . . .
        . . . . . . . . . . . . . .
        . . . . . . . . . . . . . .
        . . . . . . . . . . . . . .
        . . . . b b . . . . . . . .
        . . . w . b . . . . . . . .
        . . w . b b . . . . . . . .
        . . b . . . . . . . . . . .
        . . . . . . . . . . . . . .
        . . . . . . . . . . . . . w",
    );
    assert_eq!(game.paths()["C3xC5xE5"], 2);
    play(&mut game, &["C3xC5xE5+A14,N14"]);
    assert_eq!(game.count(Side::First), 1);
    assert_eq!(game.status(), Status::Over(Outcome::Win(Side::Second)));
}

#[test]
fn case_8_when_fewer_stones_are_left_than_owed_all_are_taken_at_once() {
    let mut game = battle(
        14,
        'b',
        "
        w . . . . . . . . . . . . .
        . . . . . . . . . . . . . .
        . . . . . . . . . . . . . .
        . . . . . . . . . . . . . .
        . . . . . . . . . . . . . .
        . . . . . . . . . . . . . .
        . . . . . . b b . . . . . .
        . . . . . w . b . . . . . .
        . . . . w . b b . . . . . .
        . . . w . . . . . . . . . .
        . . . . . . . . . . . . . .
        . . . . . . . . . . . . . .
        . . . . . . . . . . . . . .
        . . . . . . . . . . . . . .",
    );
    // The chain C5xE5xE7xG7 has to start over D5: put the runner on C5.
    let text = game.text().replace("3w10", "2bw10");
    game = Jiu::parse(&text, &Variant::default()).unwrap();
    assert_eq!(game.paths()["C5xE5xE7xG7"], 2);
    play(&mut game, &["C5xE5xE7xG7+A14"]);
    assert_eq!(game.count(Side::First), 0);
    assert_eq!(game.status(), Status::Over(Outcome::Win(Side::Second)));
    assert_eq!(
        Jiu::parse(&game.text(), &Variant::default())
            .unwrap()
            .status(),
        game.status()
    );
}

#[test]
fn exactly_as_many_stones_as_owed_are_taken_at_once_too() {
    let mut game = battle(
        6,
        'b',
        "
        w . . . b b
        . . . w . b
        . . w . b b
        . . b . . .
        . . . . . .
        . . . . . w",
    );
    let hops = ["C3xC5", "C5xE5"].map(|hop| game.parse_move(hop).unwrap());
    game.try_play(hops[0]).unwrap();
    game.try_play(hops[1]).unwrap();
    assert_eq!(
        game.count(Side::First),
        0,
        "two were left and two were owed"
    );
    assert_eq!(game.status(), Status::Over(Outcome::Win(Side::Second)));
}

#[test]
fn case_9_black_without_a_move_after_the_layout_has_lost() {
    let layout = text(
        6,
        'b',
        "layout",
        "
        w b b w b w
        b b w w b b
        b w w b w w
        w w w w w b
        b b w w b b
        w b w b b .",
    );
    let mut game = Jiu::parse(&layout, &Variant::default()).unwrap();
    assert_eq!(plies(&game), ["F1"]);
    play(&mut game, &["F1"]);
    assert_eq!(game.status(), Status::Over(Outcome::Win(Side::First)));
}

#[test]
fn case_10_the_layout_begins_on_the_central_diagonal() {
    for (size, ends) in [(6, ["C3", "D4"]), (8, ["D4", "E5"]), (14, ["G7", "H8"])] {
        let mut game = Jiu::empty(&Variant::sized(size)).unwrap();
        assert_eq!(plies(&game), ends);
        play(&mut game, &[ends[0]]);
        assert_eq!(plies(&game), [ends[1]]);
        play(&mut game, &[ends[1]]);
        assert_eq!(
            plies(&game).len(),
            usize::from(size) * usize::from(size) - 2
        );
    }
}

#[test]
fn a_flying_side_moves_to_any_empty_point_and_its_steps_are_flights() {
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
    let game_plies = plies(&game);
    assert_eq!(game_plies, ["A2^", "A6^", "F2^", "F2xD2", "F6^"]);
    let lift = game.parse_move("A2^").unwrap();
    game.try_play(lift).unwrap();
    assert_eq!(game.side(), Side::First);
    let drops = plies(&game);
    assert_eq!(drops.len(), 36 - 8 - 1);
    assert!(drops.contains(&"-A3".into()) && drops.contains(&"-D5".into()));
    assert!(
        !drops.contains(&"-A2".into()),
        "a stone cannot stay where it was"
    );
}

#[test]
fn a_flight_over_an_enemy_takes_nothing_and_a_jump_to_the_same_point_does() {
    let drawing = "
        w . . . . w
        . . . . . .
        . . b . . .
        . . . . . .
        w . b . b w
        . . b . b .";
    for (turn, black) in [("F2-D2", 5), ("F2xD2", 4)] {
        let mut game = battle(6, 'w', drawing);
        play(&mut game, &[turn]);
        assert_eq!(game.count(Side::Second), black);
    }
}
