//! What results say: pure functions from games to ratings, intervals, tests and cycles.
//!
//! The data's way: [`Game`]s → clusters of games that share luck → islands and strong components →
//! one joint fit → [`Standings`].

mod bounds;
mod clusters;
mod components;
mod couples;
mod cycles;
mod fit;
mod interval;
mod matrix;
mod sprt;
mod standings;

pub use couples::{Couple, verdict};
pub use cycles::cycles;
pub use interval::{NORMAL_95, mean_interval};
pub use sprt::{Sprt, SprtError, SprtReport, SprtVerdict};
pub use standings::{Advantage, Bearing, Line, Standings};

pub(crate) use couples::LEAST_DISTINCT_SHARE;

pub(crate) use clusters::Clusters;
pub(crate) use fit::Fit;
pub(crate) use interval::spread;

/// One game as ratings see it. Players are numbers into a list of names.
#[derive(Clone, PartialEq, Debug)]
pub struct Game {
    /// Who had the first move.
    pub first: usize,
    /// Who moved second.
    pub second: usize,
    /// How it ended.
    pub result: Result,
    /// The pair that the game belongs to: both games of it have the same start and dice and the sides
    /// swapped. A game without a pair stands alone.
    pub pair: Option<u64>,
    /// Equal for games with the same start, rolls and moves; none where the source does not say.
    pub fingerprint: Option<u64>,
    /// Whether a player lost by a fault of its own and not by the rules.
    pub fault: bool,
}

/// The end of a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Result {
    /// The first player won.
    First,
    /// Nobody won: drawn, or cut short by a cap.
    Level,
    /// The second player won.
    Second,
}

impl Result {
    /// Points of the first player in halves: 2, 1 or 0.
    pub const fn halves(self) -> u64 {
        match self {
            Result::First => 2,
            Result::Level => 1,
            Result::Second => 0,
        }
    }
}

/// Elo points of one natural unit of strength: `400 / ln 10`.
pub const ELO: f64 = 400.0 / std::f64::consts::LN_10;
