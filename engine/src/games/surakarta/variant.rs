//! The options of a game and of its first position.

use serde::{Deserialize, Deserializer, Serialize, de::Error};

use crate::text::TextError;

/// The highest limit on quiet plies that a variant can set: the state has room for as many.
pub const MOST_QUIET_PLIES: u16 = 100;

/// The rule options that hold for a whole game (S8).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Variant {
    /// Plies in a row without a capture that end the game (S8 b), 1 to [`MOST_QUIET_PLIES`].
    #[serde(deserialize_with = "quiet_limit")]
    pub quiet_limit: u16,
    /// The occurrence of a position that ends the game (S8 c).
    pub repetition: Repetition,
}

/// Which occurrence of a position ends the game (S8 c).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Repetition {
    /// The first repetition, that is the second occurrence.
    #[default]
    First,
    /// The third occurrence.
    Third,
}

impl Repetition {
    /// Earlier occurrences with which a position ends the game.
    pub(super) const fn earlier(self) -> u32 {
        match self {
            Repetition::First => 1,
            Repetition::Third => 2,
        }
    }
}

impl Default for Variant {
    fn default() -> Variant {
        Variant {
            quiet_limit: 50,
            repetition: Repetition::First,
        }
    }
}

impl Variant {
    pub(super) fn checked(&self) -> Result<(), TextError> {
        check_limit(self.quiet_limit).map_err(|message| TextError::at(1, message))
    }
}

fn check_limit(limit: u16) -> Result<(), String> {
    if (1..=MOST_QUIET_PLIES).contains(&limit) {
        return Ok(());
    }
    Err(format!(
        "the limit on quiet plies must lie between 1 and {MOST_QUIET_PLIES}, not be {limit}"
    ))
}

fn quiet_limit<'de, D: Deserializer<'de>>(input: D) -> Result<u16, D::Error> {
    let limit = u16::deserialize(input)?;
    check_limit(limit).map_err(D::Error::custom)?;
    Ok(limit)
}

/// How a game's first position is made.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Start {
    /// The position text to begin from instead of the usual start position.
    pub position: Option<String>,
}
