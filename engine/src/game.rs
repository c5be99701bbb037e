//! The contract that every game fulfils: a ply is the unit, and one total status says what comes next.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::hash::Hash;

use rand_chacha::ChaCha8Rng;
use serde::{Serialize, de::DeserializeOwned};

use crate::text::TextError;

/// One of the two sides. `First` is the side that moves first from the usual start position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// Red in EinStein and Surakarta, White (who places first) in Jiu.
    First,
    /// The other side.
    Second,
}

impl Side {
    /// Both sides, in order.
    pub const BOTH: [Side; 2] = [Side::First, Side::Second];

    /// The opponent.
    #[inline]
    pub const fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }

    /// 0 for `First`, 1 for `Second`: the place of the side's entry in a pair.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// The side won.
    Win(Side),
    /// The rules call the game drawn.
    Draw,
    /// A cap on the number of plies cut the game short; this says nothing about who stood better.
    Truncated,
}

impl Outcome {
    /// The worth of the outcome; a truncated game counts as level.
    #[inline]
    pub const fn value(self) -> Value {
        match self {
            Outcome::Win(Side::First) => Value(1.0),
            Outcome::Win(Side::Second) => Value(-1.0),
            Outcome::Draw | Outcome::Truncated => Value(0.0),
        }
    }
}

/// Expected result on the scale from -1 to 1, always as `Side::First` sees it.
///
/// Values never change sign with depth. Whoever needs the view of one side asks for it with
/// [`Value::seen_by`], and a number in one side's view becomes a value with [`Value::from_view`].
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug, Default)]
pub struct Value(pub f64);

impl Value {
    /// The value as `side` sees it: 1 is a sure win for `side`.
    #[inline]
    pub const fn seen_by(self, side: Side) -> f64 {
        match side {
            Side::First => self.0,
            Side::Second => -self.0,
        }
    }

    /// The absolute value of what `side` sees as `view`.
    #[inline]
    pub const fn from_view(view: f64, side: Side) -> Value {
        match side {
            Side::First => Value(view),
            Side::Second => Value(-view),
        }
    }
}

/// What comes next in a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Status {
    /// The side has to choose a ply; at least one is legal.
    ToMove(Side),
    /// A chance event is due.
    Rolling,
    /// The game has ended.
    Over(Outcome),
}

/// A chance outcome, counted from 0 (the die's face 1 is `Roll(0)`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Roll(pub u8);

/// A move that the position does not allow.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{text} is not a legal move in {position}")]
pub struct IllegalMove {
    /// The move as text.
    pub text: String,
    /// The position as text.
    pub position: String,
}

/// The legal moves of a position in canonical text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Listing {
    /// Sorted move texts.
    Moves(Vec<String>),
    /// The paths of a turn, each with the number of squares that it makes (Jiu).
    Paths(BTreeMap<String, u32>),
}

/// The rules of a game as a state that plays itself forward.
///
/// A *ply* is the unit, not a turn: several plies in a row may belong to one side.
/// All methods of the hot path (`status`, `moves`, `rolls`, `settle`, `play`) work without
/// allocation once the caller's move list has grown to its working size.
pub trait Game: Clone + PartialEq + Debug + Send + Sync + Sized + 'static {
    /// The name on the command line and in files.
    const NAME: &'static str;
    /// Version of the rules, stored in every record and artifact.
    const RULES: u16;
    /// Whether a game can end without a winner.
    const DRAWS: bool;

    /// One ply.
    type Move: Copy + Eq + Ord + Hash + Debug + Send + Sync;
    /// The rule options that hold for a whole game (limits, board size); stored in every record.
    type Variant: Clone + PartialEq + Default + Debug + Serialize + DeserializeOwned + Send + Sync;
    /// How a game's first position is made (set-up, opening).
    type Start: Clone + PartialEq + Default + Debug + Serialize + DeserializeOwned + Send + Sync;

    /// Makes a first position. All randomness comes from `draws`.
    ///
    /// # Errors
    /// A start that the variant cannot have, such as a fixed position of another board size.
    fn start(
        variant: &Self::Variant,
        start: &Self::Start,
        draws: &mut ChaCha8Rng,
    ) -> Result<Self, TextError>;

    /// The options under which this game is played.
    fn variant(&self) -> &Self::Variant;

    /// What comes next.
    fn status(&self) -> Status;

    /// The phase of the game, from 0, for games whose phases deserve searches of different size.
    fn phase(&self) -> usize {
        0
    }

    /// Clears `out` and lists the legal plies in a fixed order, without duplicates.
    /// Never empty when the status is `ToMove`, empty otherwise.
    fn moves(&self, out: &mut Vec<Self::Move>);

    /// The chance outcomes with their probabilities; empty unless the status is `Rolling`.
    fn rolls(&self) -> &'static [(Roll, f64)] {
        &[]
    }

    /// Applies a chance outcome. The status must be `Rolling`.
    fn settle(&mut self, roll: Roll) {
        unreachable!("{} has no chance outcome {}", Self::NAME, roll.0)
    }

    /// Plays a ply that is known to be legal. Checked in debug builds only.
    fn play(&mut self, mv: Self::Move);

    /// Plays a ply that comes from outside.
    ///
    /// # Errors
    /// An illegal ply leaves the position as it was.
    fn try_play(&mut self, mv: Self::Move) -> Result<(), IllegalMove> {
        let mut legal = Vec::new();
        self.moves(&mut legal);
        if !legal.contains(&mv) {
            return Err(IllegalMove {
                text: self.move_text(mv),
                position: self.text(),
            });
        }
        self.play(mv);
        Ok(())
    }

    /// A 64-bit key of everything that the position text says.
    fn key(&self) -> u64;

    /// The position text (docs/rules, N.3).
    fn text(&self) -> String;

    /// Reads a position text under a variant. A text that states the board size overrides the variant's.
    ///
    /// # Errors
    /// Says what is wrong with the text and where.
    fn parse(text: &str, variant: &Self::Variant) -> Result<Self, TextError>;

    /// One ply as text. The ply need not be legal, only well formed.
    fn move_text(&self, mv: Self::Move) -> String;

    /// One legal ply as text for a reader, with what the ply's own text leaves out, such as the way that a
    /// stone takes.
    fn describe_move(&self, mv: Self::Move) -> String {
        self.move_text(mv)
    }

    /// Reads one ply; says nothing about whether it is legal.
    ///
    /// # Errors
    /// Says what is wrong with the text and where.
    fn parse_move(&self, text: &str) -> Result<Self::Move, TextError>;

    /// What the mover can do, as texts for a listing. Games whose turns have several plies list whole turns.
    fn listing(&self) -> Listing {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        let mut texts: Vec<_> = moves.iter().map(|&mv| self.move_text(mv)).collect();
        texts.sort();
        Listing::Moves(texts)
    }

    /// A drawing of the board for the terminal, several lines.
    fn draw(&self) -> String;
}
