//! The games, one folder each.

pub mod einstein;
pub mod surakarta;
pub mod jiu;
