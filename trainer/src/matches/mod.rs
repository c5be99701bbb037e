//! Matches between players: specs, players, games in pairs, and what their results say.

mod players;
mod runner;
mod score;
mod spec;

pub use players::{Player, Seat, SeatError, Turn};
pub use runner::{GameResult, MatchPlan, play_match};
pub use score::{Gate, Score};
pub use spec::{OtherGame, PlayerSpec, SpecError};
