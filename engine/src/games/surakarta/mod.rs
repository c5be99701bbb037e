//! Surakarta: steps on a 6×6 board, and captures that fly round its corner loops (docs/rules/surakarta.md).

mod arrays;
mod board;
mod drawing;
mod encoding;
mod history;
mod measures;
mod moves;
mod perft;
mod records;
mod state;
mod text;
mod tracks;
mod variant;

pub use arrays::Arrays;
pub use board::Square;
pub use moves::Move;
pub use records::{read_record, write_record};
pub use state::Surakarta;
pub use tracks::{Route, Track};
pub use variant::{MOST_QUIET_PLIES, Repetition, Start, Variant};
