//! The speed of learning steps.

use std::time::Instant;

use super::LONG_ENOUGH;
use crate::config::Config;
use crate::dispatch::Playable;
use crate::learning::{Learner, Window};
use crate::machine::Machine;
use crate::record::GameRecord;

/// Positions a second of learning steps from some games; nothing where none of the games has ended.
pub(super) fn positions_a_second<G: Playable>(
    config: &Config<G>,
    games: &[GameRecord],
    machine: &Machine,
) -> anyhow::Result<Option<f64>> {
    let mut window = Window::new();
    window.take_in(games, &config.game.variant, u64::MAX)?;
    if window.is_empty() {
        return Ok(None);
    }
    let mut learner = Learner::<G>::new(config, &machine.device);
    // The first step makes room for everything.
    learner.learn(&window)?;
    let (began, first) = (Instant::now(), learner.step());
    while began.elapsed() < LONG_ENOUGH {
        learner.learn(&window)?;
    }
    let positions = (learner.step() - first) as f64 * config.learning.batch as f64;
    Ok(Some(positions / began.elapsed().as_secs_f64()))
}
