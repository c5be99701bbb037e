//! Rules, notation, encodings, search and simple players of the games of tribord.
//!
//! The crate has no threads, no files and no clock of its own: randomness comes in as an argument
//! ([`draws`]), evaluation through a trait ([`search::Evaluator`]).

pub mod bits;
pub mod bots;
pub mod conformance;
pub mod draws;
pub mod encode;
pub mod game;
pub mod games;
pub mod keys;
pub mod opening;
pub mod perft;
pub mod search;
pub mod text;

pub use encode::{Encode, Head, Shape, Symmetry};
pub use game::{Game, IllegalMove, Listing, Outcome, Roll, Side, Status, Value};
pub use keys::Key;
pub use perft::Perft;
pub use text::TextError;
