//! S2–S7: tracks, steps and captures.

use std::collections::HashSet;

use engine::games::surakarta::{Surakarta, Track};
use engine::perft::{Perft, perft_by_plies};
use serde_json::Value as Json;

use super::*;

const GOLDEN: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../tests/data/golden/surakarta.jsonl"
);

#[test]
fn golden_positions_have_the_listed_moves() {
    let text = std::fs::read_to_string(GOLDEN).unwrap();
    let mut lines = 0;
    for line in text.lines() {
        let entry: Json = serde_json::from_str(line).unwrap();
        let at = entry["position"].as_str().unwrap();
        let mut expected: Vec<String> = serde_json::from_value(entry["moves"].clone()).unwrap();
        expected.sort();
        assert_eq!(legal(at), expected, "{at}");
        lines += 1;
    }
    assert_eq!(lines, 400);
}

#[test]
fn perft_from_the_start() {
    let start = position(START);
    // Up to depth 4 from an independent program.
    let known = [1, 16, 256, 5_382, 111_122, 2_572_484];
    for (depth, nodes) in known.into_iter().enumerate() {
        assert_eq!(start.perft(depth as u32), nodes, "depth {depth}");
    }
}

#[test]
fn counting_the_last_ply_agrees_with_playing_it() {
    // Up to three plies from the start no game can end by S8 b or c.
    assert_eq!(perft_by_plies(&position(START), 3), 5_382);
    along_random_games(3, |game| {
        let moves = listed(game);
        if !moves.is_empty() {
            assert_eq!(game.perft(1), moves.len() as u64, "{}", game.text());
        }
    });
}

#[test]
fn the_fourth_ply_from_the_start_has_582_captures() {
    fn count(game: &Surakarta, depth: u32) -> usize {
        let moves = listed(game);
        if depth == 1 {
            return moves.iter().filter(|mv| mv.captures).count();
        }
        let after = |mv| {
            let mut next = game.clone();
            next.play(mv);
            count(&next, depth - 1)
        };
        moves.into_iter().map(after).sum()
    }
    // No capture is possible within three plies, and only shuffling games end at the fourth.
    assert_eq!(count(&position(START), 4), 582);
}

#[test]
fn perft_looks_past_quiet_plies_and_repetition_but_not_past_a_side_without_stones() {
    let late = "bbbbbb/bbbbbb/6/6/rrrrrr/rrrrrr r 50";
    assert_eq!(position(late).perft(3), 5_382);
    assert_eq!(position("6/6/6/2r3/6/6 r 0").perft(1), 0);
    assert_eq!(position("6/6/6/6/bb4/rb4 r 0").perft(1), 0);
}

#[test]
fn a_track_has_24_stops_on_20_points_and_crosses_itself_four_times() {
    let crossings = [["B2", "E2", "E5", "B5"], ["C3", "D3", "D4", "C4"]];
    for (track, crossings) in Track::BOTH.into_iter().zip(crossings) {
        let stops = track.stops();
        let visits = |point| stops.iter().filter(|&&stop| stop == point).count();
        let points: HashSet<_> = stops.iter().copied().collect();
        assert_eq!((stops.len(), points.len()), (24, 20));
        let twice: HashSet<_> = points.into_iter().filter(|&p| visits(p) == 2).collect();
        assert_eq!(twice, crossings.iter().map(|name| square(name)).collect());
    }
}

#[test]
fn eight_arcs_join_the_edges() {
    let arcs = [
        ["F2-E1", "E6-F5", "A5-B6", "B1-A2"],
        ["F3-D1", "D6-F4", "A4-C6", "C1-A3"],
    ];
    for (track, arcs) in Track::BOTH.into_iter().zip(arcs) {
        let stops = track.stops();
        let mut jumps = Vec::new();
        for (at, stop) in stops.iter().enumerate() {
            let next = stops[(at + 1) % stops.len()];
            let columns = stop.column().abs_diff(next.column());
            let rows = stop.row().abs_diff(next.row());
            if columns + rows != 1 {
                jumps.push(format!("{}-{}", stop.name(), next.name()));
            }
        }
        assert_eq!(jumps, arcs);
    }
}

#[test]
fn twelve_points_are_outer_twelve_inner_eight_both_and_the_corners_neither() {
    let on = |track: Track, point| track.stops().contains(&point);
    let with = |outer, inner| -> Vec<_> {
        Square::all()
            .filter(|&p| on(Track::Outer, p) == outer && on(Track::Inner, p) == inner)
            .map(Square::name)
            .collect()
    };
    assert_eq!(with(true, false).len(), 12);
    assert_eq!(with(false, true).len(), 12);
    assert_eq!(
        with(true, true),
        ["C2", "D2", "B3", "E3", "B4", "E4", "C5", "D5"]
    );
    assert_eq!(with(false, false), ["A1", "F1", "A6", "F6"]);
    for centre in ["C3", "D3", "C4", "D4"] {
        assert!(with(true, false).contains(&centre.to_owned()));
    }
}

#[test]
fn a_stone_steps_in_eight_directions_to_empty_points() {
    assert_eq!(
        legal("b5/6/6/6/1r4/6 r 0"),
        [
            "B2-A1", "B2-A2", "B2-A3", "B2-B1", "B2-B3", "B2-C1", "B2-C2", "B2-C3"
        ]
    );
    assert_eq!(legal("b5/6/6/6/6/5r r 0"), ["F1-E1", "F1-E2", "F1-F2"]);
    assert_eq!(legal("b5/6/6/6/6/rrr3 r 0").len(), 2 + 3 + 4);
}

#[test]
fn a_touching_enemy_is_taken_round_the_loops_and_only_once() {
    assert_eq!(captures("6/6/2b3/2r3/6/6 r 0"), ["C3xC4"]);
    let game = position("6/6/2b3/2r3/6/6 r 0");
    let mut moves = listed(&game);
    let all = moves.len();
    moves.sort();
    moves.dedup();
    assert_eq!(moves.len(), all);
}

#[test]
fn a_flight_passes_its_own_start_point() {
    let text = "6/6/2b3/2rr2/6/6 r 0";
    assert!(captures(text).contains(&"C3xC4".into()));
    // C3, B3, A3, arc, C1, C2, C3 again, C4.
    let game = position(text);
    let mv = game.parse_move("C3xC4").unwrap();
    let route = game.exits(mv).unwrap();
    let names: Vec<_> = route.exits().iter().map(|exit| exit.name()).collect();
    assert_eq!(names, ["A3"]);
}

#[test]
fn an_own_stone_met_first_ends_the_direction() {
    assert_eq!(captures("6/6/2rb2/2r3/2r3/6 r 0"), ["C3xD4", "C4xD4"]);
}

#[test]
fn an_enemy_next_to_the_arc_is_taken_before_or_behind_another() {
    assert_eq!(captures("6/6/6/bb4/6/2r3 r 0"), ["C1xA3", "C1xB3"]);
    assert_eq!(captures("6/6/6/rb4/6/2r3 r 0"), ["C1xB3"]);
}

#[test]
fn no_flight_starts_from_a_corner() {
    assert!(captures("6/6/6/6/6/rb4 r 0").is_empty());
    assert!(captures("6/6/6/6/6/rb4 b 0").is_empty());
}

#[test]
fn the_ends_of_one_arc_take_each_other() {
    assert_eq!(captures("6/6/6/6/b5/1r4 r 0"), ["B1xA2"]);
    assert_eq!(captures("6/6/6/6/rb4/6 r 0"), ["A2xB2"]);
}

#[test]
fn a_point_of_both_tracks_takes_along_each_of_them() {
    assert_eq!(captures("6/4b1/6/6/2r3/6 r 0"), ["C2xE5"]);
    // Own stones on both sides bar the inner track; the outer one does not lead to E5.
    let barred = captures("6/4b1/6/6/1rrr2/6 r 0");
    assert!(!barred.contains(&"C2xE5".into()), "{barred:?}");
    assert_eq!(captures("3b2/4b1/6/6/2r3/6 r 0"), ["C2xD6", "C2xE5"]);
}

#[test]
fn a_lone_stone_without_an_enemy_on_its_tracks_has_steps_only() {
    let moves = legal("b5/6/6/2r3/6/6 r 0");
    assert_eq!(moves.len(), 8);
    assert!(moves.iter().all(|text| text.starts_with("C3-")));
}

#[test]
fn a_straight_line_without_an_arc_takes_nothing() {
    assert_eq!(captures("3b2/6/2r3/6/6/6 r 0"), ["C4xD6"]);
    assert_eq!(captures("6/6/6/6/r4b/1r4 r 0"), ["B1xF2"]);
}

#[test]
fn two_routes_to_one_victim_are_one_move() {
    let moves = legal("2r3/6/b5/6/6/6 r 0");
    let takes = moves.iter().filter(|text| *text == "C6xA4").count();
    assert_eq!(takes, 1);
}

#[test]
fn capturing_is_optional() {
    let moves = legal("6/6/2b3/2r3/6/6 r 0");
    assert_eq!(moves.len(), 7 + 1);
}

/// The captures of one side, as pairs of squares.
fn pairs(board: &str, mover: &str) -> Vec<(Square, Square)> {
    listed(&position(&format!("{board} {mover} 0")))
        .into_iter()
        .filter(|mv| mv.captures)
        .map(|mv| (mv.from, mv.to))
        .collect()
}

/// Whether `a` and `b` share a row or a column on which no stone stands between them.
fn in_open_line(game: &Surakarta, a: Square, b: Square) -> bool {
    let between = |x: u8, low: u8, high: u8| low.min(high) < x && x < low.max(high);
    let line = |p: Square| {
        (p.row() == a.row() && a.row() == b.row() && between(p.column(), a.column(), b.column()))
            || (p.column() == a.column()
                && a.column() == b.column()
                && between(p.row(), a.row(), b.row()))
    };
    (a.row() == b.row() || a.column() == b.column())
        && Square::all().all(|p| !line(p) || game.stone(p).is_none())
}

#[test]
fn whoever_takes_could_be_taken_unless_the_flight_passed_its_own_start() {
    let crossings = ["B2", "E2", "E5", "B5", "C3", "D3", "D4", "C4"].map(square);
    let (mut mutual, mut one_way) = (0, 0);
    along_random_games(20, |game| {
        let text = game.text();
        let (board, _) = text.split_once(' ').unwrap();
        let (red, black) = (pairs(board, "r"), pairs(board, "b"));
        for (takers, others) in [(&red, &black), (&black, &red)] {
            for &(from, to) in takers {
                if others.contains(&(to, from)) {
                    mutual += 1;
                    continue;
                }
                // The way back is barred by the stone itself, which had counted as empty.
                assert!(
                    crossings.contains(&from) && in_open_line(game, from, to),
                    "{text}"
                );
                one_way += 1;
            }
        }
    });
    assert!(mutual > 10 * one_way && one_way > 0, "{mutual}, {one_way}");
}

#[test]
fn a_flight_past_its_own_start_has_no_way_back() {
    assert_eq!(captures("3b2/3b2/6/3r2/6/6 r 0"), ["D3xD5", "D3xD6"]);
    assert_eq!(captures("3b2/3b2/6/3r2/6/6 b 0"), ["D6xD3"]);
}
