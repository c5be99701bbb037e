//! Simple players of the games.

pub mod static_player;
