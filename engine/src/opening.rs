//! First positions of games: the start, then random plies that make it one of many.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use crate::draws;
use crate::game::{Game, Status};
use crate::text::TextError;

/// Openings tried before a start is given up.
const TRIES: u32 = 1000;

/// A first position followed by `plies` random legal plies (rolls not counted), none of which ends
/// the game. A side is to move or a roll is due in it. The game begins there: as in its text, nothing
/// that stood before counts as repeated.
///
/// # Errors
/// A start that cannot be made, or one from which no opening of this length leaves the game going.
pub fn first_position<G: Game>(
    variant: &G::Variant,
    start: &G::Start,
    plies: u32,
    draws: &mut ChaCha8Rng,
) -> Result<G, TextError> {
    after_random_plies(|draws| G::start(variant, start, draws), plies, draws)
}

/// The same from starts of another origin, one of which is drawn for each try.
///
/// # Errors
/// As [`first_position`].
pub fn after_random_plies<G: Game>(
    mut start: impl FnMut(&mut ChaCha8Rng) -> Result<G, TextError>,
    plies: u32,
    draws: &mut ChaCha8Rng,
) -> Result<G, TextError> {
    for _ in 0..TRIES {
        let first = start(draws)?;
        if let Some(position) = play_randomly(first, plies, draws) {
            return G::parse(&position.text(), position.variant());
        }
    }
    Err(TextError::at(
        1,
        format!("none of {TRIES} openings of {plies} random plies left the game going"),
    ))
}

fn play_randomly<G: Game>(mut position: G, plies: u32, draws: &mut ChaCha8Rng) -> Option<G> {
    let mut moves = Vec::new();
    let mut played = 0;
    loop {
        match position.status() {
            Status::Over(_) => return None,
            _ if played == plies => return Some(position),
            Status::Rolling => {
                let roll = draws::roll(&position, draws);
                position.settle(roll);
            }
            Status::ToMove(_) => {
                position.moves(&mut moves);
                position.play(moves[draws.random_range(0..moves.len())]);
                played += 1;
            }
        }
    }
}
