//! `encode` against pictures and indices written by hand from docs/formats.md, "Encodings".

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::{Value as Json, json};

use crate::support::{json, json_lines, run, stderr};

fn encode(game: &str, position: &str) -> Json {
    json(&["encode", "--game", game, "--position", position, "--json"])
}

/// Asserts all planes: `drawn` pictures the planes of points, where `x` is 1, a digit so many sixths and `.`
/// 0; `even` planes have one number everywhere; the planes that neither names are 0.
fn assert_planes(encoded: &Json, count: usize, drawn: &[(usize, &str)], even: &[(usize, f64)]) {
    let planes = encoded["planes"].as_array().unwrap();
    assert_eq!(planes.len(), count);
    let (drawn, even) = (
        BTreeMap::from_iter(drawn.iter().copied()),
        BTreeMap::from_iter(even.iter().copied()),
    );
    for (number, plane) in planes.iter().enumerate() {
        let rows = plane.as_array().unwrap();
        let picture: Vec<&str> = drawn
            .get(&number)
            .map_or(vec![], |picture| picture.split(' ').collect());
        for (y, row) in rows.iter().enumerate() {
            let row = row.as_array().unwrap();
            assert_eq!(row.len(), rows.len(), "the boards are square");
            for (x, found) in row.iter().enumerate() {
                let expected = match picture.get(y).map(|row| row.as_bytes()[x]) {
                    None => even.get(&number).copied().unwrap_or(0.0),
                    Some(b'.') => 0.0,
                    Some(b'x') => 1.0,
                    Some(sixths) => f64::from(sixths - b'0') / 6.0,
                };
                let found = found.as_f64().unwrap();
                assert!(
                    (found - expected).abs() < 1e-6,
                    "plane {number}, row {y}, column {x}: {found}, not {expected}"
                );
            }
        }
    }
}

#[test]
fn blue_sees_its_cubes_from_its_own_corner() {
    // By E4 Blue's 2, 5 and 6 move for the faces 1 to 4, 3 to 5 and 6, Red's 1 and 4 for 1 to 3 and 2 to 6.
    let encoded = encode("einstein", "A4/2D2/1b3/5/3fe b 3");
    let drawn = [
        (1, "..... ..... ...x. ..... ....."),
        (4, "x.... ..... ..... ..... ....."),
        (5, ".x... ..... ..... ..... ....."),
        (6, "..... ..... ..... ..... ....x"),
        (9, "..... ..... ..... ..x.. ....."),
        (12, "xx... ..... ...x. ..... ....."),
        (13, "..... ..... ..... ..x.. ....x"),
        (14, "x.... ..... ...x. ..... ....."),
        (15, "31... ..... ...4. ..... ....."),
        (16, "..... ..... ..... ..5.. ....3"),
    ];
    assert_planes(&encoded, 25, &drawn, &[(19, 1.0), (23, 1.0)]);
    assert_eq!(
        (&encoded["encoding"], &encoded["policy"]),
        (&json!(1), &json!(24))
    );
    let moves = json!({
        "B2-A3": 3, "B2-B4": 4, "B2-A4": 5, "B5xD1": 12, "B5-E2": 13, "B5-D2": 14,
    });
    assert_eq!(encoded["moves"], moves);
}

#[test]
fn red_places_its_cubes() {
    let encoded = encode("einstein", "A4/5/5/5/5 r setup");
    let home = "x.... ..... ..... ..... .....";
    let drawn = [(0, home), (12, home), (15, home)];
    assert_planes(&encoded, 25, &drawn, &[(24, 1.0)]);
    let moves = json!({"R2@B5": 19, "R2@C5": 20, "R2@A4": 21, "R2@B4": 22, "R2@A3": 23});
    assert_eq!(encoded["moves"], moves);
}

#[test]
fn black_sees_surakarta_turned() {
    let encoded = encode("surakarta", "b5/6/6/1r4/6/6 b 25");
    let drawn = [
        (0, "...... ...... ...... ...... ...... .....x"),
        (1, "...... ...... ....x. ...... ...... ......"),
        (2, ".x..x. xxxxxx .x..x. .x..x. xxxxxx .x..x."),
        (3, "..xx.. ..xx.. xxxxxx xxxxxx ..xx.. ..xx.."),
    ];
    assert_planes(&encoded, 7, &drawn, &[(4, 0.5), (6, 1.0)]);
    // A6 is point 35; A5, B5 and B6 are 29, 28 and 34.
    let moves = json!({"A6-A5": 1260 + 29, "A6-B5": 1260 + 28, "A6-B6": 1260 + 34});
    assert_eq!(encoded["moves"], moves);
}

const WHITE: &str = "...... ...... ..xxxx ...xx. ..xx.. x.xx..";
const BLACK: &str = "...... xx.... x..... .x.... ...... ......";
const ALL: &str = "xxxxxx xxxxxx xxxxxx xxxxxx xxxxxx xxxxxx";

#[test]
fn jiu_shows_what_each_side_threatens() {
    let squares = "...... ...... ...xx. ...xx. ..xx.. ..xx..";
    let triangles = "...... ...... ...... ..x..x ....x. ......";
    // White may not take a single stone (J6) and steps to the left one only; its stone below, on C2, is a
    // runner between two squares. Black flies.
    let (gates, dalians) = (
        "...... ...... ...... ..x... ...... ......",
        "...... ...... ...... ..x... ...... ......",
    );
    let gap = "...... ...... .x.... ...... ...... ......";
    let encoded = encode("jiu", "6/bb4/b1wwww/1b1ww1/2ww2/w1ww2 w battle");
    let drawn = [
        (0, WHITE),
        (1, BLACK),
        (2, ALL),
        (3, squares),
        (5, triangles),
        (6, gap),
        (7, gates),
        (8, gap),
        (9, dalians),
    ];
    assert_planes(
        &encoded,
        31,
        &drawn,
        &[(14, 7.0 / 6.0), (19, 1.0), (26, 1.0)],
    );
    let encoded = encode("jiu", "6/bb4/b1wwww/1b1ww1/2ww2/w1ww2 b battle");
    let drawn = [
        (0, BLACK),
        (1, WHITE),
        (2, ALL),
        (4, squares),
        (5, gap),
        (6, triangles),
        (7, gap),
        (8, gates),
        (10, dalians),
    ];
    assert_planes(
        &encoded,
        31,
        &drawn,
        &[(14, -7.0 / 6.0), (25, 1.0), (30, 1.0)],
    );
}

#[test]
fn jiu_shows_the_layout_and_turns_in_progress() {
    let encoded = encode("jiu", "6/6/3b2/2w3/6/6 w layout");
    let drawn = [
        (0, "...... ...... ...... ..x... ...... ......"),
        (1, "...... ...... ...x.. ...... ...... ......"),
        (2, ALL),
        (11, "...... ...... ...x.. ..x... ...... ......"),
    ];
    assert_planes(&encoded, 31, &drawn, &[(15, 1.0)]);
    let moves = encoded["moves"].as_object().unwrap();
    assert_eq!(
        (moves.len(), &moves["A1"], &moves["F6"]),
        (34, &json!(30), &json!(5))
    );

    let black = "...... ...... ...... ..x... xxx... ......";
    let white = "....xx ...... ..x... ...... ...... xxxx..";
    let encoded = encode("jiu", "4ww/6/2w3/2b3/bbb3/wwww2 b battle hop C3 1 A3");
    let drawn = [
        (0, black),
        (1, white),
        (2, ALL),
        // B3 lacks for a square; Black flies, so it is a gate.
        (5, "...... ...... ...... .x.... ...... ......"),
        (7, "...... ...... ...... .x.... ...... ......"),
        (12, "...... ...... ...... ..x... ...... ......"),
        (13, "...... ...... ...... x..... ...... ......"),
    ];
    let even = [(14, -0.5), (17, 1.0 / 16.0), (25, 1.0), (30, 1.0)];
    assert_planes(&encoded, 31, &drawn, &even);
    assert_eq!(encoded["moves"], json!({"C3xC5": 7 * 36 + 20, "stop": 396}));

    let encoded = encode("jiu", "6/bb4/bb4/6/6/wwwwww b battle take 1");
    let square = "...... xx.... xx.... ...... ...... ......";
    let row = "...... ...... ...... ...... ...... xxxxxx";
    let drawn = [(0, square), (1, row), (2, ALL), (3, square)];
    let even = [
        (14, -1.0 / 3.0),
        (20, 0.25),
        (21, 1.0),
        (25, 1.0),
        (26, 1.0),
        (30, 1.0),
    ];
    assert_planes(&encoded, 31, &drawn, &even);
    assert_eq!(encoded["moves"]["+A1"], 390);

    let encoded = encode("jiu", "6/bb4/b5/6/6/wwwwww b battle drop F6");
    let gap = "...... ...... .x.... ...... ...... ......";
    let drawn = [
        (0, "...... xx.... x..... ...... ...... ......"),
        (1, row),
        (2, ALL),
        (5, gap),
        (7, gap),
        (13, ".....x ...... ...... ...... ...... ......"),
    ];
    let even = [(14, -1.0 / 3.0), (16, 1.0), (25, 1.0), (26, 1.0), (30, 1.0)];
    assert_planes(&encoded, 31, &drawn, &even);
    assert_eq!(encoded["moves"]["-B4"], 13);
}

/// Column and row from the top left of a point's name.
fn point(name: &str, size: usize) -> (usize, usize) {
    let column = usize::from(name.as_bytes()[0] - b'A');
    (column, size - name[1..].parse::<usize>().unwrap())
}

fn seen(name: &str, size: usize, turned: bool) -> usize {
    let (column, row) = point(name, size);
    let number = size * row + column;
    if turned {
        size * size - 1 - number
    } else {
        number
    }
}

fn einstein_index(mv: &str, position: &str) -> usize {
    let cube: usize = mv[1..2].parse().unwrap();
    let letter = char::from(if mv.starts_with('R') { b'A' } else { b'a' } + cube as u8 - 1);
    let board = position.split(' ').next().unwrap();
    let blanks = |mark: char| mark.to_digit(10).map_or(1, |blanks| blanks as usize);
    let (row, text) = (0..)
        .zip(board.split('/'))
        .find(|(_, row)| row.contains(letter))
        .unwrap();
    let column: usize = text
        .chars()
        .take_while(|&mark| mark != letter)
        .map(blanks)
        .sum();
    let to = point(&mv[3..], 5);
    let direction = match (to.0 != column, to.1 != row) {
        (true, false) => 0,
        (false, true) => 1,
        _ => 2,
    };
    3 * (cube - 1) + direction
}

fn surakarta_index(mv: &str, position: &str) -> usize {
    let black = position.contains(" b ");
    36 * seen(&mv[..2], 6, black) + seen(&mv[3..], 6, black)
}

fn jiu_index(mv: &str, position: &str) -> usize {
    let size = position.split('/').count();
    let points = size * size;
    if let Some(lifted) = mv.strip_suffix('^') {
        return points + seen(lifted, size, false);
    }
    let (sign, plane) = if mv.contains('x') { ('x', 6) } else { ('-', 2) };
    let (from, to) = mv.split_once(sign).unwrap();
    let (a, b) = (point(from, size), point(to, size));
    let direction = match () {
        () if b.0 > a.0 => 0,
        () if b.1 < a.1 => 1,
        () if b.0 < a.0 => 2,
        () => 3,
    };
    (plane + direction) * points + seen(from, size, false)
}

/// The first ply of each legal move, which in Jiu's golden files is a path of a turn.
fn first_plies(golden: &Json) -> BTreeSet<String> {
    if let Some(moves) = golden["moves"].as_array() {
        return moves.iter().map(|mv| mv.as_str().unwrap().into()).collect();
    }
    let paths = golden["paths"].as_object().unwrap();
    let board = golden["position"].as_str().unwrap();
    let (size, mover) = (board.split('/').count(), board.split(' ').nth(1).unwrap());
    let stones = board.split(' ').next().unwrap().matches(mover).count();
    let first = |path: &String| match path.match_indices(['-', 'x']).nth(1) {
        Some((end, _)) => path[..end].to_string(),
        // J10: a flying side lifts its stone.
        None if stones <= size && path.contains('-') => {
            format!("{}^", path.split('-').next().unwrap())
        }
        None => path.clone(),
    };
    paths.keys().map(first).collect()
}

#[test]
fn every_legal_ply_has_its_index_once() {
    type Index = fn(&str, &str) -> usize;
    let games: [(&str, &str, usize, Index); 5] = [
        ("einstein", "einstein", 24, einstein_index),
        ("surakarta", "surakarta", 1296, surakarta_index),
        ("jiu", "jiu_6", 11 * 36 + 1, jiu_index),
        ("jiu", "jiu_8", 11 * 64 + 1, jiu_index),
        ("jiu", "jiu_14", 11 * 196 + 1, jiu_index),
    ];
    for (game, file, policy, index) in games {
        let path = format!("../tests/data/golden/{file}.jsonl");
        let text =
            std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
        let golden = text.lines().map(|line| serde_json::from_str(line).unwrap());
        let golden: Vec<Json> = golden
            .filter(|line: &Json| !first_plies(line).is_empty())
            .collect();
        let position = |line: &Json| line["position"].as_str().unwrap().to_string();
        let input: String = golden.iter().map(|line| position(line) + "\n").collect();
        let encoded = json_lines(&["encode", "--game", game, "--stdin", "--json"], &input);
        assert_eq!(encoded.len(), golden.len());
        for (encoded, golden) in encoded.iter().zip(&golden) {
            let position = position(golden);
            assert_eq!(encoded["policy"], policy, "{position}");
            let moves = encoded["moves"].as_object().unwrap();
            let texts: BTreeSet<String> = moves.keys().cloned().collect();
            assert_eq!(texts, first_plies(golden), "{position}");
            for (mv, found) in moves {
                assert_eq!(
                    found.as_u64().unwrap() as usize,
                    index(mv, &position),
                    "{mv} in {position}"
                );
            }
            let indices: BTreeSet<u64> = moves
                .values()
                .map(|index| index.as_u64().unwrap())
                .collect();
            assert_eq!(indices.len(), moves.len(), "{position}");
            assert!(indices.into_iter().all(|index| (index as usize) < policy));
        }
    }
}

#[test]
fn a_bad_line_is_an_error_that_names_it_and_the_others_are_answered() {
    let lines = "5/5/4A/5/f4 r 1\nnonsense\n4A/5/5/5/5 r -\n5/5/4A/5/f4 r -\n5/5/4A/5/f4 r 6\n";
    let found = json_lines(
        &["encode", "--game", "einstein", "--stdin", "--json"],
        lines,
    );
    assert_eq!(found.len(), 5);
    assert_eq!(found[0]["moves"], json!({"R1-E2": 1}));
    for (number, reason) in [
        (2, "needs 3 fields"),
        (3, "the game is over"),
        (4, "before a roll"),
    ] {
        let error = found[number - 1]["error"].as_str().unwrap();
        assert!(error.starts_with(&format!("line {number}")), "{error}");
        assert!(error.contains(reason), "{error}");
        assert_eq!(error.matches("line").count(), 1, "{error}");
    }
    assert_eq!(found[4]["moves"], json!({"R1-E2": 1}));
    let refused = run(&[
        "encode",
        "--game",
        "einstein",
        "--position",
        "5/5/4A/5/f4 r -",
    ]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(stderr(&refused).contains("before a roll"));
    assert!(refused.stdout.is_empty());
}
