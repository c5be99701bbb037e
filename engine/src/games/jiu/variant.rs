//! The options of a game of Jiu and the ways to begin one.

use serde::{Deserialize, Serialize};

use crate::text::TextError;

/// The board sizes that can be played (J1).
pub const SIZES: [u8; 5] = [6, 8, 10, 12, 14];

/// The largest quiet limit, in turns. It bounds what a state carries: two bytes a turn.
pub(super) const MOST_QUIET_TURNS: u16 = 200;

/// The options that hold for a whole game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Variant {
    /// Rows and columns of the board: 6, 8, 10, 12 or 14.
    pub size: u8,
    /// Whether the strong-side limit (J6) holds.
    pub strong_side_limit: bool,
    /// Turns in a row without a capture that make a draw, 1 to 200;
    /// by default 100 on 14×14 and 60 on smaller boards (J9).
    pub quiet_limit: Option<u16>,
    /// Plies after which a game is cut off at the end of the turn, from 1;
    /// by default 2,000 on 14×14 and 600 on smaller boards (J9).
    pub ply_cap: Option<u16>,
}

impl Default for Variant {
    fn default() -> Variant {
        Variant {
            size: 14,
            strong_side_limit: true,
            quiet_limit: None,
            ply_cap: None,
        }
    }
}

impl Variant {
    /// The usual rules on a board of `size` rows and columns.
    pub fn sized(size: u8) -> Variant {
        Variant {
            size,
            ..Variant::default()
        }
    }

    /// The quiet limit in force, in turns.
    #[inline]
    pub fn quiet_turns(&self) -> u16 {
        let by_size = if self.size == 14 { 100 } else { 60 };
        self.quiet_limit.unwrap_or(by_size)
    }

    /// The ply cap in force, in plies.
    #[inline]
    pub fn most_plies(&self) -> u16 {
        let by_size = if self.size == 14 { 2000 } else { 600 };
        self.ply_cap.unwrap_or(by_size)
    }

    /// Stones of one side when the battle begins (J3).
    pub(super) fn most_stones(&self) -> u8 {
        (u16::from(self.size) * u16::from(self.size) / 2 - 1) as u8
    }

    /// The same options, known to be within their ranges.
    pub(super) fn checked(self) -> Result<Variant, TextError> {
        let complaint = if !SIZES.contains(&self.size) {
            format!(
                "a board of size {} is not one of 6, 8, 10, 12, 14",
                self.size
            )
        } else if !(1..=MOST_QUIET_TURNS).contains(&self.quiet_turns()) {
            format!(
                "a quiet limit of {} is not from 1 to {MOST_QUIET_TURNS}",
                self.quiet_turns()
            )
        } else if self.most_plies() == 0 {
            "a ply cap of 0 allows no game".into()
        } else {
            return Ok(self);
        };
        Err(TextError::at(1, complaint))
    }
}

/// How a game begins.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Start {
    /// The empty board; White places first.
    #[default]
    Empty,
    /// A full board filled at random, taken through the transition (J3); Black moves.
    RandomLayout,
    /// A position text of the variant's board size.
    Position(String),
}
