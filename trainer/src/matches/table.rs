//! A game in progress between two players.

use std::sync::Arc;

use engine::draws::{self, Purpose, keyed};
use engine::opening::first_position;
use engine::{Encode, Game, Outcome, Roll, Side, Status, TextError};
use rand_chacha::ChaCha8Rng;

use super::fault::Fault;

/// One game to be played: who against whom, and where its luck comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bout {
    /// The seats of players A and B.
    pub seats: [usize; 2],
    /// Everything random in the games of these two follows from this number.
    pub seed: u64,
    /// The pair, from 0. Both games of a pair have the same first position and dice.
    pub pair: u64,
    /// The side that player A has.
    pub a_side: Side,
}

/// How first positions are made.
#[derive(Clone, Debug)]
pub struct Openings<G: Game> {
    /// The rule options.
    pub variant: G::Variant,
    /// How positions before the random plies are made.
    pub start: G::Start,
    /// Random plies after that.
    pub plies: u32,
    /// Positions that take the place of all that, if there are any.
    pub book: Arc<Vec<G>>,
}

/// One finished game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameResult {
    /// The pair, from 0.
    pub pair: u64,
    /// The side that player A had.
    pub a_side: Side,
    /// How the game ended.
    pub outcome: Outcome,
    /// Why the loser lost, where it was not by the rules.
    pub fault: Option<Fault>,
    /// Plies played, rolls not counted.
    pub plies: u64,
    /// A fingerprint of start, rolls and moves: equal games have equal ones.
    pub fingerprint: u64,
    /// The first position as text.
    pub opening: String,
}

/// A finished game with its course.
#[derive(Clone, PartialEq, Debug)]
pub struct Played<G: Game> {
    /// What came out.
    pub result: GameResult,
    /// First position, rolls and plies.
    pub course: Course<G>,
}

/// How a position came about.
#[derive(Clone, PartialEq, Debug)]
pub struct Course<G: Game> {
    /// A number of the game's own.
    pub number: u64,
    /// The first position.
    pub start: G,
    /// Rolls and plies since.
    pub steps: Vec<CourseStep<G::Move>>,
}

/// A roll or a ply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CourseStep<M> {
    /// A chance outcome.
    Roll(Roll),
    /// A ply.
    Ply(M),
}

impl<G: Game> Openings<G> {
    /// The first position of a pair. A book is gone through from a place that the seed chooses, so no
    /// opening comes twice before all have come once.
    ///
    /// # Errors
    /// A start that the variant cannot have.
    pub fn first(&self, seed: u64, pair: u64) -> Result<G, TextError> {
        if self.book.is_empty() {
            let mut draws = keyed(seed, Purpose::Start, pair, 0);
            return first_position(&self.variant, &self.start, self.plies, &mut draws);
        }
        let offset = seed % self.book.len() as u64;
        let at = (offset + pair) % self.book.len() as u64;
        Ok(self.book[at as usize].clone())
    }
}

impl<G: Game> Course<G> {
    /// A game that begins here.
    pub fn from(start: &G, number: u64) -> Course<G> {
        Course {
            number,
            start: start.clone(),
            steps: Vec::new(),
        }
    }

    /// Each position before a roll, with the roll.
    pub fn rolls(&self) -> Vec<(G, Roll)> {
        let mut position = self.start.clone();
        let mut rolls = Vec::new();
        for step in &self.steps {
            match *step {
                CourseStep::Roll(roll) => {
                    rolls.push((position.clone(), roll));
                    position.settle(roll);
                }
                CourseStep::Ply(mv) => position.play(mv),
            }
        }
        rolls
    }

    /// The line that tells an external player how the position came about.
    pub fn text(&self) -> String {
        let mut text = format!("history {}", self.start.text());
        if !self.steps.is_empty() {
            text += " moves";
        }
        let mut position = self.start.clone();
        for step in &self.steps {
            text.push(' ');
            match *step {
                CourseStep::Roll(roll) => {
                    text += &(roll.0 + 1).to_string();
                    position.settle(roll);
                }
                CourseStep::Ply(mv) => {
                    text += &position.move_text(mv);
                    position.play(mv);
                }
            }
        }
        text
    }
}

/// A game in progress.
#[derive(Debug)]
pub(super) struct Table<G: Game> {
    pub bout: Bout,
    /// Its place in the list of games to be played.
    pub place: usize,
    pub position: G,
    pub course: Course<G>,
    plies: u64,
    fingerprint: u64,
    fault: Option<(Side, Fault)>,
}

impl<G: Encode> Table<G> {
    pub fn open(openings: &Openings<G>, bout: Bout, place: usize) -> Result<Table<G>, TextError> {
        let position = openings.first(bout.seed, bout.pair)?;
        // The two games of a pair have randomness of their own.
        let number = 2 * bout.pair + bout.a_side.index() as u64;
        Ok(Table {
            bout,
            place,
            course: Course::from(&position, number),
            plies: 0,
            fingerprint: position.key(),
            fault: None,
            position,
        })
    }

    /// Settles rolls; both games of a pair get the same roll at the same step.
    pub fn roll(&mut self) {
        while self.position.status() == Status::Rolling {
            let step = self.course.steps.len() as u64;
            let mut draws = keyed(self.bout.seed, Purpose::Roll, self.bout.pair, step);
            let roll = draws::roll(&self.position, &mut draws);
            self.position.settle(roll);
            self.took(CourseStep::Roll(roll), u64::from(roll.0));
        }
    }

    /// The seat of the player to move, while the game goes on.
    pub fn seat(&self) -> Option<usize> {
        match self.position.status() {
            Status::ToMove(side) if self.fault.is_none() => {
                Some(self.bout.seats[usize::from(side != self.bout.a_side)])
            }
            _ => None,
        }
    }

    /// The randomness of the next move.
    pub fn draws(&self) -> ChaCha8Rng {
        let step = self.course.steps.len() as u64;
        keyed(self.bout.seed, Purpose::Choice, self.course.number, step)
    }

    pub fn play(&mut self, mv: G::Move) {
        let index = self.position.index(mv) as u64;
        self.position.play(mv);
        self.plies += 1;
        self.took(CourseStep::Ply(mv), index);
    }

    /// Ends the game: the side to move loses by its own fault.
    pub fn fail(&mut self, fault: Fault) {
        if let Status::ToMove(side) = self.position.status() {
            self.fault = Some((side, fault));
        }
    }

    fn took(&mut self, step: CourseStep<G::Move>, what: u64) {
        self.course.steps.push(step);
        // The constant is that of FNV-1a.
        self.fingerprint =
            (self.fingerprint.rotate_left(5) ^ (what + 1)).wrapping_mul(0x0100_0000_01B3);
    }

    /// The game, once it is over.
    pub fn played(&self) -> Option<Played<G>> {
        let (outcome, fault) = match (&self.fault, self.position.status()) {
            (Some((loser, fault)), _) => (Outcome::Win(loser.other()), Some(fault.clone())),
            (None, Status::Over(outcome)) => (outcome, None),
            _ => return None,
        };
        let result = GameResult {
            pair: self.bout.pair,
            a_side: self.bout.a_side,
            outcome,
            fault,
            plies: self.plies,
            fingerprint: self.fingerprint,
            opening: self.course.start.text(),
        };
        let course = self.course.clone();
        Some(Played { result, course })
    }
}
