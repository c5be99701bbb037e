//! A run's folder: where everything lies, and the checkpoint that a run resumes from.

mod checkpoint;
mod folder;

pub use checkpoint::{Checkpoint, Restored};
pub use folder::RunFolder;
