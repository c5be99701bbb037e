//! Learning: the replay window, samples of it, and the steps that change the network.

mod average;
mod batch;
mod learner;
mod schedule;
mod window;

pub use learner::{Learner, LearnerState, Losses, NotFinite};
pub use schedule::rate;
pub use window::{Sample, Window, target_size};
