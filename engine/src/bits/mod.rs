//! Sets of board points as bits.

pub mod wide;

pub use wide::Wide;
