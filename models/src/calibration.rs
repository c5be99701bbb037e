//! Positions of a game to measure a network on, out of games that are played for them.

use engine::draws::{self, Purpose, keyed};
use engine::{Encode, Status};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// The seed of the calibration's games, of no meaning.
const SEED: u64 = 0x1278;

/// Planes of `count` positions, `[count, planes, rows, columns]`: of random games from the variant's
/// default start, a few positions of each game, from all its length. The same on every call.
pub fn positions<G: Encode>(variant: &G::Variant, count: usize) -> Vec<f32> {
    let size = G::shape(variant).input();
    let mut planes = vec![0.0; count * size];
    let mut slots = planes.chunks_exact_mut(size);
    let random = |_, _: &G, moves: &[G::Move], draws: &mut ChaCha8Rng| uniform(moves, draws);
    pass_by(variant, SEED, random, |position| {
        slots.next().map(|slot| position.planes(slot)).is_some()
    });
    planes
}

/// Plays games from the variant's default start, one after the other, and shows some positions of each,
/// from all its length, for as long as `show` is true. `choose` gets the game's number from 0.
pub(crate) fn pass_by<G: Encode>(
    variant: &G::Variant,
    seed: u64,
    mut choose: impl FnMut(u64, &G, &[G::Move], &mut ChaCha8Rng) -> G::Move,
    mut show: impl FnMut(&G) -> bool,
) {
    let mut moves = Vec::new();
    for number in 0.. {
        let mut draws = keyed(seed, Purpose::Start, number, 0);
        let game = G::start(variant, &G::Start::default(), &mut draws);
        let mut game = game.expect("every variant has a default start");
        // The distance between the positions taken from a game grows with the game's length.
        let (mut ply, mut next) = (0_u32, draws.random_range(0..4));
        loop {
            match game.status() {
                Status::Over(_) => break,
                Status::Rolling => {
                    let roll = draws::roll(&game, &mut draws);
                    game.settle(roll);
                }
                Status::ToMove(_) => {
                    if ply == next {
                        if !show(&game) {
                            return;
                        }
                        next = ply + 1 + draws.random_range(0..=1 + ply / 2);
                    }
                    game.moves(&mut moves);
                    let mv = choose(number, &game, &moves, &mut draws);
                    game.play(mv);
                    ply += 1;
                }
            }
        }
    }
}

/// Any of the moves, all equally likely.
pub(crate) fn uniform<M: Copy>(moves: &[M], draws: &mut ChaCha8Rng) -> M {
    moves[draws.random_range(0..moves.len())]
}
