//! Records of finished games and of games in progress: what self-play produces and learning reads.

use std::path::Path;

use engine::{Encode, Outcome, Roll, Side, Status, Value};
use models::artifact::variant_text;
use models::frame::{Frame, FrameError};
use serde::{Deserialize, Serialize};

/// The file kind of a set of game records.
pub const RECORDS: Frame = Frame::new(b"records ", "a set of game records", 1);

/// The games of one round of self-play.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RecordFile {
    /// The game's name.
    pub game: String,
    /// Version of the rules.
    pub rules: u16,
    /// Version of the encoding whose policy indices name the moves.
    pub encoding: u16,
    /// The variant as JSON.
    pub variant: String,
    /// The seed of the run.
    pub seed: u64,
    /// The games, group by group, each group's in the order in which they ended.
    pub games: Vec<GameRecord>,
}

/// One game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// The game's number within the run; its randomness depends on it.
    pub number: u64,
    /// The first position as text.
    pub start: String,
    /// Rolls and plies in order.
    pub steps: Vec<Step>,
    /// How the game ended; `None` while it is in progress.
    pub end: Option<End>,
}

/// A roll or a ply.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Step {
    /// A chance outcome, from 0.
    Roll(u8),
    /// A ply.
    Ply(Ply),
}

/// A ply by its policy index, with what a search found before it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Ply {
    /// The policy index of the move.
    pub index: u16,
    /// The search, or `None` where the move was forced.
    pub search: Option<SearchNote>,
}

/// What a search left for learning.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SearchNote {
    /// The value of the position as `Side::First` sees it.
    pub value: f32,
    /// Whether the search had its full budget; only then is its policy a target.
    pub full: bool,
    /// The learning step of the net that searched.
    pub net_step: u64,
    /// Policy indices with their share in 65,535 parts; moves without any are left out.
    pub policy: Vec<(u16, u16)>,
}

/// The end of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum End {
    /// `Side::First` won.
    First,
    /// `Side::Second` won.
    Second,
    /// Drawn.
    Draw,
    /// Cut short by a cap on plies.
    Truncated,
    /// `Side::First` resigned.
    FirstResigned,
    /// `Side::Second` resigned.
    SecondResigned,
}

impl From<Outcome> for End {
    fn from(outcome: Outcome) -> End {
        match outcome {
            Outcome::Win(Side::First) => End::First,
            Outcome::Win(Side::Second) => End::Second,
            Outcome::Draw => End::Draw,
            Outcome::Truncated => End::Truncated,
        }
    }
}

impl End {
    /// The result for `Side::First`, or `None` where a cap left it open.
    pub fn value(self) -> Option<Value> {
        match self {
            End::First | End::SecondResigned => Some(Value(1.0)),
            End::Second | End::FirstResigned => Some(Value(-1.0)),
            End::Draw => Some(Value(0.0)),
            End::Truncated => None,
        }
    }

    /// The end by a side's resignation.
    pub fn resigned(side: Side) -> End {
        match side {
            Side::First => End::FirstResigned,
            Side::Second => End::SecondResigned,
        }
    }
}

/// A record that does not play through.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The file cannot be read.
    #[error(transparent)]
    Frame(#[from] FrameError),
    /// The file is of another game or version.
    #[error("{path}: records of {found}, and this build replays {wanted}")]
    Other {
        /// The file.
        path: String,
        /// Game, rules and encoding of the file.
        found: String,
        /// Game, rules and encoding of this build.
        wanted: String,
    },
    /// A game that the rules do not allow.
    #[error("game {game}, step {step}: {problem}")]
    Illegal {
        /// The game's number.
        game: u64,
        /// The step, from 1.
        step: usize,
        /// What is wrong.
        problem: String,
    },
}

impl RecordFile {
    /// A file for games of a run.
    pub fn new<G: Encode>(variant: &G::Variant, seed: u64, games: Vec<GameRecord>) -> RecordFile {
        RecordFile {
            game: G::NAME.to_string(),
            rules: G::RULES,
            encoding: G::ENCODING,
            variant: variant_text::<G>(variant),
            seed,
            games,
        }
    }

    /// Reads a file of this game.
    ///
    /// # Errors
    /// A file that is missing, damaged, or of another game or version.
    pub fn read<G: Encode>(path: &Path) -> Result<(RecordFile, G::Variant), RecordError> {
        let file: RecordFile = RECORDS.read(path)?;
        let of = |game: &str, rules, encoding| {
            format!("{game} with rules {rules} and encoding {encoding}")
        };
        let variant = serde_json::from_str(&file.variant).ok();
        let found = of(&file.game, file.rules, file.encoding);
        let wanted = of(G::NAME, G::RULES, G::ENCODING);
        match variant {
            Some(variant) if found == wanted => Ok((file, variant)),
            _ => Err(RecordError::Other {
                path: path.display().to_string(),
                found,
                wanted,
            }),
        }
    }
}

impl GameRecord {
    /// A game that begins at a position.
    pub fn begin<G: Encode>(number: u64, start: &G) -> GameRecord {
        GameRecord {
            number,
            start: start.text(),
            steps: Vec::new(),
            end: None,
        }
    }

    /// Plays the record through, showing each position before its ply, and returns the last position.
    ///
    /// # Errors
    /// A start that does not read, an illegal step, or an end that the rules do not give.
    pub fn replay<G: Encode>(
        &self,
        variant: &G::Variant,
        mut visit: impl FnMut(&G, G::Move, &Ply),
    ) -> Result<G, RecordError> {
        let illegal = |step: usize, problem: String| RecordError::Illegal {
            game: self.number,
            step,
            problem,
        };
        let mut position =
            G::parse(&self.start, variant).map_err(|error| illegal(0, error.to_string()))?;
        let mut moves = Vec::new();
        for (number, step) in (1..).zip(&self.steps) {
            match step {
                Step::Roll(roll) => {
                    let roll = Roll(*roll);
                    if !position
                        .rolls()
                        .iter()
                        .any(|&(possible, _)| possible == roll)
                    {
                        return Err(illegal(
                            number,
                            format!("no roll {} in {}", roll.0, position.text()),
                        ));
                    }
                    position.settle(roll);
                }
                Step::Ply(ply) => {
                    position.moves(&mut moves);
                    let mv = position
                        .with_index(&moves, ply.index.into())
                        .ok_or_else(|| {
                            illegal(
                                number,
                                format!("no move {} in {}", ply.index, position.text()),
                            )
                        })?;
                    visit(&position, mv, ply);
                    position.play(mv);
                }
            }
        }
        let reached = match position.status() {
            Status::Over(outcome) => Some(End::from(outcome)),
            _ => None,
        };
        let resigned = matches!(self.end, Some(End::FirstResigned | End::SecondResigned));
        if self.end == reached || (resigned && reached.is_none()) {
            return Ok(position);
        }
        Err(illegal(
            self.steps.len(),
            format!("the record says {:?}, the rules {:?}", self.end, reached),
        ))
    }
}
