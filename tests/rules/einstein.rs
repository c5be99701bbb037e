//! EinStein würfelt nicht: the rules E1–E10, its texts and its encoding.

use engine::conformance;
use engine::draws::{Purpose, keyed};
use engine::games::einstein::wtn::Record;
use engine::games::einstein::{Einstein, Rules, Setup};
use engine::perft::{Perft, perft_by_plies};
use engine::{Encode, Game, Outcome, Roll, Side, Status, Symmetry};
use rand::RngExt;
use serde_json::Value as Json;

const GOLDEN: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../tests/data/golden/einstein.jsonl"
);
const PERFT_START: &str = "ABC2/DE3/F3f/3ed/2cba r -";

fn position(text: &str) -> Einstein {
    Einstein::parse(text, &Rules {}).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn legal(text: &str) -> Vec<String> {
    let game = position(text);
    let mut moves = Vec::new();
    game.moves(&mut moves);
    let mut texts: Vec<_> = moves.iter().map(|&mv| game.move_text(mv)).collect();
    texts.sort();
    texts
}

fn after(text: &str, mv: &str) -> Einstein {
    let mut game = position(text);
    let ply = game.parse_move(mv).expect("the move reads");
    game.try_play(ply).expect("the move is legal");
    game
}

fn won(side: Side) -> Status {
    Status::Over(Outcome::Win(side))
}

#[test]
fn golden_positions_have_the_listed_moves() {
    let text = std::fs::read_to_string(GOLDEN).expect("the golden file is there");
    let mut lines = 0;
    for line in text.lines() {
        let entry: Json = serde_json::from_str(line).expect("a line is JSON");
        let at = entry["position"].as_str().expect("a position");
        let mut expected: Vec<String> =
            serde_json::from_value(entry["moves"].clone()).expect("moves");
        expected.sort();
        assert_eq!(legal(at), expected, "{at}");
        lines += 1;
    }
    assert_eq!(lines, 400);
}

#[test]
fn perft_from_the_fixed_set_up() {
    // docs/rules/einstein.md, from an independent program.
    let start = position(PERFT_START);
    let nodes: Vec<_> = (1..=4).map(|depth| start.perft(depth)).collect();
    assert_eq!(nodes, [18, 324, 6_162, 117_369]);
}

#[test]
fn bulk_counting_equals_walking_every_ply() {
    for text in [
        PERFT_START,
        "5/5/1AC2/1b3/3f1 b -",
        "A4/5/2b2/5/F3e r 3",
        "5/5/5/5/5 r setup",
    ] {
        for depth in 0..=3 {
            assert_eq!(
                position(text).perft(depth),
                perft_by_plies(&position(text), depth),
                "{text} at depth {depth}"
            );
        }
    }
}

#[test]
fn random_games_keep_the_contract() {
    for setup in [Setup::Random, Setup::Players] {
        // E6: at most 69 plies, each with its roll, after at most 12 placements.
        let covered = conformance::check::<Einstein>(&Rules {}, &setup, 1, 150, 69 * 2 + 12)
            .unwrap_or_else(|broken| panic!("{broken}"));
        assert_eq!(covered.games, 150);
    }
}

#[test]
fn a_living_rolled_cube_must_move_though_another_could_win_at_once() {
    // Tricky case 1: R5 on D2 could win on E1, but the die shows 3.
    assert_eq!(legal("1a3/5/3C1/3E1/5 r 3"), ["R3-E2", "R3-E3", "R3xD2"]);
}

#[test]
fn taking_the_own_cube_can_be_the_only_move() {
    // Tricky case 2 and R1.
    let at = "1a3/5/4C/4E/5 r 3";
    assert_eq!(legal(at), ["R3xE2"]);
    let mut game = after(at, "R3xE2");
    assert_eq!(game.alive(Side::First).count_ones(), 1);
    assert_eq!(game.status(), Status::Rolling);
    for face in 0..6 {
        game = position(&format!("1a3/5/5/4C/5 r {}", face + 1));
        let mut moves = Vec::new();
        game.moves(&mut moves);
        assert_eq!(
            game.move_text(moves[0]),
            "R3-E1",
            "any die moves the last cube"
        );
    }
}

#[test]
fn entering_the_goal_wins_also_by_capture() {
    // Tricky case 3.
    assert_eq!(
        after("1a3/5/5/3C1/4f r 3", "R3xE1").status(),
        won(Side::First)
    );
    assert_eq!(
        after("F4/1b3/5/5/1A3 b 2", "B2xA5").status(),
        won(Side::Second)
    );
}

#[test]
fn taking_the_last_enemy_cube_ends_the_game_in_mid_board() {
    // Tricky case 4.
    let game = after("5/1A3/2f2/5/5 r 1", "R1xC3");
    assert_eq!(game.status(), won(Side::First));
    assert!(game.rolls().is_empty());
}

#[test]
fn a_dead_number_moves_its_living_neighbours_without_wrapping() {
    // The examples of E4 and R1.
    let movers = |row: &str, die: u8| {
        let mut cubes: Vec<_> = legal(&format!("5/5/{row}/5/f4 r {die}"))
            .iter()
            .map(|mv| mv.as_bytes()[1] - b'0')
            .collect();
        cubes.dedup();
        cubes
    };
    assert_eq!(movers("ABE2", 4), [2, 5]);
    assert_eq!(movers("DEF2", 1), [4]);
    assert_eq!(movers("AEF2", 3), [1, 5]);
    assert_eq!(movers("BE3", 4), [2, 5]);
    assert_eq!(movers("BE3", 6), [5]);
    assert_eq!(movers("BE3", 1), [2]);
    assert_eq!(movers("ABE2", 2), [2]);
}

#[test]
fn edges_take_directions_away_and_nothing_wraps() {
    assert_eq!(legal("5/4A/5/f4/5 r 1"), ["R1-E3"]);
    assert_eq!(legal("5/5/5/f4/1A3 r 1"), ["R1-C1"]);
    assert_eq!(legal("5/5/f4/5/3A1 b 6"), ["B6-A4"]);
    assert_eq!(legal("3f1/5/4A/5/5 b 6"), ["B6-C5"]);
}

#[test]
fn a_game_of_random_play_matches_the_published_averages() {
    // E-page: 21.6 plies, 3.11 moves a roll, the first player wins 53.3 %.
    let (mut plies, mut choices, mut first_wins) = (0_u64, 0_u64, 0_u64);
    const GAMES: u64 = 20_000;
    let mut moves = Vec::new();
    for number in 0..GAMES {
        let mut draws = keyed(7, Purpose::Start, number, 0);
        let mut game = Einstein::start(&Rules {}, &Setup::Random, &mut draws).expect("a start");
        loop {
            match game.status() {
                Status::Rolling => game.settle(Roll(draws.random_range(0..6))),
                Status::Over(outcome) => {
                    first_wins += u64::from(outcome == Outcome::Win(Side::First));
                    break;
                }
                Status::ToMove(_) => {
                    game.moves(&mut moves);
                    plies += 1;
                    choices += moves.len() as u64;
                    game.play(moves[draws.random_range(0..moves.len())]);
                }
            }
        }
    }
    let plies_a_game = plies as f64 / GAMES as f64;
    assert!(
        (plies_a_game - 21.6).abs() < 0.15,
        "{plies_a_game} plies a game"
    );
    let choices = choices as f64 / plies as f64;
    assert!((choices - 3.11).abs() < 0.02, "{choices} moves a roll");
    let share = first_wins as f64 / GAMES as f64;
    assert!(
        (share - 0.533).abs() < 0.012,
        "the first player won {share}"
    );
}

#[test]
fn players_place_six_cubes_each_and_red_begins() {
    // E2, set-up `players`.
    let mut game = position("5/5/5/5/5 r setup");
    let mut moves = Vec::new();
    for ply in 0..12 {
        game.moves(&mut moves);
        assert_eq!(moves.len(), 6 - ply % 6);
        game.play(moves[0]);
    }
    assert_eq!(game.text(), "ABC2/DE3/F3f/3ed/2cba r -");
}

#[test]
fn symmetries_other_than_e9_are_not_claimed() {
    // The mirrored board of a known position: reflection in the diagonal from A5 to E1.
    let game = position("1CB2/AD3/E1d1a/4c/2bfe r 6");
    assert_eq!(game.map(Symmetry(1)).text(), "1AE2/CD3/B1d1b/4f/2ace r 6");
    // Red's numbers reversed together with Red's roll.
    assert_eq!(game.map(Symmetry(2)).text(), "1DE2/FC3/B1d1a/4c/2bfe r 1");
    // Blue's numbers reversed; the roll is Red's and stays.
    assert_eq!(game.map(Symmetry(4)).text(), "1CB2/AD3/E1c1f/4d/2eab r 6");
    // The sides exchanged.
    assert_eq!(game.map(Symmetry(8)).text(), "EFB2/C4/A1D1e/3da/2bc1 b 6");
}

#[test]
fn impossible_positions_are_refused_with_their_place() {
    for (text, part) in [
        ("5/5/5/5 r -", "4 rows"),
        ("6/5/5/5/5 r -", "more than 5"),
        ("AA3/5/5/5/a4 r -", "twice"),
        ("G4/5/5/5/a4 r -", "no cube"),
        ("5/5/5/5/5 r -", "both sides have won"),
        ("b4/5/5/5/4A r -", "both sides have won"),
        ("B4/5/5/5/1b2A b 3", "over"),
        ("A4/5/5/5/a4 x -", "'x'"),
        ("A4/5/5/5/a4 r 7", "'7'"),
        ("A4/5/5/5/a4 r", "fields"),
        ("A4/5/5/5/a4 r setup", "home zones"),
        ("B4/5/5/5/5 r setup", "order of their numbers"),
        ("A04/5/5/5/a4 r -", "run"),
        ("", "fields"),
    ] {
        let error = Einstein::parse(text, &Rules {})
            .expect_err(text)
            .to_string();
        assert!(error.contains(part), "{text}: {error}");
        assert!(error.starts_with("line 1, column "), "{error}");
    }
    let error = Einstein::parse("ABC2/DE3/F3f/3eg/2cba r -", &Rules {}).expect_err("a bad letter");
    assert_eq!((error.line, error.column), (1, 16));
}

#[test]
fn a_capture_must_be_marked_as_one() {
    let game = position("5/1A3/2f2/5/5 r 1");
    assert!(game.parse_move("R1-C3").is_err());
    assert!(game.parse_move("R1xB3").is_err());
    assert!(game.parse_move("B1xC3").is_err());
    assert!(game.parse_move("R1xC3").is_ok());
}

#[test]
fn an_illegal_move_leaves_the_board_as_it_was() {
    let mut game = position("ABC2/DE3/F3f/3ed/2cba r 2");
    let before = game;
    let ply = game.parse_move("R6-B3").expect("the move reads");
    assert!(game.try_play(ply).is_err());
    assert_eq!(game, before);
}

const WTN: &str = "#[Alpha][Beta][first won][2014.8.1 Beijing][2014 CCGC];
R:A5-1;B5-2;C5-3;A4-4;B4-5;A3-6
B:E1-1;D1-2;C1-3;E2-4;D2-5;E3-6
1:5;(R5,C3)
2:6;(B6,D4)
3:3;(R3,D4)
4:6;(B5,C3)
";

#[test]
fn a_wtn_record_round_trips_and_plays_through() {
    let record = Record::read(WTN).expect("the record reads");
    assert_eq!(record.write(), WTN);
    assert_eq!(record.header[1], "Beta");
    assert_eq!(
        record.start.text(),
        "ABC2/D4/F3f/3ed/2cba r -".replace("D4", "DE3")
    );
    assert_eq!(record.end().text(), "AB3/D2C1/F1e2/4d/2cba r -");
}

#[test]
fn a_wrong_wtn_record_names_line_and_column() {
    for (from, to, line, column) in [
        ("(R5,C3)", "(R5,C4x)", 4, 9),
        ("(R5,C3)", "(R5,D3)", 4, 6),
        ("2:6;(B6,D4)", "2:6;(R6,D4)", 5, 6),
        ("2:6;", "3:6;", 5, 1),
        ("3:3;", "3:7;", 6, 3),
        ("B:E1-1;", "B:E1-2;", 3, 8),
        ("B4-5", "E4-5", 2, 23),
        ("[Alpha]", "(Alpha)", 1, 1),
    ] {
        let error = Record::read(&WTN.replace(from, to)).expect_err(to);
        assert_eq!((error.line, error.column), (line, column), "{to}: {error}");
    }
}
