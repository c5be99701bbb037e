//! How the pattern player scores against random play, and how fast: `pattern_score [SIZE] [PAIRS]`.

use std::time::Instant;

use engine::bots::pattern_player;
use engine::draws::{Purpose, keyed};
use engine::games::jiu::{Jiu, Start, Variant};
use engine::{Game, Outcome, Side, Status};
use rand::RngExt;

const SEED: u64 = 1;

fn main() {
    let mut asked = std::env::args().skip(1).map(|text| text.parse().ok());
    let size = asked.next().flatten().unwrap_or(14);
    let pairs: u64 = asked.next().flatten().unwrap_or(50);
    let size = u8::try_from(size).unwrap_or(0);
    let mut ends = [0_u32; 4];
    let mut plies = 0;
    let began = Instant::now();
    for pair in 0..pairs {
        for side in Side::BOTH {
            let (end, played) = play(size, pair, side);
            ends[end] += 1;
            plies += played;
        }
    }
    let seconds = began.elapsed().as_secs_f64();
    let [wins, draws, truncated, losses] = ends;
    let games = 2 * pairs;
    println!(
        "{size}×{size}, {games} games: wins {wins}, draws {draws}, truncated {truncated}, losses {losses}; {:.0} plies and {:.3} s a game",
        plies as f64 / games as f64,
        seconds / games as f64
    );
}

/// How a game ends for the pattern player as `player` (win, draw, truncated, loss), and its plies.
fn play(size: u8, pair: u64, player: Side) -> (usize, u64) {
    let mut draws = keyed(SEED, Purpose::Start, pair, 0);
    let mut game = Jiu::start(&Variant::sized(size), &Start::Empty, &mut draws)
        .expect("the size is one of 6, 8, 10, 12, 14");
    let mut plies = Vec::new();
    for ply in 0.. {
        let mut draws = keyed(SEED, Purpose::Choice, pair * 2 + player.index() as u64, ply);
        match game.status() {
            Status::ToMove(side) if side == player => {
                game.play(pattern_player::choose(&game, &mut draws));
            }
            Status::ToMove(_) => {
                game.moves(&mut plies);
                game.play(plies[draws.random_range(0..plies.len())]);
            }
            Status::Over(outcome) => {
                let end = match outcome {
                    Outcome::Win(side) if side == player => 0,
                    Outcome::Draw => 1,
                    Outcome::Truncated => 2,
                    Outcome::Win(_) => 3,
                };
                return (end, ply);
            }
            Status::Rolling => unreachable!("Jiu has no dice"),
        }
    }
    unreachable!("a game ends at its cap on plies (J9)")
}
