//! How games end: repetition, quiet turns, the cap, too few stones.

use engine::games::jiu::{Due, Jiu, Start, Variant};
use engine::{Encode, Game, Outcome, Side, Status};

use rand::RngExt;

use super::boards::{play, text};

const OPEN: &str = "
    w . . . . w
    . . . . . .
    . . b . . .
    . . . . . .
    w . b . b w
    . . b . b .";

fn open(variant: Variant) -> Jiu {
    Jiu::parse(&text(6, 'w', "battle", OPEN), &variant).unwrap()
}

#[test]
fn the_third_occurrence_of_a_position_is_a_draw() {
    let mut game = open(Variant::sized(6));
    let there_and_back = ["A6-A5", "C4-C5", "A5-A6", "C5-C4"];
    play(&mut game, &there_and_back);
    assert_eq!(game.occurrences(), 2);
    play(&mut game, &there_and_back[..3]);
    assert_eq!(game.status(), Status::ToMove(Side::Second));
    play(&mut game, &there_and_back[3..]);
    assert_eq!(game.status(), Status::Over(Outcome::Draw));
}

#[test]
fn the_three_occurrences_need_not_follow_each_other() {
    let mut game = open(Variant::sized(6));
    play(&mut game, &["A6-A5", "C4-C5", "A5-A6", "C5-C4"]);
    play(
        &mut game,
        &["F6-F5", "C4-C5", "A6-A5", "C5-C4", "F5-F6", "C4-C5"],
    );
    assert_eq!(game.status(), Status::ToMove(Side::First));
    // White's stone on A5 goes back by way of another point, so that the same side is to move again.
    play(&mut game, &["A5-A6", "C5-C4"]);
    assert_eq!(game.status(), Status::Over(Outcome::Draw));
}

#[test]
fn the_same_stones_with_the_other_side_to_move_are_another_position() {
    let mut game = open(Variant::sized(6));
    play(&mut game, &["A6-A5", "C4-D4", "A5-B6", "D4-C4", "B6-A6"]);
    assert_eq!(game.text().split(' ').nth(1), Some("b"));
    assert_eq!(game.occurrences(), 1);
}

#[test]
fn two_stones_of_one_side_that_change_places_give_the_same_position() {
    let mut game = open(Variant::sized(6));
    // A6 and F6 change places by way of D5 while Black's C4 goes round.
    play(
        &mut game,
        &["A6-D5", "C4-C5", "F6-A6", "C5-C4", "D5-F6", "C4-C5"],
    );
    play(&mut game, &["A6-A5", "C5-C4", "A5-A6", "C4-C5"]);
    assert_eq!(game.occurrences(), 2);
}

#[test]
fn a_capture_forgets_the_positions_before_it() {
    let mut game = open(Variant::sized(6));
    play(&mut game, &["A6-A5", "C4-C5", "A5-A6", "C5-C4"]);
    assert_eq!((game.occurrences(), game.quiet_turns()), (2, 4));
    play(&mut game, &["F2xD2"]);
    assert_eq!((game.occurrences(), game.quiet_turns()), (1, 0));
}

#[test]
fn repetition_is_seen_through_a_symmetry_taken_in_between() {
    let mut game = open(Variant::sized(6));
    let turns = [
        "A6-A5", "C4-C5", "A5-A6", "C5-C4", "A6-A5", "C4-C5", "A5-A6",
    ];
    play(&mut game, &turns);
    for &symmetry in game.symmetries() {
        let mut mapped = game.map(symmetry);
        for ply in game.turn_plies("C5-C4").unwrap() {
            mapped.try_play(game.map_move(symmetry, ply)).unwrap();
        }
        assert_eq!(mapped.status(), Status::Over(Outcome::Draw), "{symmetry:?}");
    }
}

#[test]
fn quiet_turns_up_to_the_limit_are_a_draw_and_a_flight_counts_once() {
    let mut game = open(Variant {
        quiet_limit: Some(5),
        ..Variant::sized(6)
    });
    play(&mut game, &["A6-D5", "C4-B4", "D5-E6", "B4-C4"]);
    assert_eq!(game.quiet_turns(), 4);
    assert_eq!(game.status(), Status::ToMove(Side::First));
    play(&mut game, &["E6-A5"]);
    assert_eq!(game.status(), Status::Over(Outcome::Draw));
}

#[test]
fn the_ply_cap_cuts_a_game_off_at_the_end_of_a_turn() {
    let mut game = open(Variant {
        ply_cap: Some(3),
        ..Variant::sized(6)
    });
    play(&mut game, &["A6-D5"]);
    assert_eq!((game.plies(), game.due()), (2, Due::Turn));
    let lift = game.parse_move("C4^").unwrap();
    game.try_play(lift).unwrap();
    assert_eq!(game.plies(), 3);
    assert_eq!(
        game.status(),
        Status::ToMove(Side::Second),
        "the turn goes on"
    );
    let drop = game.parse_move("-B4").unwrap();
    game.try_play(drop).unwrap();
    assert_eq!(game.status(), Status::Over(Outcome::Truncated));
}

#[test]
fn the_ply_cap_holds_in_the_layout_too() {
    let mut game = Jiu::empty(&Variant {
        ply_cap: Some(3),
        ..Variant::sized(6)
    })
    .unwrap();
    play(&mut game, &["C3", "D4", "A1"]);
    assert_eq!(game.status(), Status::Over(Outcome::Truncated));
}

#[test]
fn a_loss_comes_before_a_draw_and_a_draw_before_the_cap() {
    let variant = Variant {
        quiet_limit: Some(1),
        ply_cap: Some(1),
        ..Variant::sized(6)
    };
    let mut game = open(variant);
    play(&mut game, &["A6-A5"]);
    assert_eq!(game.status(), Status::Over(Outcome::Draw));
    let mut game = Jiu::parse("2w3/6/w1w3/w2b1b/6/4b1 w battle", &variant)
        .map(|_| ())
        .err();
    assert!(
        game.take().is_some(),
        "three stones are a lost game for the side to move only"
    );
}

#[test]
fn the_limits_depend_on_the_board_size_unless_they_are_given() {
    let limits = |variant: Variant| (variant.quiet_turns(), variant.most_plies());
    assert_eq!(limits(Variant::default()), (100, 2000));
    assert_eq!(limits(Variant::sized(8)), (60, 600));
    let given = Variant {
        quiet_limit: Some(7),
        ply_cap: Some(70),
        ..Variant::default()
    };
    assert_eq!(limits(given), (7, 70));
}

#[test]
fn options_outside_their_ranges_are_refused() {
    let mut draws = engine::draws::keyed(0, engine::draws::Purpose::Start, 0, 0);
    let mut refused = |variant: Variant| Jiu::start(&variant, &Start::Empty, &mut draws).is_err();
    assert!(
        [0, 4, 5, 7, 13, 16, 255]
            .into_iter()
            .all(|size| refused(Variant::sized(size)))
    );
    for limit in [0, 201] {
        assert!(refused(Variant {
            quiet_limit: Some(limit),
            ..Variant::default()
        }));
    }
    assert!(refused(Variant {
        ply_cap: Some(0),
        ..Variant::default()
    }));
}

#[test]
fn unknown_options_are_refused() {
    let read = |text: &str| serde_json::from_str::<Variant>(text);
    assert_eq!(read(r#"{"size":8}"#).unwrap(), Variant::sized(8));
    assert!(read(r#"{"sise":8}"#).is_err());
    let start = |text: &str| serde_json::from_str::<Start>(text).unwrap();
    assert_eq!(start(r#""empty""#), Start::Empty);
    assert_eq!(start(r#""random-layout""#), Start::RandomLayout);
    assert_eq!(start(r#"{"position":"x"}"#), Start::Position("x".into()));
}

#[test]
fn occurrences_agree_with_a_list_of_all_positions_since_the_last_capture() {
    let variant = Variant {
        quiet_limit: Some(200),
        ..Variant::sized(6)
    };
    let mut draws = engine::draws::keyed(6, engine::draws::Purpose::Choice, 0, 0);
    let (mut repeated, mut drawn) = (0, 0);
    let mut legal = Vec::new();
    for _ in 0..100 {
        let mut game = Jiu::start(&variant, &Start::RandomLayout, &mut draws).unwrap();
        let mut stood = vec![game.text()];
        // The step back for each side's last step; taken more often than not, so that positions recur.
        let mut back = [None; 2];
        while let Status::ToMove(side) = game.status() {
            game.moves(&mut legal);
            let mut ply = legal[draws.random_range(0..legal.len())];
            let retreat = back[side.index()].filter(|_| draws.random_bool(0.7));
            if let Some(retreat) = retreat.filter(|retreat| legal.contains(retreat)) {
                ply = retreat;
            }
            if let Some((from, to)) = game.move_text(ply).split_once('-') {
                back[side.index()] = game.parse_move(&format!("{to}-{from}")).ok();
            }
            game.play(ply);
            if game.in_mid_turn() {
                continue;
            }
            if game.quiet_turns() == 0 {
                stood.clear();
            }
            stood.push(game.text());
            let same = stood.iter().filter(|text| **text == game.text()).count();
            assert_eq!(usize::from(game.occurrences()), same, "{}", game.text());
            repeated += u32::from(same == 2);
            drawn += u32::from(game.status() == Status::Over(Outcome::Draw));
            assert!(same < 3 || matches!(game.status(), Status::Over(_)));
        }
    }
    assert!(
        repeated > 100 && drawn > 10,
        "{repeated} repeated, {drawn} drawn"
    );
}
