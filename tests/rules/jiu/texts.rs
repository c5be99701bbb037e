//! Position texts and ply texts.

use engine::games::jiu::{Due, Jiu, Move, Start, Variant};
use engine::{Game, Status};
use rand::RngExt;

use super::boards::text;
use super::random_games;

fn error(text: &str) -> String {
    Jiu::parse(text, &Variant::default())
        .unwrap_err()
        .to_string()
}

#[test]
fn every_position_of_random_games_comes_back_from_its_text() {
    for size in [6, 8, 10, 12] {
        random_games(&Variant::sized(size), &Start::Empty, 2, |game| {
            let read = Jiu::parse(&game.text(), &Variant::default()).unwrap();
            assert_eq!((read.text(), read.key()), (game.text(), game.key()));
            if game.in_mid_turn() {
                assert_eq!(read.due(), game.due());
                assert_eq!(read.count(game.side()), game.count(game.side()));
            }
            if let (Status::ToMove(_), Status::ToMove(_)) = (read.status(), game.status()) {
                assert_eq!(read.paths(), game.paths());
            }
        });
    }
}

#[test]
fn the_board_size_is_read_from_the_text() {
    let game = Jiu::parse("8/8/8/8/8/8/8/8 w layout", &Variant::sized(14)).unwrap();
    assert_eq!(game.size(), 8);
    assert_eq!(game.variant().size, 8);
}

#[test]
fn a_start_of_another_size_is_refused() {
    let mut draws = engine::draws::keyed(0, engine::draws::Purpose::Start, 0, 0);
    let start = Start::Position("8/8/8/8/8/8/8/8 w layout".into());
    assert!(Jiu::start(&Variant::sized(14), &start, &mut draws).is_err());
    assert!(Jiu::start(&Variant::sized(8), &start, &mut draws).is_ok());
}

#[test]
fn boards_of_sizes_that_are_not_played_are_refused() {
    assert!(error("7/7/7/7/7/7/7 w layout").contains("a board of size 7 is not one of"));
    assert!(error("4/4/4/4 w layout").contains("size 4"));
    let rows = vec!["16"; 16].join("/");
    assert!(error(&format!("{rows} w layout")).contains("size 16"));
}

#[test]
fn errors_name_the_column() {
    assert_eq!(
        error("6/6/2x3/6/6/6 w layout"),
        "line 1, column 6: 'x' is not a stone; stones are b and w"
    );
    assert_eq!(
        error("6/6/6/6/6/6 r layout"),
        "line 1, column 13: the side 'r' is not b or w"
    );
    assert_eq!(
        error("6/6/6/6/6/6 w opening"),
        "line 1, column 15: the phase 'opening' is not layout or battle"
    );
}

#[test]
fn impossible_layouts_are_refused() {
    assert!(error("6/6/6/6/6/6 b layout").contains("White places next"));
    assert!(error("6/6/6/2w3/6/6 w layout").contains("Black places next"));
    assert!(error("6/6/6/w5/6/6 b layout").contains("on the centre"));
    assert!(error("6/6/3w2/2w3/6/b4b w layout").contains("on the centre"));
    assert!(error("6/6/3b2/2w3/6/ww4 w layout").contains("cannot have 3 white and 1 black"));
    let full = "wbwbwb/bwbwbw/wbwbwb/bwbwbw/wbwbwb/bwbwbw w layout";
    assert!(error(full).contains("ends when the board is full"));
}

#[test]
fn impossible_battles_are_refused() {
    assert!(error("bbbbbb/bbbbbb/bbbbbb/6/6/wwww2 b battle").contains("cannot have had 18"));
    assert!(error("6/6/bbbb2/6/6/www3 b battle").contains("has won and is not to move"));
    assert!(error("6/6/bbb3/6/6/www3 w battle").contains("has won and is not to move"));
    assert!(error("6/6/6/6/6/6 b battle").contains("has won and is not to move"));
}

#[test]
fn impossible_turns_in_progress_are_refused() {
    let board = "w4w/3w2/2b3/6/w1b1bw/2b1b1";
    for (rest, complaint) in [
        ("b battle drop C4", "left C4 empty"),
        ("b battle drop C9", "lies off the 6×6 board"),
        ("b battle drop c5", "is written C5"),
        ("b battle take 1", "no stone lies in 1 squares"),
        ("b battle take 0", "is not a number from 1"),
        ("b battle hop D4 1 B4", "has no stone on D4"),
        ("b battle hop C4 1 C6", "cannot go on"),
        ("b battle hop C4 2 C6", "no chain of 2 leads"),
        ("b battle hop C4 1 C5", "no chain of 1 leads"),
        ("b battle hop C4 2 C4", "no chain of 2 leads"),
        ("b layout take 1", "White places next"),
        ("b battle hop C4", "needs 7 fields"),
        ("b battle run C4", "needs 3 fields"),
    ] {
        let found = error(&format!("{board} {rest}"));
        assert!(found.contains(complaint), "{rest}: {found}");
    }
    assert!(error("6/6/6/2w3/6/6 b layout take 1").contains("in the battle only"));
    assert!(error("bbbbbb/6/w4w/6/bbbbbb/w1w1w1 b battle drop A3").contains("has too many"));
}

#[test]
fn a_chain_in_progress_reads_back() {
    let game = Jiu::parse(
        "w4w/2w3/2b3/6/w1b1bw/2b1b1 b battle hop C4 1 A4",
        &Variant::default(),
    );
    let game = game.unwrap();
    assert!(matches!(game.due(), Due::Hop { jumped: 1, .. }));
    assert_eq!(super::boards::plies(&game), ["C4xC6", "stop"]);
}

#[test]
fn ply_texts_read_back_and_malformed_ones_are_refused() {
    let game = Jiu::empty(&Variant::sized(8)).unwrap();
    for good in ["G7", "C3-D3", "C3xC5", "C3xA3", "stop", "+A1", "C3^", "-D7"] {
        assert_eq!(game.move_text(game.parse_move(good).unwrap()), good);
    }
    for bad in [
        "", "I1", "A9", "C3-E3", "C3-D4", "C3xD3", "C3xE5", "C3-", "x", "+", "^", "C3xC5xE5",
        "STOP",
    ] {
        assert!(game.parse_move(bad).is_err(), "{bad}");
    }
    assert_eq!(game.parse_move("stop"), Ok(Move::Stop));
}

#[test]
fn an_illegal_ply_leaves_the_position_as_it_was() {
    let mut game = Jiu::empty(&Variant::sized(8)).unwrap();
    let before = game;
    for bad in ["A1", "stop", "+A1", "D4-D5", "-D4"] {
        let ply = game.parse_move(bad).unwrap();
        assert!(game.try_play(ply).is_err());
        assert_eq!(game, before);
    }
}

#[test]
fn the_drawing_shows_rows_from_the_top_and_the_side_to_play() {
    let layout = text(
        6,
        'b',
        "layout",
        "\n......\n......\n......\n..w...\n......\n......",
    );
    let drawing = Jiu::parse(&layout, &Variant::default()).unwrap().draw();
    assert!(drawing.starts_with(" 6 . . . . . .\n"));
    assert!(drawing.contains(" 3 . . w . . .\n"));
    assert!(drawing.contains("   A B C D E F\nBlack to play"));
}

#[test]
fn a_damaged_text_is_an_error_or_a_position_that_plays() {
    let mut texts = Vec::new();
    random_games(&Variant::sized(6), &Start::Empty, 3, |game| {
        texts.push(game.text())
    });
    let mut draws = engine::draws::keyed(2, engine::draws::Purpose::Choice, 0, 0);
    let alphabet: Vec<char> = "bw/0123456789 ABCFhop take drop layout battle -x+é"
        .chars()
        .collect();
    let (mut read, mut refused) = (0, 0);
    for text in texts.iter().cycle().take(20_000) {
        let mut letters: Vec<char> = text.chars().collect();
        for _ in 0..draws.random_range(1..4) {
            let at = draws.random_range(0..letters.len());
            let letter = alphabet[draws.random_range(0..alphabet.len())];
            match draws.random_range(0..3) {
                0 => letters[at] = letter,
                1 => letters.insert(at, letter),
                _ => drop(letters.remove(at)),
            }
        }
        let damaged: String = letters.into_iter().collect();
        let Ok(game) = Jiu::parse(&damaged, &Variant::default()) else {
            refused += 1;
            continue;
        };
        read += 1;
        let mut legal = Vec::new();
        game.moves(&mut legal);
        assert_eq!(
            legal.is_empty(),
            matches!(game.status(), Status::Over(_)),
            "{damaged}"
        );
        for ply in legal {
            let mut next = game;
            next.play(ply);
            let again = Jiu::parse(&next.text(), &Variant::default());
            assert_eq!(
                again.map(|again| again.key()),
                Ok(next.key()),
                "{damaged}: {ply:?}"
            );
        }
    }
    assert!(
        read > 100 && refused > 100,
        "{read} read, {refused} refused"
    );
}
