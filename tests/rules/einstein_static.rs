//! The static player of EinStein, rule by rule (docs/rules/einstein-static.md). Blue moves left and up.

use engine::bots::static_player::choose;
use engine::draws::{Purpose, keyed};
use engine::games::einstein::{Einstein, Rules, Setup};
use engine::{Encode, Game, Outcome, Roll, Side, Status, Symmetry};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

fn position(text: &str) -> Einstein {
    Einstein::parse(text, &Rules {}).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The player's ply in a position, which must be legal.
fn chosen(text: &str) -> String {
    let mut game = position(text);
    let ply = choose(&game);
    let ply_text = game.move_text(ply);
    game.try_play(ply).unwrap();
    ply_text
}

fn check(cases: &[(&str, &str)]) {
    for &(text, expected) in cases {
        assert_eq!(chosen(text), expected, "{text}");
    }
}

#[test]
fn a_cube_one_step_from_the_goal_goes_there_whatever_stands_around() {
    // S2.1, the three cells of figure 4.
    check(&[
        ("Cd3/BA3/5/5/4a b 4", "B4xA5"),
        ("AB3/d4/5/5/4f b 4", "B4xA5"),
        ("1B3/Cd3/5/5/4f b 4", "B4-A5"),
    ]);
}

#[test]
fn the_last_enemy_is_taken() {
    // S2.4.
    check(&[
        ("5/5/1A3/2f2/5 b 6", "B6xB3"),
        ("5/5/2A2/2f2/5 b 6", "B6xC3"),
        ("5/5/5/1Af2/5 b 6", "B6xB2"),
    ]);
}

#[test]
fn a_cube_runs_and_spares_enemies_when_annihilation_is_lost() {
    // S2.2: R5 has passed. Figure 5: up and diagonal are equally short, and R4 stands diagonally.
    check(&[
        ("5/5/1D3/2e2/3E1 b 5", "B5-C3"),
        ("5/5/5/2e2/3E1 b 5", "B5-B3"),
        ("5/5/5/e4/3E1 b 5", "B5-A3"),
        // The shortest way comes before the sparing.
        ("5/1D3/2e2/4E/5 b 5", "B5xB4"),
    ]);
    // Where B6 on E1 can still take R5, nothing is lost, and the diagonal leads on all the same.
    check(&[("1ABC1/5/1D3/2e2/3Ef b 5", "B5xB3")]);
}

#[test]
fn a_dangerous_enemy_is_taken_even_when_annihilation_is_lost() {
    check(&[("5/5/5/2D1E/3e1 b 5", "B5xC2")]);
}

#[test]
fn own_cubes_are_avoided_as_in_the_fifteen_drawn_cases() {
    // S2.3: B3 on C3 is to move; the cases are numbered as in figure 6.
    check(&[
        // 1: by assessment, here away from R1.
        ("F4/1a3/2c2/5/4f b 3", "B3-B3"),
        ("F4/1a3/A1c2/5/4f b 3", "B3-C4"),
        // 2 and 3.
        ("F4/2a2/2c2/5/4f b 3", "B3-B4"),
        ("F4/5/1ac2/5/4f b 3", "B3-B4"),
        // 4 and 5, with annihilation possible and lost.
        ("F4/1aD2/2c2/5/4f b 3", "B3xC4"),
        ("F4/1aD2/2c1E/5/5 b 3", "B3-B3"),
        ("F4/1a3/1Dc2/5/4f b 3", "B3xB3"),
        ("F4/1a3/1Dc1E/5/5 b 3", "B3-C4"),
        // 6 and 7, with another enemy and without.
        ("F4/2D2/1ac2/5/4f b 3", "B3-B4"),
        ("5/2D2/1ac2/5/4f b 3", "B3xC4"),
        ("F4/2a2/1Dc2/5/4f b 3", "B3-B4"),
        ("5/2a2/1Dc2/5/4f b 3", "B3xB3"),
        // 8 and 9: one of two enemies frees the other greatly, one of four does not.
        ("F4/1Da2/2c2/5/4f b 3", "B3-B3"),
        ("2ABC/1Da2/2c2/5/4f b 3", "B3xB4"),
        ("F4/1D3/1ac2/5/4f b 3", "B3-C4"),
        ("2ABC/1D3/1ac2/5/4f b 3", "B3xB4"),
        // 10: R3 leaves 4 and 6, R4 would leave the more mobile 3 and 6.
        ("F4/1aC2/1Dc2/5/4f b 3", "B3xC4"),
        ("F4/1aD2/1Cc2/5/4f b 3", "B3xB3"),
        // 11 and 12.
        ("F4/1Da2/1Cc2/5/4f b 3", "B3xB4"),
        ("F4/1DC2/1ac2/5/4f b 3", "B3xB4"),
        // 13, 14 and 15.
        ("F4/1Da2/1fc2/5/5 b 3", "B3xB4"),
        ("F4/1af2/1Dc2/5/5 b 3", "B3xB3"),
        ("F4/1aD2/1fc2/5/5 b 3", "B3xC4"),
        // Two own cubes and an empty cell, not drawn.
        ("F4/1af2/2c2/5/5 b 3", "B3-B3"),
        ("F4/1a3/1fc2/5/5 b 3", "B3-C4"),
        ("F4/2a2/1fc2/5/5 b 3", "B3-B4"),
    ]);
}

#[test]
fn a_dangerous_enemy_is_taken_as_in_the_four_drawn_cases() {
    // S2.4, figure 7: B3 on E1 is to move.
    check(&[
        ("F4/5/5/3D1/4c b 3", "B3xD2"),
        // 1: of R3 and R4 the loss of R3 leaves the less mobile rest.
        ("F4/5/5/4D/3Cc b 3", "B3xD1"),
        ("F4/5/5/4C/3Dc b 3", "B3xE2"),
        // 2 and 3.
        ("F4/5/5/3CD/4c b 3", "B3xD2"),
        ("F4/5/5/3C1/3Dc b 3", "B3xD2"),
        // 4: the loss of R1 of four is small, that of R3 between R1 and R6 is great.
        ("F4/5/5/3AD/3Cc b 3", "B3xD2"),
        ("5/5/5/3CF/3Ac b 3", "B3xE2"),
    ]);
}

#[test]
fn the_enemy_nearest_to_the_own_start_is_taken_first() {
    // R4 on D2 is one step from E1, R3 on D3 two.
    check(&[("F4/5/3C1/3De/5 b 5", "B5xD2")]);
}

#[test]
fn no_step_leads_between_three_enemies() {
    // S3: C3 lies before R1, R2 and R3.
    check(&[
        ("5/1AB2/1C3/3f1/4e b 6", "B6-C2"),
        ("5/5/1C3/3f1/4e b 6", "B6-C3"),
    ]);
}

#[test]
fn a_step_leads_between_two_enemies_only_when_their_numbers_differ_by_more_than_three() {
    // S3, figure 8.
    check(&[
        ("5/1A3/1D3/3f1/4e b 6", "B6-C2"),
        ("5/1A3/1E3/3f1/4e b 6", "B6-C3"),
        ("5/1AE2/5/3f1/4e b 6", "B6-C3"),
        ("5/2A2/1B3/3f1/4e b 6", "B6-C2"),
    ]);
}

#[test]
fn the_set_up_has_even_numbers_outside_and_odd_ones_inside() {
    // S4, figure 9: before each of 1, 3 and 5 stands the next larger number.
    let mut game = position("5/5/5/5/5 r setup");
    while let Status::ToMove(_) = game.status() {
        game.try_play(choose(&game)).unwrap();
    }
    assert_eq!(game.text(), "CAB2/ED3/F3f/3de/2bac r -");
}

#[test]
fn a_set_up_that_others_began_is_completed() {
    // R1 stands where R3 would go, so R3 takes the first cell that is left.
    let mut game = position("A4/5/5/5/5 r setup");
    while let Status::ToMove(_) = game.status() {
        game.try_play(choose(&game)).unwrap();
    }
    assert_eq!(game.alive(Side::First), 0b11_1111);
}

#[test]
fn inner_cubes_take_outer_ones_until_three_are_left() {
    // S4.
    check(&[
        ("CAB2/ED3/F3f/3de/2bac r 1", "R1xC5"),
        ("CAB2/ED3/F3f/3de/2bac r 3", "R3xB4"),
        ("CAB2/ED3/F3f/3de/2bac r 5", "R5xB4"),
        // Three are left.
        ("CAB2/5/5/5/2bac r 1", "R1-C4"),
        // R2 is a vanguard outside its home zone and is spared.
        ("C1A2/E2B1/5/5/2bac r 1", "R1-C4"),
        // An outer cube takes no inner one.
        ("CBA2/ED3/F3f/3de/2bac r 2", "R2-C4"),
    ]);
}

#[test]
fn of_two_movable_cubes_the_one_with_the_higher_score_moves() {
    // S5: the die shows a number between B1 and B6.
    check(&[
        // 10000 before 5000.
        ("F4/1a3/5/3C1/4f b 3", "B1xA5"),
        // 5000 before 1000.
        ("F4/5/2a2/3C1/4f b 3", "B6xD2"),
        // 1000 before 500.
        ("F4/5/2a1C/4f/5 b 3", "B1-B4"),
        // 500 before coordinates.
        ("F4/5/3aC/4f/5 b 3", "B6xE3"),
        // Coordinates: fewer steps to the goal; beyond the side diagonal; on the main diagonal.
        ("F4/1C3/3a1/4f/5 b 3", "B1-C4"),
        ("F4/5/3f1/4a/5 b 3", "B6-C4"),
        ("F4/5/1fa2/5/5 b 3", "B6-A4"),
        ("F4/5/3a1/3f1/5 b 3", "B6-C3"),
        // All equal: the smaller number.
        ("F4/5/3a1/2f2/5 b 3", "B1-C4"),
    ]);
}

#[test]
fn both_colours_play_alike() {
    for number in 0..200 {
        let mut draws = keyed(3, Purpose::Start, number, 0);
        let mut game = Einstein::start(&Rules {}, &Setup::Random, &mut draws).unwrap();
        while let Some(ply) = next(&mut game, &mut draws) {
            const CHANGE_OF_SIDES: Symmetry = Symmetry(8);
            let turned = game.map(CHANGE_OF_SIDES);
            let expected = game.map_move(CHANGE_OF_SIDES, ply);
            assert_eq!(choose(&turned), expected, "{}", game.text());
            game.try_play(ply).unwrap();
        }
    }
}

/// Rolls if a roll is due and gives the static player's ply; `None` at the end.
fn next(game: &mut Einstein, draws: &mut ChaCha8Rng) -> Option<engine::games::einstein::Ply> {
    if game.status() == Status::Rolling {
        game.settle(Roll(draws.random_range(0..6)));
    }
    matches!(game.status(), Status::ToMove(_)).then(|| choose(game))
}

#[test]
fn it_wins_four_games_of_five_against_random_play() {
    const PAIRS: u64 = 1_000;
    let mut wins = 0;
    for pair in 0..PAIRS {
        for player in Side::BOTH {
            wins += u64::from(winner_against_random(pair, player) == player);
        }
    }
    let score = wins as f64 / (2 * PAIRS) as f64;
    // 0.829 ± 0.005 over 10,000 pairs (engine/examples/static_score.rs); 0.03 is four deviations here.
    assert!((0.80..0.86).contains(&score), "{score}");
}

fn winner_against_random(pair: u64, player: Side) -> Side {
    let mut draws = keyed(4, Purpose::Start, pair, 0);
    let mut game = Einstein::start(&Rules {}, &Setup::Random, &mut draws).unwrap();
    let mut plies = Vec::new();
    loop {
        match game.status() {
            Status::Rolling => game.settle(Roll(draws.random_range(0..6))),
            Status::ToMove(side) if side == player => game.try_play(choose(&game)).unwrap(),
            Status::ToMove(_) => {
                game.moves(&mut plies);
                game.play(plies[draws.random_range(0..plies.len())]);
            }
            Status::Over(Outcome::Win(side)) => return side,
            Status::Over(_) => unreachable!("EinStein has no draws (E6)"),
        }
    }
}
