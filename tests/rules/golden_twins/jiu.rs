//! The Jiu twin against its golden files, perft numbers and tricky cases.

use std::collections::{BTreeMap, BTreeSet};

use super::{Numbers, after, golden, has, play_at_random};
use crate::naive::{End, Jiu, Twin};

/// The upper eight rows of a 14×14 board with 21 stones of each side that can only step.
const FAR: &str = "wbwbwbwbwbwbwb/14/wbwbwbwbwbwbwb/14/wbwbwbwbwbwbwb/14/14/14";

/// A 14×14 battle position, Black to move, whose lower six rows are drawn.
fn black_to_move(lower_rows: &str) -> Jiu {
    Jiu::parse(&format!("{FAR}/{lower_rows} b battle"))
}

/// The paths that start on a point, with what they earn.
fn paths_from(position: &Jiu, point: &str) -> Vec<(String, usize)> {
    let mut paths = Vec::new();
    for (path, earned) in position.paths() {
        if path.split(['-', 'x']).next() == Some(point) {
            paths.push((path, earned));
        }
    }
    paths
}

fn stones(position: &Jiu, letter: char) -> usize {
    position
        .text()
        .split(' ')
        .next()
        .unwrap()
        .matches(letter)
        .count()
}

/// Follows the plies of the present turn in every way; `turns` gets a set of removals and the text
/// of the position after the turn for every path with every order of removals.
fn walk_turn(position: &Jiu, path: &str, removed: &[String], turns: &mut PlyTurns) {
    for ply in position.moves() {
        let mut next = position.clone();
        next.apply(&ply);
        let mut longer = path.to_string();
        let mut taken = removed.to_vec();
        if let Some(victim) = ply.strip_prefix('+') {
            taken.push(victim.to_string());
        } else if ply == "stop" {
            // The path is complete as it stands.
        } else if path.is_empty() {
            longer = ply.clone();
        } else {
            let (from, to) = ply.split_once('x').unwrap();
            assert!(longer.ends_with(from), "{ply} does not go on from {longer}");
            longer = format!("{longer}x{to}");
        }
        if next.side() == position.side() && next.text().contains(" battle ") {
            walk_turn(&next, &longer, &taken, turns);
        } else {
            taken.sort();
            turns.insert((longer, taken, next.text()));
        }
    }
}

/// Path, removals that were chosen ply by ply, text after the turn.
type PlyTurns = BTreeSet<(String, Vec<String>, String)>;

/// The ply-level moves generate exactly the turns of the turn-level listing.
fn check_turns(position: &Jiu) {
    let enemy = if position.side() == 0 { 'b' } else { 'w' };
    let paths = position.paths();
    let mut by_plies = PlyTurns::new();
    walk_turn(position, "", &[], &mut by_plies);
    let mut by_turns = PlyTurns::new();
    let mut turns = 0;
    for turn in position.turns() {
        // Stones that are taken all at once cost no ply.
        let mut chosen = turn.removed;
        if stones(&turn.after, enemy) == 0 {
            chosen.clear();
        }
        chosen.sort();
        by_turns.insert((turn.path, chosen, turn.after.text()));
        turns += 1;
    }
    assert_eq!(by_turns.len(), turns, "a turn twice in {}", position.text());
    assert_eq!(by_plies, by_turns, "in {}", position.text());
    let mut earned: BTreeMap<String, usize> = BTreeMap::new();
    for (path, _, text) in &by_plies {
        let hops = path.matches('x').count();
        let left = text.split(' ').next().unwrap().matches(enemy).count();
        earned.insert(path.clone(), stones(position, enemy) - hops - left);
    }
    assert_eq!(earned, paths, "in {}", position.text());
}

/// The full set of turns is only listed where it is not too large.
fn check_turns_if_few(position: &Jiu) {
    if position.paths().values().all(|&earned| earned <= 1) {
        check_turns(position);
    }
}

fn check_golden_paths(name: &str) {
    for line in golden(name) {
        let text = line["position"].as_str().unwrap();
        let position = Jiu::parse(text);
        assert_eq!(position.text(), text);
        let mut expected = BTreeMap::new();
        for (path, squares) in line["paths"].as_object().unwrap() {
            expected.insert(path.clone(), squares.as_u64().unwrap() as usize);
        }
        assert_eq!(position.paths(), expected, "in {text}");
        check_turns_if_few(&position);
    }
}

#[test]
fn golden_paths_on_6() {
    check_golden_paths("jiu_6");
}

#[test]
fn golden_paths_on_8() {
    check_golden_paths("jiu_8");
}

#[test]
fn golden_paths_on_14() {
    check_golden_paths("jiu_14");
}

/// The two central points empty, all others White, Black, White … in scan order from A1.
fn scan_filled(size: usize) -> Jiu {
    let mut rows = Vec::new();
    let mut white = true;
    for row in 1..=size {
        let mut text = String::new();
        for column in 1..=size {
            if row == column && (row == size / 2 || row == size / 2 + 1) {
                text.push('1');
                continue;
            }
            text.push(if white { 'w' } else { 'b' });
            white = !white;
        }
        rows.push(text);
    }
    rows.reverse();
    Jiu::parse(&format!("{} b battle", rows.join("/")))
}

#[test]
fn turn_perft_on_6() {
    let counts: Vec<u64> = (1..=4).map(|d| scan_filled(6).turn_perft(d)).collect();
    assert_eq!(counts, [7, 42, 280, 2_062]);
}

#[test]
fn turn_perft_on_8() {
    let counts: Vec<u64> = (1..=4).map(|d| scan_filled(8).turn_perft(d)).collect();
    assert_eq!(counts, [7, 43, 301, 2_450]);
}

#[test]
fn turn_perft_on_14() {
    let counts: Vec<u64> = (1..=3).map(|d| scan_filled(14).turn_perft(d)).collect();
    assert_eq!(counts, [7, 43, 308]);
}

#[test]
fn tricky_1_the_jumped_stone_is_gone_before_the_removal() {
    let mut position = black_to_move("1bb11/1b12/2w11/2b11/14/14");
    assert_eq!(position.paths()["C3xC5"], 1);
    position.play("C3xC5");
    assert!(position.text().ends_with(" b battle take 1"));
    assert_eq!(position.moves().len(), 21);
    assert!(!has(&position, "+C4"));
    position.play("+A14");
    assert_eq!((stones(&position, 'w'), position.side()), (20, 0));
}

#[test]
fn tricky_2_a_step_makes_up_to_two_squares() {
    let position = black_to_move("14/14/1bb11/1b1b10/1bb11/14");
    let paths = position.paths();
    assert_eq!(paths["D3-C3"], 2);
    assert_eq!(paths["C2-C3"], 1);
    assert_eq!(paths["C4-C3"], 1);
}

#[test]
fn tricky_3_the_dalian_shuttle_scores_every_time() {
    let position = black_to_move("14/14/1bbbb9/1bb1b9/14/14");
    assert_eq!(position.paths()["E3-D3"], 1);
    assert_eq!(position.paths()["C3-D3"], 1);
    let position = after(position, &["C3-D3", "+A14", "C14-C13"]);
    assert_eq!(position.paths()["D3-C3"], 1);
}

#[test]
fn tricky_4_squares_in_mid_chain_do_not_count() {
    let position = black_to_move("1bb11/1b1w10/2w11/2b11/14/14");
    assert_eq!(position.paths()["C3xC5"], 1);
    assert_eq!(position.paths()["C3xC5xE5"], 0);
    let first = after(position, &["C3xC5"]);
    assert!(first.text().ends_with(" b battle hop C5 1 C3"));
    assert_eq!(first.moves(), ["C5xE5", "stop"]);
    let stopped = after(first.clone(), &["stop"]);
    assert!(stopped.text().ends_with(" b battle take 1"));
    let both = after(first, &["C5xE5"]);
    assert!(both.text().ends_with(" w battle"));
    assert_eq!(stones(&both, 'w'), 21);
}

#[test]
fn tricky_5_a_chain_may_come_back_to_its_start() {
    let position = black_to_move("14/3w10/2w1w9/2bw10/14/14");
    let chains: Vec<String> = paths_from(&position, "C3")
        .into_iter()
        .map(|(path, _)| path)
        .filter(|path| path.contains('x'))
        .collect();
    assert_eq!(
        chains,
        [
            "C3xC5",
            "C3xC5xE5",
            "C3xC5xE5xE3",
            "C3xC5xE5xE3xC3",
            "C3xE3",
            "C3xE3xE5",
            "C3xE3xE5xC5",
            "C3xE3xE5xC5xC3",
        ]
    );
}

#[test]
fn a_chain_that_ends_on_its_start_scores_an_old_square() {
    // J8: B2 C2 B3 C3 is a square before the turn.
    let position = black_to_move("14/3w10/2w1w9/1bbw10/1bb11/14");
    assert_eq!(position.paths()["C3xC5xE5xE3xC3"], 1);
    assert_eq!(position.paths()["C3xC5xE5xE3"], 0);
}

#[test]
fn tricky_6_a_flight_makes_four_squares() {
    let far = "w1w1w1w1w1w1w1/14/w1w1w1w1w1w1w1/14/w1w1w1w1w1w1w1/14/14/14";
    let text = format!("{far}/14/14/1bbb10/1b1b10/1bbb10/13b b battle");
    let position = Jiu::parse(&text);
    assert_eq!(position.paths()["N1-C3"], 4);
    let plies = ["N1-C3", "+A14", "+A12", "+A10", "+C14"];
    assert_eq!(after(position.clone(), &plies[..4]).side(), 1);
    let position = after(position, &plies);
    assert_eq!((stones(&position, 'w'), position.side()), (17, 0));
}

#[test]
fn tricky_7_the_strong_side_must_jump_twice() {
    // 14 White and 15 Black stones.
    let far = "wbwbwbwbwbwbwb/14/w1w1w1w7/14/b1b1b1b1b1b3/14/14/14";
    let text = format!("{far}/14/3w10/2w6w4/2b6b4/14/14 b battle");
    let position = Jiu::parse(&text);
    assert_eq!((stones(&position, 'w'), stones(&position, 'b')), (14, 15));
    let paths = position.paths();
    assert!(!paths.contains_key("C3xC5") && !paths.contains_key("J3xJ5"));
    assert!(paths.contains_key("C3xC5xE5") && paths.contains_key("C3-C2"));
    assert!(has(&position, "C3xC5") && !has(&position, "J3xJ5"));
    check_turns(&position);
    let first = after(position.clone(), &["C3xC5"]);
    assert_eq!(first.moves(), ["C5xE5"]);
    assert_eq!(after(first, &["C5xE5"]).side(), 0);
    // The option.
    let mut off = position;
    off.strong_side_limit = false;
    assert!(off.paths().contains_key("C3xC5") && has(&off, "J3xJ5"));
    check_turns(&off);
}

#[test]
fn the_limit_looks_at_the_start_of_the_turn() {
    // 7 White stones on 6×6 are more than N, so single jumps are legal though 6 remain after one.
    let position = Jiu::parse("w1w1w1/w5/w2w2/2w3/2b3/bbbbbb b battle");
    assert!(position.paths().contains_key("C2xC4"));
    let first = after(position, &["C2xC4"]);
    assert!(first.text().ends_with(" b battle hop C4 1 C2"));
    assert!(has(&first, "stop"));
    // The same with one White stone fewer.
    let position = Jiu::parse("w1w1w1/6/w2w2/2w3/2b3/bbbbbb b battle");
    let first = after(position, &["C2xC4"]);
    assert_eq!(first.moves(), ["C4xE4"]);
    assert!(!has(&Jiu::parse(&first.text()), "stop"));
}

#[test]
fn tricky_7_a_side_with_single_jumps_only_has_lost() {
    let position = Jiu::parse("6/wwwwww/bbbbbb/bbbbbb/bbbbbb/bbbbbb b battle");
    assert_eq!(position.result(), Some(End::First));
    assert!(position.moves().is_empty() && position.paths().is_empty());
    let mut off = position;
    off.strong_side_limit = false;
    assert_eq!(off.result(), None);
    assert_eq!(off.moves().len(), 6);
}

#[test]
fn tricky_8_fewer_than_four_stones_have_lost() {
    // Five White stones, a chain of two and two squares.
    let position = Jiu::parse("w6w/4bb2/3w1b2/2w1bb2/2b5/8/8/w7 b battle");
    assert_eq!(stones(&position, 'w'), 5);
    assert_eq!(position.paths()["C4xC6xE6"], 2);
    let plies = ["C4xC6", "C6xE6", "+A1", "+A8"];
    let three = after(position.clone(), &plies[..3]);
    assert_eq!((three.result(), three.side()), (None, 1));
    let won = after(position, &plies);
    assert_eq!((stones(&won, 'w'), won.result()), (1, Some(End::Second)));
    assert!(won.moves().is_empty() && won.paths().is_empty());
}

#[test]
fn tricky_8_all_are_taken_when_fewer_are_left_than_owed() {
    // Four White stones, a chain of three and two squares.
    let position = Jiu::parse("w7/6bb/5w1b/4w1bb/2bw4/8/8/8 b battle");
    assert_eq!(stones(&position, 'w'), 4);
    assert_eq!(position.paths()["C4xE4xE6xG6"], 1);
    let won = after(position.clone(), &["C4xE4", "E4xE6", "E6xG6"]);
    assert_eq!((stones(&won, 'w'), won.side()), (0, 0));
    assert_eq!(won.result(), Some(End::Second));
    check_turns(&position);
}

#[test]
fn tricky_9_black_may_have_lost_after_the_layout() {
    // All that could step or jump to C3 or D4 is White. A1 is the last free point.
    let before = Jiu::parse("wwbwbw/bbwwbb/bwwbww/wwwwwb/bbwwbb/1bwbbb b layout");
    assert_eq!(before.moves(), ["A1"]);
    let position = after(before, &["A1"]);
    assert_eq!(
        position.text(),
        "wwbwbw/bbwwbb/bww1ww/ww1wwb/bbwwbb/bbwbbb b battle"
    );
    assert_eq!(position.result(), Some(End::First));
}

#[test]
fn tricky_10_the_layout_begins_in_the_centre() {
    for (size, low, high) in [(6, "C3", "D4"), (8, "D4", "E5"), (14, "G7", "H8")] {
        let rows = vec![size.to_string(); size];
        let position = Jiu::parse(&format!("{} w layout", rows.join("/")));
        assert_eq!(
            (position.moves(), position.side()),
            (vec![low.to_string(), high.to_string()], 0)
        );
        for (first, second) in [(low, high), (high, low)] {
            let one = after(position.clone(), &[first]);
            assert_eq!((one.moves(), one.side()), (vec![second.to_string()], 1));
            let two = after(one, &[second]);
            assert_eq!((two.moves().len(), two.side()), (size * size - 2, 0));
            assert_eq!(Jiu::parse(&two.text()).moves(), two.moves());
        }
    }
}

#[test]
fn the_third_occurrence_is_a_draw() {
    let text = "wbwbwb/6/6/6/6/bwbwbw b battle";
    let shuttle = ["B6-B5", "A6-A5", "B5-B6", "A5-A6"];
    let mut position = Jiu::parse(text);
    // Six stones on 6×6 may fly, which makes no difference here.
    for ply in shuttle.iter().chain(&shuttle[..3]) {
        position.play(ply);
        assert_eq!(position.result(), None);
    }
    position.play(shuttle[3]);
    assert_eq!(position.text(), text);
    assert_eq!(position.result(), Some(End::Draw));
}

#[test]
fn sixty_quiet_turns_are_a_draw_on_a_small_board() {
    let mut position = Jiu::parse("wbwbwb/6/6/6/6/bwbwbw b battle");
    position.occurrence_limit = usize::MAX;
    let shuttle = ["B6-B5", "A6-A5", "B5-B6", "A5-A6"];
    for turn in 0..60 {
        assert_eq!(position.result(), None);
        position.play(shuttle[turn % 4]);
    }
    assert_eq!(position.result(), Some(End::Draw));
}

#[test]
fn the_ply_limit_truncates_after_the_complete_turn() {
    let mut position = black_to_move("1bb11/1b1w10/2w11/2b11/14/14");
    position.ply_limit = 1;
    assert_eq!(position.result(), None);
    // Hop, stop and removal are plies of one turn.
    for ply in ["C3xC5", "stop"] {
        position.play(ply);
        assert_eq!(position.result(), None);
    }
    position.play("+A14");
    assert_eq!(position.result(), Some(End::Truncated));
    let mut layout = Jiu::parse("6/6/6/6/6/6 w layout");
    layout.ply_limit = 2;
    let layout = after(layout, &["C3", "D4"]);
    assert_eq!(layout.result(), Some(End::Truncated));
}

#[test]
fn random_games_agree_ply_by_ply_and_turn_by_turn() {
    let mut numbers = Numbers::new(3);
    for game in 0..8 {
        let start = ["6/6/6/6/6/6 w layout", "8/8/8/8/8/8/8/8 w layout"][game % 2];
        let mut position = Jiu::parse(start);
        position.strong_side_limit = game % 4 < 2;
        let mut plies = 0;
        while position.result().is_none() {
            let text = position.text();
            let mut read = Jiu::parse(&text);
            read.strong_side_limit = position.strong_side_limit;
            assert_eq!(read.text(), text);
            assert_eq!(read.moves(), position.moves(), "in {text}");
            plies += 1;
            if plies % 5 == 0 && text.ends_with(" battle") {
                check_squares(&position);
                check_turns_if_few(&position);
            }
            play_at_random(&mut position, &mut numbers);
        }
        assert!(position.moves().is_empty());
    }
}

/// J7: a step or jump makes at most two squares, a flight at most four.
fn check_squares(position: &Jiu) {
    for (path, earned) in position.paths() {
        let most = if path.contains('x') { 2 } else { 4 };
        assert!(earned <= most, "{path} in {}", position.text());
    }
}
