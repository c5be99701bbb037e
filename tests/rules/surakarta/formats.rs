//! S10 and N.5: exit points, game records and the seed arrays.

use engine::games::surakarta::{Arrays, read_record, write_record};

use super::*;

fn exits(text: &str, mv: &str) -> Option<Vec<String>> {
    let game = position(text);
    let route = game.exits(game.parse_move(mv).unwrap())?;
    Some(route.exits().iter().map(|exit| exit.name()).collect())
}

fn named(names: &[&str]) -> Option<Vec<String>> {
    Some(names.iter().map(|name| (*name).to_owned()).collect())
}

#[test]
fn exit_points_are_where_the_stone_leaves_the_grid() {
    assert_eq!(exits("6/6/6/6/b5/1r4 r 0", "B1xA2"), named(&["B1"]));
    assert_eq!(exits("6/6/6/6/rb4/6 r 0", "A2xB2"), named(&["A2"]));
    assert_eq!(exits("3b2/6/2r3/6/6/6 r 0", "C4xD6"), named(&["F4"]));
    // E4 bars the short way.
    assert_eq!(
        exits("3b2/6/2r1r1/6/6/6 r 0", "C4xD6"),
        named(&["C1", "F3"]),
        "down column C, along row 3, up column D"
    );
}

#[test]
fn the_route_with_the_fewest_arcs_is_shown() {
    assert_eq!(exits("6/4b1/6/6/2r3/6 r 0", "C2xE5"), named(&["F2"]));
    assert_eq!(exits("6/4b1/6/6/2rr2/6 r 0", "C2xE5"), named(&["A2", "B6"]));
}

#[test]
fn of_equal_routes_left_comes_before_right_before_down_before_up() {
    // Left or right, over two arcs each.
    assert_eq!(exits("6/6/b5/1r4/6/6 r 0", "B3xA4"), named(&["A3", "C6"]));
    // B2 bars the way left, so right, down or up.
    assert_eq!(exits("6/3b2/6/6/1rr3/6 r 0", "C2xD5"), named(&["F2", "E6"]));
    // Down or up.
    assert_eq!(exits("3b2/6/6/6/6/2r3 r 0", "C1xD6"), named(&["C1", "F3"]));
}

#[test]
fn only_possible_captures_have_exit_points() {
    assert_eq!(exits(START, "A2-A3"), None);
    assert_eq!(exits(START, "A2xA5"), None);
    assert_eq!(exits(START, "A2xB2"), None);
    assert_eq!(exits("6/6/6/6/r4b/1r4 r 0", "A2xF2"), None);
    assert_eq!(exits("6/6/6/6/r4b/1r4 r 0", "C3xF2"), None);
}

#[test]
fn a_record_groups_moves_by_rounds() {
    let first = position(START);
    let text = "1. (C2 C3 0) (B5 B4 0)\n2. (C3 D4 0) (B4 C3 0)\n3. (D2 C2 0)\n";
    let moves = read_record(&first, text).unwrap();
    assert_eq!(moves.len(), 5);
    assert_eq!(write_record(&first, &moves).unwrap(), text);
    assert_eq!(read_record(&first, ""), Ok(Vec::new()));
    assert_eq!(write_record(&first, &[]).unwrap(), "");
}

#[test]
fn random_games_come_back_from_their_records() {
    for number in 0..20 {
        let mut draws = keyed(3, Purpose::Choice, number, 0);
        let first = position(if number % 2 == 0 {
            START
        } else {
            "bb2bb/bb2rb/bbrb1b/r2r2/1rrr2/rr3r b 3"
        });
        let (mut game, mut moves) = (first.clone(), Vec::new());
        while let Status::ToMove(_) = game.status() {
            let legal = listed(&game);
            moves.push(legal[draws.random_range(0..legal.len())]);
            game.play(moves[moves.len() - 1]);
        }
        let text = write_record(&first, &moves).unwrap();
        assert_eq!(read_record(&first, &text).as_ref(), Ok(&moves));
        let rounds = (moves.len() + number as usize % 2).div_ceil(2);
        assert_eq!(text.lines().count(), rounds);
    }
}

#[test]
fn where_black_begins_reds_first_move_is_missing() {
    let first = position("6/6/2b3/2r3/6/r5 b 0");
    let text = "1. ... (C4 C5 0)\n2. (A1 A2 0) (C5 C4 0)\n";
    let moves = read_record(&first, text).unwrap();
    assert_eq!(write_record(&first, &moves).unwrap(), text);
    let error = read_record(&first, "1. (A1 A2 0)").unwrap_err();
    assert_eq!((error.line, error.column), (1, 4), "{error}");
}

#[test]
fn exit_points_may_be_missing_or_those_of_another_route() {
    let first = position("b5/6/2b3/2r3/6/r5 r 0");
    let written = "1. (C3 C4 1)(A3) (A6 A5 0)\n";
    let moves = read_record(&first, written).unwrap();
    assert_eq!(write_record(&first, &moves).unwrap(), written);
    for text in [
        "1. (C3 C4 1) (A6 A5 0)",
        "1.(C3 C4 1)()(A6 A5 0)()",
        "1.\n(c3 c4 1)\n\t(a3)\n\n(A6 A5 0)\n",
        "1. (C3 C4 1)(F3 D6)(A6 A5 0)",
    ] {
        assert_eq!(read_record(&first, text).as_ref(), Ok(&moves), "{text}");
    }
}

#[test]
fn a_record_that_cannot_be_is_refused_with_line_and_column() {
    let first = position(START);
    for (text, line, column, message) in [
        ("2. (C2 C3 0)", 1, 1, "1."),
        ("(C2 C3 0)", 1, 1, "1."),
        ("1. C2 C3 0", 1, 4, "(C2 C3 0)"),
        ("1. (C2 C3)", 1, 10, "S"),
        ("1. (C2 C3 2)", 1, 11, "'2'"),
        ("1. (C2 C3 0", 1, 12, "ends"),
        ("1. (C2", 1, 7, "a square"),
        ("1. (C2 C3 0 0)", 1, 13, "')'"),
        ("1. (C2 G3 0)", 1, 8, "off the"),
        ("1. (C2 C4 0)", 1, 4, "not a legal move"),
        ("1. (C2 C3 1)", 1, 4, "not a legal move"),
        ("1. (C2 C3 0)(A3)", 1, 13, "no route"),
        ("1. (C2 C3 0)\n(B5 B4 0) (C3 C4 0)", 2, 11, "2."),
        ("1. (C2 C3 0) (B5 B4 0)\n2. (C3 C5 0)", 2, 4, "not a legal"),
        (
            "1. (A2 A3 0) (A5 A4 0)\n2. (A3 A2 0) (A4 A5 0)\n3. (A2 A3 0)",
            3,
            4,
            "over",
        ),
    ] {
        let error = read_record(&first, text).unwrap_err();
        let shown = format!("{text}: {error}");
        assert_eq!((error.line, error.column), (line, column), "{shown}");
        assert!(error.message.contains(message), "{shown}");
    }
    let moves = [Move::step(square("C2"), square("C4"))];
    assert_eq!(write_record(&first, &moves).unwrap_err().text, "C2-C4");
}

#[test]
fn the_start_position_has_the_seed_arrays() {
    let arrays = Arrays::of(&position(START));
    let (board, ids, pieces) = (arrays.board(), arrays.id_board(), arrays.pieces());
    for cell in 0..36 {
        let (stone, id) = match cell {
            0..12 => (-1, cell + 1),
            12..24 => (0, 0),
            _ => (1, cell - 11),
        };
        assert_eq!((board[cell], usize::from(ids[cell])), (stone, id));
        if id > 0 {
            assert_eq!(pieces[id - 1], Some(cell as u8));
        }
    }
}

#[test]
fn pieces_keep_their_numbers_along_a_game() {
    let mut draws = keyed(5, Purpose::Choice, 0, 0);
    let mut game = position(START);
    let mut arrays = Arrays::of(&game);
    while let Status::ToMove(_) = game.status() {
        let moves = listed(&game);
        let mv = moves[draws.random_range(0..moves.len())];
        arrays.play(mv);
        game.play(mv);
        assert_eq!(arrays.board(), Arrays::of(&game).board());
        let left = arrays.pieces().iter().flatten().count() as u32;
        assert_eq!(left, game.count(Side::First) + game.count(Side::Second));
        assert_eq!(Arrays::parse(&arrays.text()).as_ref(), Ok(&arrays));
        if let Status::ToMove(side) = game.status() {
            let back = arrays.position(side, game.quiet_plies(), game.variant());
            assert_eq!(back.unwrap().text(), game.text());
        }
    }
    let start = position(START);
    let mut arrays = Arrays::of(&start);
    arrays.play(start.parse_move("A2-A3").unwrap());
    assert_eq!(arrays.id_board()[18], 13);
    assert_eq!(arrays.pieces()[12], Some(18));
}

#[test]
fn the_arrays_of_a_position_number_what_is_left() {
    let arrays = Arrays::of(&position("6/6/2b3/2r3/6/r5 r 0"));
    assert_eq!(arrays.pieces()[0], Some(14));
    assert_eq!(arrays.pieces()[12..14], [Some(20), Some(30)]);
    assert_eq!(arrays.pieces().iter().flatten().count(), 3);
}

#[test]
fn arrays_that_contradict_each_other_are_refused_with_line_and_column() {
    let good = Arrays::of(&position("6/6/2b3/2r3/6/r5 r 0")).text();
    assert!(Arrays::parse(&good).is_ok());
    let edit = |from: &str, to: &str| good.replacen(from, to, 1);
    for (text, line, column) in [
        ("".to_owned(), 1, 1),
        (edit("Pieces[24]", "Pieces"), 3, 1),
        (format!("{good}Board[36]=0\n"), 4, 1),
        (edit("Board[36]=0", "Board[36]=1"), 1, 11),
        (edit("Board[36]=0", "Board[36]=2"), 1, 11),
        (edit("IDBoard[36]=0", "IDBoard[36]=x"), 2, 13),
        (edit("IDBoard[36]=0,0", "IDBoard[36]=0,13"), 2, 54),
        (edit("IDBoard[36]=0", "IDBoard[36]=24"), 1, 11),
        (edit("Pieces[24]=14", "Pieces[24]=15"), 3, 12),
        (edit("Pieces[24]=14", "Pieces[24]=-1"), 3, 12),
        (edit("Pieces[24]=14", "Pieces[24]=36"), 3, 12),
        (edit("Pieces[24]=14,", "Pieces[24]="), 3, 1),
    ] {
        let error = Arrays::parse(&text).unwrap_err();
        assert_eq!(
            (error.line, error.column),
            (line, column),
            "{error}\n{text}"
        );
    }
}

#[test]
fn arrays_without_stones_are_no_position() {
    let empty = "Board[36]=".to_owned() + &["0"; 36].join(",");
    let text = format!("{empty}\nID{empty}\nPieces[24]={}\n", ["-1"; 24].join(","));
    let arrays = Arrays::parse(&text).unwrap();
    assert!(
        arrays
            .position(Side::First, 0, &Variant::default())
            .is_err()
    );
}
