//! The replay window: the positions of the latest games, ready to be sampled.

use std::collections::VecDeque;
use std::sync::Arc;

use engine::{Encode, Game, Status};

use crate::config::LearningSection;
use crate::record::{GameRecord, RecordError};
use crate::truth::Truth;

/// A position with what is to be learned from it.
#[derive(Clone, Debug)]
pub struct Sample<G: Game> {
    /// The position.
    pub position: G,
    /// The policy target as in the record, or empty where the search was a cheap one.
    pub policy: Box<[(u16, u16)]>,
    /// The game's result in the mover's view; where a cap left it open, the search's value. With exact
    /// targets the position's exact value, here and in `value`.
    pub result: f32,
    /// The search's value in the mover's view.
    pub value: f32,
}

/// The latest positions, oldest first.
#[derive(Debug)]
pub struct Window<G: Game> {
    samples: VecDeque<Sample<G>>,
    truth: Option<Arc<Truth>>,
    exact: u64,
}

/// The window's size after `positions` positions of self-play in all:
/// it grows with the given power of their number and never shrinks.
pub fn target_size(learning: &LearningSection, positions: u64) -> u64 {
    let grown = (positions as f64 / learning.window as f64)
        .max(1.0)
        .powf(learning.window_growth);
    ((learning.window as f64 * grown) as u64).min(learning.window_limit)
}

impl<G: Encode> Window<G> {
    /// An empty window.
    pub fn new() -> Window<G> {
        Window {
            samples: VecDeque::new(),
            truth: None,
            exact: 0,
        }
    }

    /// An empty window in which positions that `truth` covers have its values in place of the search's
    /// value and the game's result.
    pub fn with_exact_targets(truth: Option<Arc<Truth>>) -> Window<G> {
        Window {
            truth,
            ..Window::new()
        }
    }

    /// Takes in finished games, then forgets the oldest positions beyond `size`.
    /// Returns how many positions came in.
    ///
    /// # Errors
    /// A record that does not play through.
    pub fn take_in(
        &mut self,
        games: &[GameRecord],
        variant: &G::Variant,
        size: u64,
    ) -> Result<u64, RecordError> {
        let mut taken = 0;
        for game in games {
            let result = game.end.and_then(|end| end.value());
            game.replay::<G>(variant, |position, _, ply| {
                let (Some(note), Status::ToMove(side)) = (&ply.search, position.status()) else {
                    return;
                };
                let value = engine::Value(f64::from(note.value));
                let truth = self.truth.as_ref();
                let exact = truth.and_then(|truth| truth.value(position));
                self.exact += u64::from(exact.is_some());
                taken += 1;
                self.samples.push_back(Sample {
                    position: position.clone(),
                    policy: if note.full {
                        note.policy.as_slice().into()
                    } else {
                        Box::default()
                    },
                    result: exact.or(result).unwrap_or(value).seen_by(side) as f32,
                    value: exact.unwrap_or(value).seen_by(side) as f32,
                });
            })?;
        }
        let excess = self.samples.len().saturating_sub(size as usize);
        self.samples.drain(..excess);
        Ok(taken)
    }

    /// Positions taken in so far whose targets are exact values.
    pub fn exact_targets(&self) -> u64 {
        self.exact
    }

    /// Positions in the window.
    pub fn len(&self) -> usize {
        self.samples.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.samples.is_empty()
    }

    /// A position by its place, oldest first.
    pub fn get(&self, index: usize) -> &Sample<G> {
        &self.samples[index]
    }
}

impl<G: Encode> Default for Window<G> {
    fn default() -> Self {
        Window::new()
    }
}
