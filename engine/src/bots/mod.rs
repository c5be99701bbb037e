//! Simple players of the games.

pub mod pattern_player;
pub mod static_player;
