//! The public set of positions on which regret is measured. docs/formats.md describes the generator.

use std::collections::HashSet;

use engine::bots::static_player;
use engine::draws::{Purpose, keyed};
use engine::games::einstein::{Einstein, Rules, Setup};
use engine::search::{Evaluations, Evaluator, Leaf};
use engine::{Game, Roll, Side, Status, Value};
use models::NetEvaluator;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Seed of the set. Another number would be another set.
const SEED: u64 = 2014;

/// One ply in this many of the sensible games is random, so that they differ in more than dice.
const RANDOM_SHARE: u32 = 4;

/// Games after which the generator ends although positions are missing, for each position asked for.
const GAMES_A_POSITION: u64 = 1_000;

/// A position after each face of the die.
pub(super) fn faces(before: &Einstein) -> [Einstein; 6] {
    std::array::from_fn(|face| {
        let mut after = *before;
        after.settle(Roll(face as u8));
        after
    })
}

/// The net's own values of positions in which a side is to move, without any search.
pub(super) fn values(net: &mut NetEvaluator, positions: &[Einstein]) -> Vec<Value> {
    let mut moves = vec![Vec::new(); positions.len()];
    for (position, moves) in positions.iter().zip(&mut moves) {
        position.moves(moves);
    }
    // A leaf may draw; a net does not.
    let mut unused = vec![keyed(0, Purpose::Choice, 0, 0); positions.len()];
    let mut leaves: Vec<_> = positions
        .iter()
        .zip(&moves)
        .zip(&mut unused)
        .map(|((position, moves), draws)| Leaf {
            position,
            moves,
            draws,
        })
        .collect();
    let mut found = Evaluations::default();
    net.evaluate(&mut leaves, &mut found);
    (0..positions.len())
        .map(|index| found.get(index).1)
        .collect()
}

/// Cubes of both sides.
pub(crate) fn cubes(game: &Einstein) -> usize {
    let alive = Side::BOTH.map(|side| game.alive(side).count_ones());
    (alive[0] + alive[1]) as usize
}

/// `count` different positions before the roll with 2 to `most` cubes, equally many of each number, in
/// the order in which the generator meets them. Fewer where the games do not have as many.
pub fn public_set(count: usize, most: u8) -> Vec<Einstein> {
    let kinds = usize::from(most) - 1;
    // What cannot be dealt out evenly goes to the fewest cubes.
    let mut wanted: Vec<_> = (0..kinds)
        .map(|kind| count / kinds + usize::from(kind < count % kinds))
        .collect();
    let mut seen = HashSet::new();
    let mut set = Vec::new();
    for number in 0..GAMES_A_POSITION * count as u64 {
        if set.len() == count {
            break;
        }
        let mut draws = keyed(SEED, Purpose::Statistics, number, 0);
        let met = play(number % 2 == 1, usize::from(most), &mut draws);
        for (wanted, positions) in wanted.iter_mut().zip(&met[2..]) {
            if positions.is_empty() {
                continue;
            }
            let chosen = positions[draws.random_range(0..positions.len())];
            if *wanted > 0 && seen.insert(chosen.key()) {
                *wanted -= 1;
                set.push(chosen);
            }
        }
    }
    set
}

/// Plays a game, random or sensible, and returns its positions before a roll by their number of cubes.
fn play(sensible: bool, most: usize, draws: &mut ChaCha8Rng) -> Vec<Vec<Einstein>> {
    let mut met = vec![Vec::new(); most + 1];
    let mut game =
        Einstein::start(&Rules {}, &Setup::Random, draws).expect("a random set-up always exists");
    let mut plies = Vec::new();
    loop {
        match game.status() {
            Status::Over(_) => return met,
            Status::Rolling => {
                if let Some(met) = met.get_mut(cubes(&game)) {
                    met.push(game);
                }
                game.settle(Roll(draws.random_range(0..6)));
            }
            Status::ToMove(_) => {
                game.moves(&mut plies);
                let random = plies[draws.random_range(0..plies.len())];
                let by_rule = sensible && draws.random_range(0..RANDOM_SHARE) > 0;
                game.play(if by_rule {
                    static_player::choose(&game)
                } else {
                    random
                });
            }
        }
    }
}
