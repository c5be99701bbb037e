//! Monte-Carlo tree search with true chance nodes and proofs: one tree per game, one thread, no locks.
//!
//! A search is two halves that a caller alternates: [`Tree::gather`] walks down to a position that
//! needs an evaluation, [`Tree::apply`] takes the evaluation and backs it up. [`step`] does both
//! for many trees with one batch.

mod apply;
mod evaluator;
mod gather;
mod gumbel;
mod lockstep;
mod params;
mod playout;
mod puct;
mod schedule;
mod tree;
mod verdict;

pub use evaluator::{Evaluations, Evaluator, Leaf};
pub use lockstep::{evaluate, finish, step};
pub use params::{Budget, Method, Params};
pub use playout::{Playouts, playout};
pub use tree::Tree;
pub use verdict::{Searched, Verdict};
