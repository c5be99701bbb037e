//! The speed of learning steps.

use std::ops::ControlFlow;
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
    // The first step makes room for everything: the clock runs from its end.
    let mut began = Instant::now();
    learner.learn(&window, u64::MAX, |step, _| {
        if step == 1 {
            began = Instant::now();
        }
        if step > 1 && began.elapsed() >= LONG_ENOUGH {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    })?;
    let positions = (learner.step() - 1) as f64 * config.learning.batch as f64;
    Ok(Some(positions / began.elapsed().as_secs_f64()))
}
