//! Tibetan Jiu: layout, battle and squares on boards of 6×6 to 14×14 (docs/rules/jiu.md).

mod count;
mod encoding;
mod history;
mod moves;
mod paths;
mod ply;
mod records;
mod rules;
mod state;
mod symmetry;
mod text;
mod turn;
mod turns;
mod variant;

pub use paths::{Path, PathKind};
pub use ply::{Direction, Move, Spot};
pub use records::{StageGame, StageWarning, read_stage, write_stage};
pub use state::{Due, Jiu, Phase};
pub use turns::TurnParts;
pub use variant::{SIZES, Start, Variant};
