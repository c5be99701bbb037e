//! The players of EinStein alone: by rules of thumb, and by exact values.

use std::sync::Arc;

use engine::bots::static_player;
use engine::games::einstein::{Einstein, Ply};
use engine::search::{Searched, Verdict};
use engine::{Game, Value};

use super::bots::unsearched;
use super::player::{Player, Turn};
use crate::truth::{Truth, cubes};

/// The static player (docs/rules/einstein-static.md).
pub(super) struct Static;

impl Player<Einstein> for Static {
    fn choose(&mut self, turns: &mut [Turn<'_, Einstein>]) {
        for turn in turns {
            turn.verdict = Some(Ok(by_rule(turn.position)));
        }
    }
}

/// Exact play where values are in reach, the static player's moves elsewhere.
pub(super) struct ExactPlay {
    pub truth: Arc<Truth>,
}

/// With more cubes than this beyond the table the bound on work is never met.
const REACH: usize = 2;

impl Player<Einstein> for ExactPlay {
    fn choose(&mut self, turns: &mut [Turn<'_, Einstein>]) {
        for turn in turns {
            let exact = self.exact(turn.position);
            turn.verdict = Some(Ok(exact.unwrap_or_else(|| by_rule(turn.position))));
        }
    }
}

impl ExactPlay {
    fn exact(&self, position: &Einstein) -> Option<Verdict<Ply>> {
        if cubes(position) > usize::from(self.truth.stones()) + REACH {
            return None;
        }
        let plies = self.truth.exact.plies(position)?;
        let (best, value) = plies
            .iter()
            .copied()
            .reduce(|best, next| if next.1 > best.1 { next } else { best })?;
        let prior = 1.0 / plies.len() as f64;
        let absolute = |value| Value::from_view(value, position.mover());
        let searched = |&(mv, value): &(Ply, f64)| Searched {
            mv,
            share: f64::from(u8::from(mv == best)),
            prior,
            visits: 0,
            value: Some(absolute(value)),
        };
        Some(Verdict {
            best,
            value: absolute(value),
            proven: true,
            depth: None,
            moves: plies.iter().map(searched).collect(),
        })
    }
}

fn by_rule(position: &Einstein) -> Verdict<Ply> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    unsearched(static_player::choose(position), &moves)
}
