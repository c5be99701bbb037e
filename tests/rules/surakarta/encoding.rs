//! The conformance suite, the planes and the symmetries.

use engine::games::surakarta::{Repetition, Start};
use engine::{Encode, Symmetry, conformance};

use super::*;

#[test]
fn the_contract_of_a_game_holds() {
    let covered =
        conformance::check::<Surakarta>(&Variant::default(), &Start::default(), 11, 30, 2000)
            .unwrap_or_else(|broken| panic!("{broken}"));
    assert_eq!(covered.games, 30);
}

#[test]
fn the_contract_holds_for_other_options_and_openings() {
    let variant = Variant {
        quiet_limit: 30,
        repetition: Repetition::Third,
    };
    let start = Start {
        position: Some("b2b2/1b4/2b3/3r2/r3r1/1r3r b 2".into()),
    };
    conformance::check::<Surakarta>(&variant, &start, 12, 60, 2000)
        .unwrap_or_else(|broken| panic!("{broken}"));
}

fn planes(game: &Surakarta) -> Vec<Vec<f32>> {
    let shape = Surakarta::shape(game.variant());
    assert_eq!((shape.planes, shape.rows, shape.columns), (7, 6, 6));
    let mut numbers = vec![f32::NAN; shape.input()];
    game.planes(&mut numbers);
    numbers.chunks(36).map(<[f32]>::to_vec).collect()
}

fn drawn(rows: &str) -> Vec<f32> {
    let marks = rows.chars().filter(|mark| !mark.is_whitespace());
    marks.map(|mark| f32::from(mark == 'x')).collect()
}

#[test]
fn the_mover_sees_the_board_from_its_own_side() {
    let game = position("b5/6/6/1r4/6/6 b 25");
    let planes = planes(&game);
    assert_eq!(
        planes[0],
        drawn("...... ...... ...... ...... ...... .....x")
    );
    assert_eq!(
        planes[1],
        drawn("...... ...... ....x. ...... ...... ......")
    );
    assert_eq!(
        planes[2],
        drawn(".x..x. xxxxxx .x..x. .x..x. xxxxxx .x..x.")
    );
    assert_eq!(
        planes[3],
        drawn("..xx.. ..xx.. xxxxxx xxxxxx ..xx.. ..xx..")
    );
    assert_eq!(planes[4..], [0.5, 0.0, 1.0].map(|number| vec![number; 36]));
    // A6-A5 goes from the mover's bottom right corner to the point above it.
    assert_eq!(game.index(game.parse_move("A6-A5").unwrap()), 35 * 36 + 29);
    let red = position("b5/6/6/1r4/6/6 r 0");
    assert_eq!(red.index(red.parse_move("B3-A4").unwrap()), 19 * 36 + 12);
}

#[test]
fn changing_sides_changes_the_planes_only_in_the_side() {
    along_random_games(3, |game| {
        if let Status::ToMove(_) = game.status() {
            let (mut here, mut there) = (planes(game), planes(&game.map(Symmetry(8))));
            assert_ne!(here.pop(), there.pop());
            assert_eq!(here, there);
        }
    });
}

#[test]
fn the_planes_show_a_position_that_stood_on_the_board_before() {
    let variant = Variant {
        repetition: Repetition::Third,
        ..Variant::default()
    };
    let mut game = position_under(START, &variant);
    play(&mut game, "A2-A3 A5-A4 A3-A2");
    assert_eq!(planes(&game)[5], vec![0.0; 36]);
    play(&mut game, "A4-A5");
    assert_eq!(planes(&game)[5], vec![1.0; 36]);
}

#[test]
fn sixteen_symmetries_differ_and_carry_the_history() {
    let before = played("b1b3/1b4/6/3r2/r5/1r4 r 5", "D3-D4 B5-B4 D4-D3");
    let symmetries = before.symmetries();
    assert_eq!(symmetries.len(), 16);
    let texts: Vec<_> = symmetries
        .iter()
        .map(|&symmetry| before.map(symmetry).text())
        .collect();
    let mut distinct = texts.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), 16);
    let last = before.parse_move("B4-B5").unwrap();
    for &symmetry in symmetries {
        let mut mapped = before.map(symmetry);
        mapped.play(before.map_move(symmetry, last));
        assert_eq!(mapped.status(), DRAWN, "symmetry {}", symmetry.0);
        assert!(mapped.repeats());
    }
}
