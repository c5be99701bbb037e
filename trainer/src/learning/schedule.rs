//! The learning rate: linear warm-up, then half a cosine.

use crate::config::LearningSection;

/// The rate of a learning step, counted from 0, of a run of `total` steps.
pub fn rate(learning: &LearningSection, step: u64, total: u64) -> f64 {
    let warmup = learning.warmup_steps.min(total);
    if step < warmup {
        return learning.rate * (step + 1) as f64 / warmup as f64;
    }
    let done = (step - warmup) as f64 / (total - warmup).max(1) as f64;
    let cosine = 0.5 * (1.0 + (std::f64::consts::PI * done.min(1.0)).cos());
    let floor = learning.final_rate_share;
    learning.rate * (floor + (1.0 - floor) * cosine)
}
