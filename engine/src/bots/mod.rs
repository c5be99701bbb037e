//! Simple players of the games.

pub mod alphabeta;
pub mod pattern_player;
pub mod static_player;
