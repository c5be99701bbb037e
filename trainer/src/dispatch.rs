//! The one place that knows all games by name.

use std::fmt;
use std::str::FromStr;

use engine::{Encode, Game, Perft};

/// A game that the whole program can work with.
pub trait Playable: Encode + Perft {}

impl<G: Encode + Perft> Playable for G {}

/// A game by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameId {
    /// EinStein würfelt nicht.
    Einstein,
    /// Surakarta.
    Surakarta,
    /// Tibetan Jiu.
    Jiu,
}

/// Runs an expression with `$G` standing for the type of the game that a [`GameId`] names.
#[macro_export]
macro_rules! with_game {
    ($game:expr, $G:ident => $body:expr) => {
        match $game {
            $crate::dispatch::GameId::Einstein => {
                type $G = engine::games::einstein::Einstein;
                $body
            }
            $crate::dispatch::GameId::Surakarta => {
                type $G = engine::games::surakarta::Surakarta;
                $body
            }
            $crate::dispatch::GameId::Jiu => {
                type $G = engine::games::jiu::Jiu;
                $body
            }
        }
    };
}

impl GameId {
    /// Every game.
    pub const ALL: [GameId; 3] = [GameId::Einstein, GameId::Surakarta, GameId::Jiu];

    /// The name on the command line and in files.
    pub fn name(self) -> &'static str {
        with_game!(self, G => G::NAME)
    }
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for GameId {
    type Err = String;

    fn from_str(text: &str) -> Result<GameId, String> {
        let found = GameId::ALL.into_iter().find(|game| game.name() == text);
        found.ok_or_else(|| {
            let names = GameId::ALL.map(GameId::name).join(", ");
            format!("'{text}' is not a game of tribord: {names}")
        })
    }
}
