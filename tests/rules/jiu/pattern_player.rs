//! The pattern player: each idea in a position, and games against random play.

use engine::bots::pattern_player::choose;
use engine::draws::{Purpose, keyed};
use engine::games::jiu::{Jiu, Move, SIZES, Spot, Start, Variant};
use engine::{Game, Outcome, Side, Status};
use rand::RngExt;

use super::boards::{cases, play};

/// The player's whole turn as text; each ply has draws of its own.
fn turn(game: &Jiu, seed: u64) -> String {
    let mut now = *game;
    let mut plies = Vec::new();
    while plies.is_empty() || now.in_mid_turn() {
        let ply = choose(
            &now,
            &mut keyed(seed, Purpose::Choice, 0, plies.len() as u64),
        );
        now.try_play(ply).unwrap();
        plies.push(ply);
    }
    game.turn_text(&plies).unwrap()
}

/// Whether the player's path is the expected one under several draws.
fn plays(game: &Jiu, path: &str) {
    for seed in 0..4 {
        let turn = turn(game, seed);
        assert_eq!(turn.split('+').next(), Some(path), "{turn}");
    }
}

#[test]
fn a_gate_is_filled_and_makes_a_square() {
    plays(
        &cases('b', ". . . . . .\n. b . b . .\n. b b . . .\n. . . . . ."),
        "D3-C3",
    );
}

#[test]
fn the_chain_that_takes_most_is_jumped() {
    let game = cases(
        'b',
        ". . . . . .\n. . . w . .\n. . w . . .\n. . b . . .\n. . . . . .",
    );
    plays(&game, "C2xC4xE4");
}

#[test]
fn a_dalian_goes_back_and_forth() {
    let drawing = "
        . . . . . . . . . .
        . b b . . . . . . .
        . b b . b . . . . .
        . . . b b . . . . .
        . . . . . . . . w .";
    let mut game = cases('b', drawing);
    let mut white = Spot::new(8, 0);
    for path in ["C3-D3", "D3-C3", "C3-D3"] {
        plays(&game, path);
        // White's lone stone, which the test spares, steps to and fro.
        let text = format!("{path}+{}", spared(&game, path, white).name());
        play(&mut game, &[&text]);
        let next = Spot::new(17 - white.column(), 0);
        play(&mut game, &[&format!("{}-{}", white.name(), next.name())]);
        white = next;
    }
}

/// The stone that the player removes after a path, or another one if that is `spare`.
fn spared(game: &Jiu, path: &str, spare: Spot) -> Spot {
    let turn = turn(game, 1);
    let removed = turn
        .strip_prefix(path)
        .and_then(|rest| rest.strip_prefix('+'));
    let all = game.stones(Side::First).iter().map(Spot);
    let mut stones = all.filter(|&stone| stone != spare);
    let found = stones
        .clone()
        .find(|stone| Some(stone.name().as_str()) == removed);
    found.or_else(|| stones.next()).unwrap()
}

#[test]
fn a_removal_breaks_the_enemys_dalian() {
    let drawing = "
        . . . . . . . . . .
        . b . b . . . w w .
        . b b . . . . w w . w
        . . . . . . . . . w w
        . . . . . . . . . .";
    let mut game = cases('b', drawing);
    let threatened = game.threats(Side::First).dalians;
    assert_eq!(threatened.count(), 1);
    let turn = turn(&game, 3);
    assert!(turn.starts_with("D4-C4+"), "{turn}");
    play(&mut game, &[&turn]);
    assert!(game.threats(Side::First).dalians.is_empty(), "{turn}");
}

#[test]
fn in_the_layout_a_triangle_is_filled_by_either_side() {
    for text in [
        "b7/8/8/4b3/2ww4/2w5/8/7b w layout",
        "b6w/8/8/4b3/2ww4/2w5/8/7b b layout",
    ] {
        let game = Jiu::parse(text, &Variant::default()).unwrap();
        plays(&game, "D3");
    }
}

/// Plays a game against random play; the outcome.
fn against_random(size: u8, number: u64, player: Side) -> Outcome {
    let mut draws = keyed(4, Purpose::Start, number, 0);
    let mut game = Jiu::start(&Variant::sized(size), &Start::Empty, &mut draws).unwrap();
    let mut plies = Vec::new();
    loop {
        match game.status() {
            Status::ToMove(side) if side == player => {
                let ply = choose(&game, &mut draws);
                game.try_play(ply).unwrap();
            }
            Status::ToMove(_) => {
                game.moves(&mut plies);
                game.play(plies[draws.random_range(0..plies.len())]);
            }
            Status::Over(outcome) => return outcome,
            Status::Rolling => unreachable!(),
        }
    }
}

#[test]
fn random_play_is_beaten() {
    let mut wins = 0;
    for number in 0..10 {
        for side in Side::BOTH {
            wins += u32::from(against_random(8, number, side) == Outcome::Win(side));
        }
    }
    assert!(wins >= 18, "{wins} of 20 games");
}

/// The plies of a game of the player against itself, at most `most`.
fn own_game(size: u8, most: u64) -> Vec<Move> {
    let mut game = Jiu::empty(&Variant::sized(size)).unwrap();
    let mut plies = Vec::new();
    while let (Status::ToMove(_), true) = (game.status(), (plies.len() as u64) < most) {
        let ply = choose(&game, &mut keyed(6, Purpose::Choice, 0, plies.len() as u64));
        game.try_play(ply).unwrap();
        plies.push(ply);
    }
    plies
}

#[test]
fn the_same_draws_give_the_same_legal_game_on_every_board() {
    for size in SIZES {
        let layout = u64::from(size) * u64::from(size);
        let plies = own_game(size, layout + 20);
        assert!(plies.len() as u64 > layout, "the battle is reached");
        assert_eq!(own_game(size, layout + 20), plies);
    }
}

#[test]
fn a_board_full_of_chains_gets_an_answer() {
    // White stands between all points of the lattice A1, C1, E1 …: the chains are beyond counting.
    let row = |row| match row {
        1 => "bw1w1w1w1w1w2",
        14 => "14",
        odd if odd % 2 == 1 => "1w1w1w1w1w1w2",
        _ => "wbwbwbwbwbwbw1",
    };
    let rows: Vec<_> = (1..=14).rev().map(row).collect();
    let text = format!("{} b battle", rows.join("/"));
    let mut game = Jiu::parse(&text, &Variant::default()).unwrap();
    while game.side() == Side::Second {
        let ply = choose(&game, &mut keyed(1, Purpose::Choice, 0, 0));
        game.try_play(ply).unwrap();
    }
    assert!(game.count(Side::First) < 84);
}
