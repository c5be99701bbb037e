//! Stage records.

use engine::Game;
use engine::games::jiu::{Jiu, Start, Variant, read_stage, write_stage};

use super::turns::random_plies;

#[test]
fn whole_games_come_back_from_their_stage_records() {
    for (size, games) in [(6, 20), (8, 4), (14, 1)] {
        let variant = Variant::sized(size);
        for number in 0..games {
            let (first, plies) = random_plies(&variant, &Start::Empty, number);
            let record = write_stage(&variant, &plies).unwrap();
            let read = read_stage(&record, &variant).unwrap();
            assert_eq!(read.warnings, []);
            // Removals come back sorted, so turns are compared and not plies.
            assert_eq!(first.turn_texts(&read.plies), first.turn_texts(&plies));
            assert_eq!(write_stage(&variant, &read.plies).unwrap(), record);
        }
    }
}

/// A game on 6×6 up to a Black jump over A3 in turn 1, with the placements in scan order.
fn opening() -> String {
    let mut record = String::from("Stage[1]:W(C,3);B(D,4);");
    let mut white = true;
    for row in 1..=6 {
        for column in ["A", "B", "C", "D", "E", "F"] {
            if (column, row) == ("C", 3) || (column, row) == ("D", 4) {
                continue;
            }
            let side = if white { 'W' } else { 'B' };
            record.push_str(&format!("{side}({column},{row});"));
            white = !white;
        }
    }
    record
}

#[test]
fn a_record_of_the_scan_filled_layout_reaches_the_scan_filled_start() {
    let variant = Variant::sized(6);
    let read = read_stage(&opening(), &variant).unwrap();
    let mut game = Jiu::empty(&variant).unwrap();
    read.plies
        .iter()
        .for_each(|&ply| game.try_play(ply).unwrap());
    assert_eq!(game.text(), Jiu::scan_filled(6).unwrap().text());
}

#[test]
fn jumped_stones_are_recomputed_and_a_slip_is_a_warning_that_names_the_move() {
    let variant = Variant::sized(6);
    let start = Jiu::scan_filled(6).unwrap();
    let (path, _) = start
        .paths()
        .into_iter()
        .find(|(path, _)| path.contains('x'))
        .unwrap();
    assert_eq!(path, "D2xD4");
    let right = format!("{}\nStage[2]:B(D,2)-O(D,4),TC:W(D,3);", opening());
    assert_eq!(read_stage(&right, &variant).unwrap().warnings, []);
    for (tail, said) in [
        ("TC:W(C,5)", "W(C,5)"),
        ("", "nothing"),
        ("TC:W(D,3),W(A,1)", "W(A,1),W(D,3)"),
    ] {
        let comma = if tail.is_empty() { "" } else { "," };
        let record = format!("{}\nStage[2]:B(D,2)-O(D,4){comma}{tail};", opening());
        let read = read_stage(&record, &variant).unwrap();
        assert_eq!(read.plies, read_stage(&right, &variant).unwrap().plies);
        assert_eq!(
            read.warnings[0].to_string(),
            format!(
                "line 2, column 10: turn 1, B(D,2)-O(D,4): TC lists {said}, the path jumps over W(D,3)"
            )
        );
    }
}

#[test]
fn unreadable_and_illegal_records_are_refused_with_line_and_column() {
    let variant = Variant::sized(6);
    let error = |record: &str| read_stage(record, &variant).unwrap_err().to_string();
    assert_eq!(error(""), "line 1, column 1: 'Stage[1]:' is needed here");
    assert!(error("Stage[1]:B(C,3);").contains("White is to move"));
    assert!(error("Stage[1]:W(A,1);").contains("line 1, column 10: A1 is not a legal move"));
    assert!(error("Stage[1]:W(C,3);\nB(Z,9)").starts_with("line 2, column 3"));
    assert!(error("Stage[1]:W(C,3)B(D,4)").contains("';' is needed here"));
    assert!(error("Stage[1]:W(C,3);Stage[2]:").contains("the layout is not complete"));
    assert!(error("Stage[1]:W(C,3)-O(D,4);").contains("placements of the layout only"));
    let battle = |turn: &str| error(&format!("{}\nStage[2]:{turn}", opening()));
    assert!(battle("W(A,1)-O(C,3);").contains("Black is to move"));
    assert!(battle("B(D,2)-O(D,4),FC:W(A,1);").contains("makes no square"));
    assert!(battle("B(D,2)-O(D,4),TC:B(A,1);").contains("only White stones are taken"));
    assert!(battle("B(D,2)-O(D,4),XC:W(A,1);").contains("'TC:' or 'FC:' is needed"));
    assert!(battle("B(D,2)-O(D,4),TC:W(D,3),TC:W(D,3);").contains("a second time"));
    assert!(battle("B(D,2)-(D,4);").contains("'O' is needed here"));
}
