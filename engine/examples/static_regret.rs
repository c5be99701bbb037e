//! What the static player's plies give away against exact play, in the games it plays against itself:
//! `static_regret [GAMES]`.
//!
//! Positions with more cubes than the table has are valued by expectimax where the bound allows it.

use engine::bots::static_player;
use engine::draws::{Purpose, keyed};
use engine::games::einstein::exact::{Build, Exact, Table};
use engine::games::einstein::{Einstein, Rules, Setup};
use engine::{Game, Roll, Side, Status};
use rand::RngExt;

const SEED: u64 = 2;
const TABLE_CUBES: u8 = 4;
const MOST_POSITIONS: usize = 5_000;

/// Sums over the plies that were chosen with one number of cubes on the board.
#[derive(Clone, Copy, Default)]
struct Row {
    plies: u32,
    valued: u32,
    regret: f64,
}

fn main() {
    let asked = std::env::args().nth(1).and_then(|text| text.parse().ok());
    let mut build = Build::new(TABLE_CUBES).expect("the table's size is allowed");
    build.run();
    let table = Table::from_bytes(build.to_bytes()).expect("a table reads what it wrote");
    let exact = Exact::new(Some(table), MOST_POSITIONS);
    let mut rows = [Row::default(); 13];
    for number in 0..asked.unwrap_or(1_000) {
        play(number, &exact, &mut rows);
    }
    println!("cubes  plies  valued  mean winning probability lost");
    for (cubes, row) in rows.iter().enumerate().filter(|(_, row)| row.plies > 0) {
        let mean = match row.valued {
            0 => "-".to_string(),
            valued => format!("{:.4}", row.regret / f64::from(valued)),
        };
        println!("{cubes:5}  {:5}  {:6}  {mean}", row.plies, row.valued);
    }
}

fn play(number: u64, exact: &Exact<Vec<u8>>, rows: &mut [Row; 13]) {
    let mut draws = keyed(SEED, Purpose::Start, number, 0);
    let mut game = Einstein::start(&Rules {}, &Setup::Random, &mut draws)
        .expect("a random set-up always exists");
    loop {
        match game.status() {
            Status::Rolling => game.settle(Roll(draws.random_range(0..6))),
            Status::Over(_) => return,
            Status::ToMove(_) => {
                let ply = static_player::choose(&game);
                let cubes = Side::BOTH.map(|side| game.alive(side).count_ones() as usize);
                let row = &mut rows[cubes[0] + cubes[1]];
                row.plies += 1;
                if let Some(regret) = exact.regret(&game, ply) {
                    row.valued += 1;
                    row.regret += regret;
                }
                game.play(ply);
            }
        }
    }
}
