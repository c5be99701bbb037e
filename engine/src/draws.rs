//! Counter-based randomness: each ply of each game has a generator of its own.
//!
//! The generator depends on (seed, game, ply) alone and never on how much was drawn before, so games
//! are the same with any number of threads and after a resume.

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::game::{Game, Roll};

/// What a generator is for; two purposes never share a stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u64)]
pub enum Purpose {
    /// The first position of a game.
    Start = 1,
    /// Dice.
    Roll = 2,
    /// Noise, temperature and playouts of a player or of self-play.
    Choice = 3,
    /// Initial weights of a network.
    Weights = 4,
    /// Samples and symmetries of learning steps.
    Learning = 5,
    /// Resampling and simulations in statistics.
    Statistics = 6,
}

/// The generator for one purpose at one ply of one game under one seed.
pub fn keyed(seed: u64, purpose: Purpose, game: u64, ply: u64) -> ChaCha8Rng {
    let mut key = [0; 32];
    for (bytes, word) in key
        .chunks_exact_mut(8)
        .zip([seed, purpose as u64, game, ply])
    {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    ChaCha8Rng::from_seed(key)
}

/// A chance outcome of the position, drawn with its probability. The status must be `Rolling`.
#[inline]
pub fn roll(position: &impl Game, draws: &mut impl Rng) -> Roll {
    let rolls = position.rolls();
    let weights = rolls.iter().map(|&(_, probability)| probability);
    rolls[weighted(draws, weights)].0
}

/// An index drawn with the given weights, which must not all be zero.
pub fn weighted(draws: &mut impl Rng, weights: impl Iterator<Item = f64> + Clone) -> usize {
    let total: f64 = weights.clone().sum();
    assert!(total > 0.0, "a draw needs a positive total weight");
    let mut left = draws.random::<f64>() * total;
    let mut last = 0;
    for (index, weight) in weights.enumerate() {
        if weight > 0.0 {
            last = index;
            left -= weight;
            if left < 0.0 {
                break;
            }
        }
    }
    last
}
