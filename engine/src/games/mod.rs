//! The games, one folder each.

pub mod einstein;
pub mod jiu;
pub mod surakarta;
