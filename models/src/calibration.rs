//! Positions of a game to measure a network's activations on.

use engine::draws::{self, Purpose, keyed};
use engine::{Encode, Status};
use rand::RngExt;

/// The seed of the calibration's games, of no meaning.
const SEED: u64 = 0x1278;

/// Planes of `count` positions, `[count, planes, rows, columns]`: of random games from the variant's
/// default start, a few positions of each game, from all its length. The same on every call.
pub fn positions<G: Encode>(variant: &G::Variant, count: usize) -> Vec<f32> {
    let size = G::shape(variant).input();
    let mut planes = vec![0.0; count * size];
    let mut slots = planes.chunks_exact_mut(size);
    let mut moves = Vec::new();
    for number in 0.. {
        let mut draws = keyed(SEED, Purpose::Start, number, 0);
        let Ok(mut game) = G::start(variant, &G::Start::default(), &mut draws) else {
            break;
        };
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
                        let Some(slot) = slots.next() else {
                            return planes;
                        };
                        game.planes(slot);
                        next = ply + 1 + draws.random_range(0..=1 + ply / 2);
                    }
                    game.moves(&mut moves);
                    game.play(moves[draws.random_range(0..moves.len())]);
                    ply += 1;
                }
            }
        }
    }
    planes
}
