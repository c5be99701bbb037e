//! What a round's metrics say of it.

use serde_json::json;

use super::Training;
use crate::dispatch::Playable;
use crate::learning::Losses;
use crate::record::GameRecord;
use crate::selfplay::{Effort, Found, Resignations};
use crate::truth;

impl<G: Playable> Training<G> {
    pub(super) fn note_selfplay(&mut self, games: &[GameRecord], effort: &Effort) {
        let mut note = |name: &str, value: f64| {
            self.current
                .insert(format!("selfplay/{name}"), json!(value));
        };
        let seconds = effort.seconds.max(f64::MIN_POSITIVE);
        let batches = effort.clock.batches.max(1) as f64;
        note("games_a_second", games.len() as f64 / seconds);
        note(
            "evaluations_a_second",
            effort.clock.positions as f64 / seconds,
        );
        note("known_share", effort.clock.known_share());
        note(
            "batch_fill",
            effort.clock.positions as f64 / batches / self.config.selfplay.slots as f64,
        );
        note("evaluation_share", effort.evaluation_share());
        note("repaired_policies", effort.repaired as f64);
        if effort.resignations.checked > 0 {
            let Resignations { checked, wrong } = effort.resignations;
            note("false_resignations", wrong as f64 / checked as f64);
        }
        let found = Found::of(games);
        note("plies_a_game", found.plies / games.len().max(1) as f64);
        note("policy_entropy", found.entropy / found.policies.max(1.0));
        note("value_calibration_error", found.calibration_error());
        note(
            "first_side_wins",
            found.first_wins / games.len().max(1) as f64,
        );
        note(
            "truncated_share",
            found.truncated / games.len().max(1) as f64,
        );
        note("window", self.window.len() as f64);
        note("positions", self.positions as f64);
        if effort.repaired > 0 {
            eprintln!(
                "warning: {} policies or values were not finite and were replaced by equal priors or 0",
                effort.repaired
            );
        }
    }

    /// Notes how much of the round's search and of its targets is exact.
    pub(super) fn note_truth(&mut self, effort: &Effort, before: (u64, u64)) {
        if self.truth.is_none() {
            return;
        }
        let positions = (self.positions - before.0).max(1) as f64;
        let exact = (self.window.exact_targets() - before.1) as f64;
        let leaves = effort.exact_leaves as f64 / effort.clock.asked.max(1) as f64;
        self.current
            .insert("truth/leaf_share".into(), json!(leaves));
        self.current
            .insert("truth/target_share".into(), json!(exact / positions));
    }

    /// Measures what the acting net's moves give away against exact play.
    pub(super) fn note_regret(&mut self) -> anyhow::Result<()> {
        let Some(truth) = &self.truth else {
            return Ok(());
        };
        let seat = self.seat(&self.acting, self.config.truth.simulations);
        let threads = self.machine.threads;
        let Some(regret) = truth::of_net(&seat, truth, &self.config.truth, threads)
            .map_err(|error| self.checkpoint().err().unwrap_or(error))?
        else {
            return Ok(());
        };
        let mut note = |name: &str, value: f64| {
            self.current.insert(format!("truth/{name}"), json!(value));
        };
        note("regret", regret.regret);
        note("value_error", regret.value_error.unwrap_or_default());
        Ok(())
    }

    pub(super) fn note_learning(&mut self, sums: Losses, steps: f64, seconds: f64) {
        let mut note = |name: &str, value: f64| {
            self.current.insert(name.into(), json!(value));
        };
        if steps > 0.0 {
            note("loss/policy", sums.policy / steps);
            note("loss/value", sums.value / steps);
            let total = sums.policy + self.config.learning.value_weight * sums.value;
            note("loss/total", total / steps);
        }
        note("learning/rate", self.learner.rate());
        let positions = steps * self.config.learning.batch as f64;
        note(
            "learning/positions_a_second",
            positions / seconds.max(f64::MIN_POSITIVE),
        );
    }
}
