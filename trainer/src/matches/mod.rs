//! Matches between players: specs, players, games in pairs, and what their results say.

mod contest;
mod einstein;
mod players;
mod runner;
mod score;
mod spec;

pub use contest::{Contest, ContestGame, ContestMatch, Reason};
pub use players::{Player, Seat, SeatError, Turn};
pub use runner::{GameResult, MatchPlan, Played, play_games, play_match};
pub use score::{Adjusted, Gate, Score};
pub(crate) use score::{NORMAL_95, interval};
pub use spec::{OtherGame, PlayerSpec, SpecError};
