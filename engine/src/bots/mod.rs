//! Simple players of the games.

pub mod alphabeta;
pub mod static_player;
