//! How the static player scores against random play: `static_score [PAIRS]`.
//!
//! Each pair has one set-up and one row of dice, played twice with the sides exchanged.

use engine::bots::static_player;
use engine::draws::{Purpose, keyed};
use engine::games::einstein::{Einstein, Rules, Setup};
use engine::{Game, Outcome, Roll, Side, Status};
use rand::RngExt;

const SEED: u64 = 1;

fn main() {
    let asked = std::env::args().nth(1).and_then(|text| text.parse().ok());
    let pairs: u64 = asked.unwrap_or(10_000);
    let scores: Vec<f64> = (0..pairs)
        .map(|pair| Side::BOTH.map(|side| play(pair, side)).iter().sum::<f64>() / 2.0)
        .collect();
    let count = pairs as f64;
    let mean = scores.iter().sum::<f64>() / count;
    let spread = scores
        .iter()
        .map(|score| (score - mean).powi(2))
        .sum::<f64>()
        / (count - 1.0);
    let half = 1.96 * (spread / count).sqrt();
    println!("{pairs} pairs: static scores {mean:.4} ± {half:.4} against random (95 %)");
}

/// 1 when the static player wins as `player`, otherwise 0.
fn play(pair: u64, player: Side) -> f64 {
    let mut draws = keyed(SEED, Purpose::Start, pair, 0);
    let mut game = Einstein::start(&Rules {}, &Setup::Random, &mut draws)
        .expect("a random set-up always exists");
    let mut plies = Vec::new();
    for ply in 0.. {
        match game.status() {
            Status::Rolling => {
                let face = keyed(SEED, Purpose::Roll, pair, ply).random_range(0..6);
                game.settle(Roll(face));
            }
            Status::ToMove(side) if side == player => game.play(static_player::choose(&game)),
            Status::ToMove(side) => {
                game.moves(&mut plies);
                let mut draws = keyed(SEED, Purpose::Choice, pair * 2 + side.index() as u64, ply);
                game.play(plies[draws.random_range(0..plies.len())]);
            }
            Status::Over(outcome) => return f64::from(u8::from(outcome == Outcome::Win(player))),
        }
    }
    unreachable!("a game ends after at most 69 plies (E6)")
}
