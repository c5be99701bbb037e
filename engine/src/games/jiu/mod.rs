//! Tibetan Jiu: layout, battle and squares on boards of 6×6 to 14×14 (docs/rules/jiu.md).

mod count;
mod encoding;
mod history;
mod moves;
mod paths;
mod patterns;
mod ply;
mod possible;
mod records;
mod rules;
mod stage_reader;
mod state;
mod symmetry;
mod text;
mod threats;
mod turn;
mod turn_parts;
mod turns;
mod variant;

pub use paths::{Path, PathKind};
pub use patterns::{Pattern, PatternKind};
pub use ply::{Direction, Move, Spot};
pub use records::{StageGame, read_stage, write_stage};
pub use stage_reader::StageWarning;
pub use state::{Due, Jiu, Phase};
pub use threats::Threats;
pub use turn_parts::TurnParts;
pub use variant::{SIZES, Start, Variant};
