//! EinStein würfelt nicht! (rules: docs/rules/einstein.md, E1–E10).

mod encoding;
pub mod exact;
mod geometry;
mod lanes;
mod moves;
mod state;
mod text;
pub mod wtn;

pub use geometry::{Cube, Square};
pub use moves::Ply;
pub use state::{Einstein, Rules, Setup};
