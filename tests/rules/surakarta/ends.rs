//! S8: how games end, and how they start.

use engine::games::surakarta::{MOST_QUIET_PLIES, Repetition, Start};

use super::*;

#[test]
fn the_side_without_stones_has_lost() {
    let game = played("6/6/2b3/2r3/6/6 r 7", "C3xC4");
    assert_eq!(game.status(), won(Side::First));
    assert!(listed(&game).is_empty());
    let game = played("6/6/2b3/2r3/6/r5 b 49", "C4xC3 A1-A2");
    assert_eq!(game.status(), BLACK);
    let game = played("6/6/2b3/2r3/6/6 b 49", "C4xC3");
    assert_eq!(game.status(), won(Side::Second));
}

#[test]
fn the_fiftieth_quiet_ply_ends_the_game_by_count() {
    let before = position("b5/6/6/2r3/6/r5 r 48");
    let mut game = before.clone();
    play(&mut game, "A1-A2");
    assert_eq!(game.status(), BLACK);
    play(&mut game, "A6-A5");
    assert_eq!(game.status(), won(Side::First));
    assert!(listed(&game).is_empty());
    assert_eq!(
        played("b4b/6/6/2r3/6/6 r 49", "C3-C2").status(),
        won(Side::Second)
    );
    assert_eq!(played("b5/6/6/2r3/6/6 r 49", "C3-C2").status(), DRAWN);
}

#[test]
fn a_capture_on_the_fiftieth_ply_starts_the_count_again() {
    let mut game = played("b5/6/2b3/2r3/6/6 r 49", "C3xC4");
    assert_eq!((game.status(), game.quiet_plies()), (BLACK, 0));
    play(&mut game, "A6-A5");
    assert_eq!((game.status(), game.quiet_plies()), (RED, 1));
}

#[test]
fn the_limit_on_quiet_plies_is_an_option() {
    let variant = Variant {
        quiet_limit: 2,
        ..Variant::default()
    };
    let mut game = position_under(START, &variant);
    play(&mut game, "A2-A3");
    assert_eq!(game.status(), BLACK);
    play(&mut game, "A5-A4");
    assert_eq!(game.status(), DRAWN);
}

#[test]
fn a_limit_that_the_state_cannot_keep_is_refused() {
    for quiet_limit in [0, MOST_QUIET_PLIES + 1] {
        let variant = Variant {
            quiet_limit,
            ..Variant::default()
        };
        let error = Surakarta::new(&variant).unwrap_err();
        assert!(error.message.contains("between 1 and 100"), "{error}");
        assert!(Surakarta::parse(START, &variant).is_err());
        let json = format!("{{\"quiet-limit\": {quiet_limit}}}");
        assert!(serde_json::from_str::<Variant>(&json).is_err());
    }
}

#[test]
fn a_game_fills_the_longest_history() {
    let variant = Variant {
        quiet_limit: MOST_QUIET_PLIES,
        repetition: Repetition::Third,
    };
    // Loops of 8 and of 7 points: no position comes again within 112 plies.
    let red = [
        "A1-A2", "A2-A3", "A3-B3", "B3-C3", "C3-C2", "C2-C1", "C1-B1", "B1-A1",
    ];
    let black = [
        "D6-E6", "E6-F6", "F6-F5", "F5-F4", "F4-E4", "E4-D5", "D5-D6",
    ];
    let mut game = position_under("3b2/6/6/6/6/r5 r 0", &variant);
    let mut plies = 0;
    while let Status::ToMove(side) = game.status() {
        let moves: &[&str] = if side == Side::First { &red } else { &black };
        play(&mut game, moves[plies / 2 % moves.len()]);
        plies += 1;
    }
    assert_eq!(
        (plies, game.status()),
        (usize::from(MOST_QUIET_PLIES), DRAWN)
    );
}

#[test]
fn going_to_and_fro_ends_the_game_at_the_first_repetition() {
    let mut game = played(START, "A2-A3 A5-A4 A3-A2");
    assert_eq!(game.status(), BLACK);
    play(&mut game, "A4-A5");
    assert_eq!(game.status(), DRAWN);
    assert!(game.repeats());
}

#[test]
fn a_repetition_goes_to_the_side_with_more_stones() {
    let more = played("b5/6/6/6/6/rr4 r 0", "A1-A2 A6-A5 A2-A1 A5-A6");
    assert_eq!(more.status(), won(Side::First));
    let fewer = played("bb4/6/6/6/6/r5 r 0", "A1-A2 A6-A5 A2-A1 A5-A6");
    assert_eq!(fewer.status(), won(Side::Second));
}

#[test]
fn a_position_repeats_after_a_detour_too() {
    // The position after the second ply, reached again six plies later.
    let mut game = played(
        "5b/6/6/6/6/r5 r 0",
        "A1-A2 F6-F5 A2-A3 F5-F4 A3-B2 F4-E5 B2-A2",
    );
    assert_eq!(game.status(), BLACK);
    play(&mut game, "E5-F5");
    assert_eq!(game.status(), DRAWN);
}

#[test]
fn the_same_stones_with_the_other_side_to_move_are_no_repetition() {
    let game = played("5b/6/6/6/6/r5 r 0", "A1-A2 F6-F5 A2-B1 F5-F6 B1-A1");
    assert_eq!(game.text(), "5b/6/6/6/6/r5 b 5");
    assert_eq!(game.status(), BLACK);
    assert!(!game.repeats());
}

#[test]
fn exchanged_stones_of_one_side_are_a_repetition() {
    // A1 and A2 trade places, so the same points are taken.
    let game = played(
        "5b/6/6/6/r5/r5 r 0",
        "A2-B2 F6-F5 A1-A2 F5-F6 B2-A1 F6-F5 A2-B2 F5-F6 A1-B1 F6-E6 B1-A2 E6-F5 B2-A1 F5-F6",
    );
    assert_eq!(game.text(), "5b/6/6/6/r5/r5 r 14");
    assert_eq!(game.status(), won(Side::First));
}

#[test]
fn under_the_option_the_third_occurrence_ends_the_game() {
    let variant = Variant {
        repetition: Repetition::Third,
        ..Variant::default()
    };
    let mut game = position_under(START, &variant);
    play(&mut game, "A2-A3 A5-A4 A3-A2 A4-A5");
    assert_eq!(game.status(), RED);
    assert!(game.repeats());
    play(&mut game, "A2-A3 A5-A4 A3-A2");
    assert_eq!(game.status(), BLACK);
    play(&mut game, "A4-A5");
    assert_eq!(game.status(), DRAWN);
}

#[test]
fn a_capture_clears_the_history() {
    // Without the captures between them, these steps would take each other back.
    let mut game = played(
        "b2b2/6/2b3/2r3/6/r5 r 0",
        "A1-A2 A6-A5 C3xC4 D6xC4 A2-A1 A5-A6",
    );
    assert_eq!((game.status(), game.quiet_plies()), (RED, 2));
    assert!(!game.repeats());
    // The position right after the capture is the first of the new history.
    play(&mut game, "A1-A2");
    assert_eq!(game.status(), BLACK);
    play(&mut game, "A6-A5");
    assert_eq!(game.status(), won(Side::Second));
}

#[test]
fn a_position_read_from_a_text_has_no_history() {
    let text = played(START, "A2-A3 A5-A4 A3-A2").text();
    let mut game = position(&text);
    play(&mut game, "A4-A5");
    assert_eq!((game.status(), game.quiet_plies()), (RED, 4));
}

#[test]
fn a_side_without_a_move_ends_the_game_by_count() {
    let game = position("6/6/6/6/bb4/rb4 r 0");
    assert_eq!(game.status(), won(Side::Second));
    // Black has just closed the corner.
    let game = played("6/6/6/6/1bb3/rb4 b 3", "C2-C1");
    assert_eq!(game.status(), RED);
    let game = played("6/6/6/b5/1b4/rb4 b 3", "A3-A2");
    assert_eq!(game.status(), won(Side::Second));
}

#[test]
fn an_illegal_move_leaves_the_game_as_it_was() {
    let game = played(START, "A2-A3 A5-A4");
    for text in [
        "A3-A4", "A3xA4", "A4-A5", "B1-B2", "C4-C3", "A3-A3", "C2-C4", "B2xB3",
    ] {
        let mut tried = game.clone();
        let error = tried.try_play(game.parse_move(text).unwrap()).unwrap_err();
        assert_eq!(error.text, text);
        assert_eq!(tried, game);
    }
    let mut ended = played(START, "A2-A3 A5-A4 A3-A2 A4-A5");
    let mv = ended.parse_move("A2-A3").unwrap();
    assert!(ended.try_play(mv).is_err());
}

#[test]
fn random_games_have_the_known_length_and_results() {
    // 158 plies, 34.5 / 34.8 / 30.7 % over many games of an independent program.
    const GAMES: u64 = 3000;
    let (mut plies, mut moves, mut ends) = (0, 0, [0.0; 3]);
    along_random_games(GAMES, |game| match game.status() {
        Status::Over(Outcome::Win(side)) => ends[side.index()] += 1.0,
        Status::Over(_) => ends[2] += 1.0,
        _ => {
            plies += 1;
            moves += listed(game).len();
        }
    });
    let near = |found: f64, known: f64, most: f64| {
        assert!((found - known).abs() < most, "{found}, not {known}");
    };
    near(f64::from(plies) / GAMES as f64, 158.0, 5.0);
    near(moves as f64 / f64::from(plies), 26.3, 0.5);
    for (found, known) in ends.into_iter().zip([34.5, 34.8, 30.7]) {
        near(100.0 * found / GAMES as f64, known, 3.5);
    }
}

fn started(start: &Start, game: u64) -> Result<Surakarta, engine::TextError> {
    Surakarta::start(
        &Variant::default(),
        start,
        &mut keyed(1, Purpose::Start, game, 0),
    )
}

#[test]
fn the_usual_start_has_twelve_stones_a_side_and_red_to_move() {
    let game = started(&Start::default(), 0).unwrap();
    assert_eq!(game.text(), START);
    assert_eq!(Side::BOTH.map(|side| game.count(side)), [12, 12]);
}

#[test]
fn a_start_that_cannot_be_had_is_an_error() {
    let from = |position: &str| Start {
        position: Some(position.into()),
    };
    let ended = from("6/6/6/2r3/6/6 r 0");
    assert!(started(&ended, 0).unwrap_err().message.contains("over"));
    let unreadable = from("6/6/6/2x3/6/6 r 0");
    assert_eq!(started(&unreadable, 0).unwrap_err().column, 8);
}

#[test]
fn options_are_read_by_name_and_unknown_ones_refused() {
    let variant: Variant =
        serde_json::from_str(r#"{"quiet-limit": 40, "repetition": "third"}"#).unwrap();
    assert_eq!(
        (variant.quiet_limit, variant.repetition),
        (40, Repetition::Third)
    );
    assert_eq!(
        serde_json::from_str::<Variant>("{}").unwrap(),
        Variant::default()
    );
    assert!(serde_json::from_str::<Variant>(r#"{"quiet_limit": 40}"#).is_err());
    let start: Start = serde_json::from_str(r#"{"position": "6/6/2b3/2r3/6/6 r 0"}"#).unwrap();
    assert_eq!(start.position.as_deref(), Some("6/6/2b3/2r3/6/6 r 0"));
    assert!(serde_json::from_str::<Start>(r#"{"plies": 4}"#).is_err());
    let written = serde_json::to_string(&start).unwrap();
    assert_eq!(serde_json::from_str::<Start>(&written).unwrap(), start);
    let written = serde_json::to_string(&variant).unwrap();
    assert_eq!(written, r#"{"quiet-limit":40,"repetition":"third"}"#);
    assert_eq!(serde_json::from_str::<Variant>(&written).unwrap(), variant);
}
