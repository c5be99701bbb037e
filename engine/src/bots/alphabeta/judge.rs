//! What the search asks of a game, and the scale of scores.

use crate::encode::Encode;
use crate::game::{Outcome, Side, Value};

/// Judged positions stay within this score either way; what lies beyond is a win in sight.
pub const MOST_JUDGED: i32 = 1_000_000;

/// The score of a game won at the root. Each ply until the win takes one off.
const WON: i32 = MOST_JUDGED + 1_000;

/// The score at which the value shown is tanh 1, about 0.76: three stones ahead.
const SHOWN_SCALE: f64 = 300.0;

/// A game without chance whose positions can be judged without search.
///
/// All scores are as `Side::First` sees them; a stone is worth about 100.
pub trait Judge: Encode {
    /// How good the position is, from -[`MOST_JUDGED`] to [`MOST_JUDGED`]. It must depend on nothing but
    /// what [`Game::key`](crate::Game::key) covers. The game is not over.
    fn judge(&self) -> i32;

    /// How many enemy stones a legal ply takes, now or for the squares it makes; 0 for a quiet one.
    /// Plies that take are tried before those that do not.
    fn gain(&self, mv: Self::Move) -> u32;

    /// A key of what the next `plies` plies depend on beyond [`Game::key`](crate::Game::key): earlier positions that may
    /// come again, and counters of the rules that may run out. What was found at one position counts at
    /// another only if both keys are equal, so that no draw by history is hidden.
    fn past(&self, _plies: u32) -> u64 {
        0
    }
}

/// Whether a score says that the game is won for one side.
pub fn is_decided(score: i32) -> bool {
    score.abs() > MOST_JUDGED
}

/// The score of a game that ended `ply` plies below the root. A quick win is worth more than a slow one.
pub(super) fn ended(outcome: Outcome, ply: usize) -> i32 {
    match outcome {
        Outcome::Win(Side::First) => WON - ply as i32,
        Outcome::Win(Side::Second) => ply as i32 - WON,
        Outcome::Draw | Outcome::Truncated => 0,
    }
}

/// The score as a position `ply` plies below the root sees it: plies until a win count from there.
pub(super) fn seen_from(score: i32, ply: usize) -> i32 {
    if is_decided(score) {
        score + score.signum() * ply as i32
    } else {
        score
    }
}

/// The reverse of [`seen_from`].
pub(super) fn seen_from_root(score: i32, ply: usize) -> i32 {
    if is_decided(score) {
        score - score.signum() * ply as i32
    } else {
        score
    }
}

/// A score on the scale of values.
pub(super) fn shown(score: i32) -> Value {
    if is_decided(score) {
        Value(f64::from(score.signum()))
    } else {
        Value((f64::from(score) / SHOWN_SCALE).tanh())
    }
}
