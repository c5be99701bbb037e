//! Alpha-beta search for games of two players without chance, with an evaluation of each game.
//!
//! The search deepens iteratively, tries the best reply known first, remembers positions in a table of
//! bounded size, and tests all but the first move with an empty window (principal variation search; see
//! T. A. Marsland, "A review of game-tree pruning", ICCA Journal 9 (1), 1986). It selects nothing and
//! extends nothing, so that a finished depth has the value of a full minimax to that depth.
//!
//! Scores are absolute: `Side::First` wants them high and `Side::Second` low, whoever moves how many
//! plies in a row. Nothing changes sign with depth.

mod jiu;
mod judge;
mod order;
mod search;
mod surakarta;
mod table;
mod window;

pub use judge::{Judge, MOST_JUDGED, is_decided};
pub use search::{AlphaBeta, Budget, Found, FoundMove, MOST_PLIES};
