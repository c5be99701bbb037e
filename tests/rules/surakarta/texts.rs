//! N.1–N.4: position and move texts, and the drawing.

use super::*;

#[test]
fn position_texts_come_back_unchanged() {
    for text in [
        START,
        "bb2bb/bb2rb/bbrb1b/r2r2/1rrr2/rr3r r 3",
        "6/6/6/2r3/6/6 b 0",
        "5b/6/6/6/6/r5 b 49",
        "5b/6/6/6/6/r5 b 50",
    ] {
        let game = position(text);
        assert_eq!(game.text(), text);
        assert_eq!(position(&game.text()), game);
    }
}

#[test]
fn the_key_tells_stones_side_and_count_apart() {
    let texts = [
        START,
        "bbbbbb/bbbbbb/6/6/rrrrrr/rrrrrr b 0",
        "bbbbbb/bbbbbb/6/6/rrrrrr/rrrrrr r 1",
        "rrrrrr/rrrrrr/6/6/bbbbbb/bbbbbb r 0",
        "bbbbbb/bbbbbb/6/r5/1rrrrr/rrrrrr r 0",
    ];
    let mut keys: Vec<_> = texts.iter().map(|text| position(text).key()).collect();
    keys.sort();
    keys.dedup();
    assert_eq!(keys.len(), texts.len());
    let game = played(START, "A2-A3 A5-A4");
    assert_eq!(position(&game.text()).key(), game.key());
}

#[test]
fn a_position_that_cannot_be_read_is_refused_with_its_column() {
    for (text, column, message) in [
        ("", 1, "fields"),
        ("6/6/6/6/6/r5 r", 14, "fields"),
        ("6/6/6/6/6/r5 r 0 0", 18, "fields"),
        ("6/6/6/6/r5 r 0", 1, "rows"),
        ("6/6/6/6/6/r4 r 0", 12, "points"),
        ("6/6/6/6/6/r6 r 0", 12, "points"),
        ("6/6/w5/6/6/r5 r 0", 5, "'w'"),
        ("6/6/B5/6/6/r5 r 0", 5, "'B'"),
        ("6/6/é5/6/6/r5 w 0", 5, "'é'"),
        ("6/6/b5/6/6/r5 w 0", 15, "'w'"),
        ("6/6/b5/6/6/r5 r x", 17, "'x'"),
        ("6/6/b5/6/6/r5 r 01", 17, "'01'"),
        ("6/6/b5/6/6/r5 r +1", 17, "'+1'"),
        ("6/6/b5/6/6/r5 r -1", 17, "'-1'"),
        ("6/6/b5/6/6/r5 r 70000", 17, "'70000'"),
        ("6/6/b5/6/6/r5 r 51", 17, "51 are too many"),
        ("6/6/6/6/6/6 r 0", 1, "empty"),
        ("6/6/b5/r5/rrrrrr/rrrrrr r 0", 23, "at most 12"),
    ] {
        let error = Surakarta::parse(text, &Variant::default()).unwrap_err();
        let shown = format!("{text}: {error}");
        assert_eq!((error.line, error.column), (1, column), "{shown}");
        assert!(error.message.contains(message), "{shown}");
    }
}

#[test]
fn move_texts_tell_steps_from_captures() {
    let game = position(START);
    let step = Move::step(square("C3"), square("C4"));
    let capture = Move::capture(square("C3"), square("D4"));
    assert_eq!(game.move_text(step), "C3-C4");
    assert_eq!(game.move_text(capture), "C3xD4");
    assert_eq!(game.parse_move("C3-C4"), Ok(step));
    assert_eq!(game.parse_move("c3xd4"), Ok(capture));
}

#[test]
fn a_move_that_cannot_be_read_is_refused_with_its_column() {
    for (text, column) in [
        ("", 1),
        ("C3", 1),
        ("C3C4", 1),
        ("C3:C4", 1),
        ("C3-", 4),
        ("-C4", 1),
        ("G3-C4", 1),
        ("C3-C7", 4),
        ("C3-C0", 4),
        ("C3xC4 ", 4),
        ("C3-C4-C5", 4),
    ] {
        let error = position(START).parse_move(text).unwrap_err();
        assert_eq!((error.line, error.column), (1, column), "{text}: {error}");
    }
}

#[test]
fn the_drawing_shows_stones_coordinates_and_arcs() {
    let drawing = played(START, "C2-C3").draw();
    let expected = "
 ╭─────────╮ ╭─────────╮
 │ ╭─────╮ │ │ ╭─────╮ │
 │ │   b b b b b b   │ │  6
 │ ╰── b b b b b b ──╯ │  5
 ╰──── . . . . . . ────╯  4
 ╭──── . . r . . . ────╮  3
 │ ╭── r r . r r r ──╮ │  2
 │ │   r r r r r r   │ │  1
 │ ╰─────╯ │ │ ╰─────╯ │
 ╰─────────╯ ╰─────────╯
       A B C D E F
b to move; r 12, b 12; 1 of 50 plies without a capture
";
    assert_eq!(drawing, expected[1..]);
    let over = position("6/6/6/2r3/6/6 b 0").draw();
    assert!(over.ends_with("r has won; r 1, b 0\n"), "{over}");
    let drawn = position("b5/6/6/2r3/6/6 b 50").draw();
    assert!(drawn.ends_with("drawn; r 1, b 1\n"), "{drawn}");
}
