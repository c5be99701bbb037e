//! Exact values of EinStein: tables by retrograde order for few cubes, bounded expectimax beyond them.
//!
//! Cubes only advance or vanish, so every position can be valued once its successors are. Values are
//! expected results from -1 (lost) to 1 (won) of the side to move, before the roll unless said otherwise.
//! Symmetries E9 shrink the tables: the change of sides (`view`), the mirror (`placements`) and equal
//! number patterns (`patterns`).

mod build;
mod layout;
mod patterns;
mod placements;
mod solve;
mod table;
mod truth;
mod view;

pub use build::{Build, Part};
pub use table::{MOST_STONES, Table, TableError};
pub use truth::Exact;
