//! Players: whoever gets a set of positions and finds a move for each.

use engine::Game;
use engine::search::Verdict;
use models::evaluator::Clock;
use rand_chacha::ChaCha8Rng;

use super::fault::Fault;
use super::table::Course;

/// A position in which a player has to move.
#[derive(Debug)]
pub struct Turn<'a, G: Game> {
    /// The position; a side is to move.
    pub position: &'a G,
    /// How the position came about.
    pub course: &'a Course<G>,
    /// The randomness of this move.
    pub draws: ChaCha8Rng,
    /// What the player finds, or why it cannot go on.
    pub verdict: Option<Result<Verdict<G::Move>, Fault>>,
}

impl<'a, G: Game> Turn<'a, G> {
    /// A turn that waits for its player.
    pub fn new(position: &'a G, course: &'a Course<G>, draws: ChaCha8Rng) -> Turn<'a, G> {
        Turn {
            position,
            course,
            draws,
            verdict: None,
        }
    }

    /// What the player has found.
    ///
    /// # Errors
    /// Why the player cannot go on.
    pub fn found(self) -> Result<Verdict<G::Move>, Fault> {
        self.verdict.expect("a player answers every turn")
    }
}

/// A player that moves in many games at once.
pub trait Player<G: Game>: Send {
    /// Finds a move for every turn.
    fn choose(&mut self, turns: &mut [Turn<'_, G>]);

    /// What the player finds in one position.
    ///
    /// # Errors
    /// Why the player cannot go on.
    fn verdict(
        &mut self,
        position: &G,
        course: &Course<G>,
        draws: ChaCha8Rng,
    ) -> Result<Verdict<G::Move>, Fault> {
        let mut turns = [Turn::new(position, course, draws)];
        self.choose(&mut turns);
        let [turn] = turns;
        turn.found()
    }

    /// What a network of the player has done so far.
    fn clock(&self) -> Clock {
        Clock::default()
    }
}
