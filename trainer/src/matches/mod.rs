//! Matches between players: specs, players, games in pairs, and what their results say.

mod bots;
mod contest;
mod einstein;
mod engine;
mod fault;
mod player;
mod runner;
mod score;
mod searcher;
mod seat;
mod spec;
mod table;

pub use contest::{Contest, ContestGame, ContestMatch, Reason};
pub use engine::{EngineError, EngineSetup, GRACE, PROTOCOL};
pub use fault::Fault;
pub use player::{Player, Turn};
pub use runner::{GAMES_AT_ONCE, Hall, MatchPlan, bouts_of_pair, play_games, play_match};
pub use score::{Adjusted, Gate, Score};
pub use seat::{Seat, SeatError, WATCHDOG};
pub use spec::{MOST_SIMULATIONS, OtherGame, PlayerSpec, SpecError, Thought};
pub use table::{Bout, Course, CourseStep, GameResult, Openings, Played};
