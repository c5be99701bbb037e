//! The scores that still matter: what lies outside does not change the root's value.

use crate::game::Side;

/// Scores between `low` and `high`, both excluded. `Side::First` has `low` for sure elsewhere,
/// `Side::Second` has `high`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Window {
    pub low: i32,
    pub high: i32,
}

impl Window {
    pub const WHOLE: Window = Window {
        low: i32::MIN,
        high: i32::MAX,
    };

    /// The window once `side` has a move with this score.
    pub fn with(self, side: Side, score: i32) -> Window {
        match side {
            Side::First => Window {
                low: self.low.max(score),
                ..self
            },
            Side::Second => Window {
                high: self.high.min(score),
                ..self
            },
        }
    }

    /// Scores that are better for `side` than `score`, which they exclude.
    pub fn better_than(side: Side, score: i32) -> Window {
        Window::WHOLE.with(side, score)
    }

    /// Whether no score is left.
    pub fn is_closed(self) -> bool {
        self.low >= self.high
    }

    /// The empty window that tells whether a move is better for `side` than what it has.
    pub fn scout(self, side: Side) -> Window {
        match side {
            Side::First => Window {
                high: self.low.saturating_add(1),
                ..self
            },
            Side::Second => Window {
                low: self.high.saturating_sub(1),
                ..self
            },
        }
    }

    /// Whether the score lies inside, so that it is exact.
    pub fn has(self, score: i32) -> bool {
        self.low < score && score < self.high
    }
}

/// Whether `one` is better for `side` than `other`.
pub(super) fn is_better(side: Side, one: i32, other: i32) -> bool {
    match side {
        Side::First => one > other,
        Side::Second => one < other,
    }
}

/// The next worse score for `side`.
pub(super) fn one_worse(side: Side, score: i32) -> i32 {
    match side {
        Side::First => score - 1,
        Side::Second => score + 1,
    }
}
