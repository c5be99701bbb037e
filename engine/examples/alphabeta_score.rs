//! How alpha-beta scores in Surakarta: `alphabeta_score DEPTH OTHER_DEPTH [PAIRS]`; depth 0 is random play.
//!
//! Each pair has one opening of six random plies, played twice with the sides exchanged.

use std::time::{Duration, Instant};

use engine::bots::alphabeta::{AlphaBeta, Budget};
use engine::draws::{Purpose, keyed};
use engine::games::surakarta::{Start, Surakarta, Variant};
use engine::opening::first_position;
use engine::{Game, Outcome, Side, Status};
use rand::RngExt;

const SEED: u64 = 1;
const OPENING_PLIES: u32 = 6;

fn main() {
    let asked: Vec<u64> = std::env::args()
        .skip(1)
        .filter_map(|text| text.parse().ok())
        .collect();
    let [depth, other, ref pairs @ ..] = asked[..] else {
        eprintln!("two depths are needed, as in: alphabeta_score 4 2");
        std::process::exit(2)
    };
    let pairs = pairs.first().copied().unwrap_or(100);
    let mut players = [depth, other].map(Seat::new);
    let (mut points, mut results) = (0.0, [0; 3]);
    for (pair, first) in (0..pairs).flat_map(|pair| [(pair, Side::First), (pair, Side::Second)]) {
        let place = match play(pair, first, &mut players) {
            Outcome::Win(side) if side == first => 0,
            Outcome::Win(_) => 2,
            Outcome::Draw | Outcome::Truncated => 1,
        };
        results[place] += 1;
        points += [1.0, 0.5, 0.0][place];
    }
    let [wins, draws, losses] = results;
    println!(
        "{} games: won {wins}, drawn {draws}, lost {losses}, score {:.1} %",
        2 * pairs,
        100.0 * points / (2 * pairs) as f64
    );
    for player in players {
        let seconds = player.time.as_secs_f64();
        println!(
            "depth {}: {:.0} nodes a move, {:.2} million a second",
            player.depth,
            player.nodes as f64 / player.moves.max(1) as f64,
            player.nodes as f64 / seconds / 1e6
        );
    }
}

struct Seat {
    depth: u64,
    search: AlphaBeta<Surakarta>,
    nodes: u64,
    moves: u64,
    time: Duration,
}

impl Seat {
    fn new(depth: u64) -> Seat {
        Seat {
            depth,
            search: AlphaBeta::new(Budget::Depth(depth as usize)),
            nodes: 0,
            moves: 0,
            time: Duration::ZERO,
        }
    }
}

fn play(pair: u64, first: Side, players: &mut [Seat; 2]) -> Outcome {
    let mut draws = keyed(SEED, Purpose::Start, pair, 0);
    let mut game: Surakarta = first_position(
        &Variant::default(),
        &Start::default(),
        OPENING_PLIES,
        &mut draws,
    )
    .expect("openings of six plies exist");
    let mut moves = Vec::new();
    for ply in 0.. {
        let side = match game.status() {
            Status::Over(outcome) => return outcome,
            Status::ToMove(side) => side,
            Status::Rolling => unreachable!("Surakarta has no dice"),
        };
        let mut draws = keyed(SEED, Purpose::Choice, 2 * pair + first.index() as u64, ply);
        let player = &mut players[usize::from(side != first)];
        if player.depth == 0 {
            game.moves(&mut moves);
            game.play(moves[draws.random_range(0..moves.len())]);
            continue;
        }
        let began = Instant::now();
        let found = player.search.search(&game, &mut draws);
        player.time += began.elapsed();
        player.nodes += found.nodes;
        player.moves += 1;
        game.play(found.best);
    }
    unreachable!("a game ends by its limit on quiet plies (S8)")
}
