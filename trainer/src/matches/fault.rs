//! How a game can end otherwise than by its rules.

use std::fmt;

/// Why a player lost a game that its rules had not ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The program ended, or could not be started again.
    Crash(String),
    /// No answer before the watchdog's time.
    Hang,
    /// An answer that is no legal move.
    Illegal(String),
    /// An answer after the time for the move.
    Time,
}

impl Fault {
    /// The word for result lines.
    pub const fn word(&self) -> &'static str {
        match self {
            Fault::Crash(_) => "crash",
            Fault::Hang => "hang",
            Fault::Illegal(_) => "illegal",
            Fault::Time => "time",
        }
    }

    /// What is known besides.
    pub fn detail(&self) -> Option<&str> {
        match self {
            Fault::Crash(detail) | Fault::Illegal(detail) => Some(detail),
            Fault::Hang | Fault::Time => None,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Crash(detail) => write!(f, "crashed: {detail}"),
            Fault::Hang => f.write_str("gave no answer"),
            Fault::Illegal(detail) => write!(f, "played illegally: {detail}"),
            Fault::Time => f.write_str("ran out of time"),
        }
    }
}
