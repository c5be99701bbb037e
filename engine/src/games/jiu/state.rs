//! The state of a game of Jiu: stones, what is due next, and the counters of J9.

use rand::{Rng, RngExt};

use super::history::QuietTurns;
use super::ply::{Direction, Spot};
use super::variant::{Start, Variant};
use crate::bits::Wide;
use crate::game::{Outcome, Side};
use crate::text::TextError;

/// A game of Jiu in progress. `Side::First` is White, who places first; Black moves first in battle.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Jiu {
    pub(super) variant: Variant,
    /// White's and Black's stones on the board.
    pub(super) stones: [Wide; 2],
    /// The sides' stones in number; a lifted stone counts.
    pub(super) counts: [u8; 2],
    pub(super) side: Side,
    pub(super) phase: Phase,
    pub(super) due: Due,
    /// Plies played since the start, saturating.
    pub(super) plies: u16,
    /// How often the position at the last turn's end has stood since the last capture; 3 is a draw.
    pub(super) occurrences: u8,
    pub(super) quiet: QuietTurns,
}

/// The two phases of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// Stones are placed (J2).
    Layout,
    /// Stones move and take (J4).
    Battle,
}

/// What has to be decided next.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Due {
    /// Layout: where a stone is placed (J2).
    Placement,
    /// Battle: a step, a first hop or the stone of a flight (J4).
    Turn,
    /// Where the stone lifted from `origin` lands.
    Drop {
        /// The point it was lifted from.
        origin: Spot,
    },
    /// Another hop, or the end of the chain (J5); a hop is legal.
    Hop {
        /// Where the stone is.
        at: Spot,
        /// Stones jumped so far, at least 1.
        jumped: u8,
        /// Where the stone started its turn.
        origin: Spot,
    },
    /// Which enemy stone is taken for a square (J7).
    Take {
        /// Stones still owed, 1 to 4 and fewer than the enemy has.
        owed: u8,
    },
    /// Nothing: the game has ended (J9).
    End(Outcome),
}

impl Jiu {
    /// The empty board, White to place.
    ///
    /// # Errors
    /// Options outside their ranges.
    pub fn empty(variant: &Variant) -> Result<Jiu, TextError> {
        Ok(Jiu {
            variant: variant.checked()?,
            stones: [Wide::EMPTY; 2],
            counts: [0; 2],
            side: Side::First,
            phase: Phase::Layout,
            due: Due::Placement,
            plies: 0,
            occurrences: 1,
            quiet: QuietTurns::NONE,
        })
    }

    /// The start position of perft: the central diagonal points are empty, the others hold White, Black,
    /// White … scanning row 1 from A, then row 2, and so on; Black moves.
    ///
    /// # Errors
    /// A size that is not a board size (J1).
    pub fn scan_filled(size: u8) -> Result<Jiu, TextError> {
        let mut colours = Side::BOTH.into_iter().cycle();
        Jiu::filled(&Variant::sized(size), || {
            colours.next().unwrap_or(Side::First)
        })
    }

    pub(super) fn begin(
        variant: &Variant,
        start: &Start,
        draws: &mut impl Rng,
    ) -> Result<Jiu, TextError> {
        match start {
            Start::Empty => Jiu::empty(variant),
            Start::RandomLayout => {
                let each = variant.checked()?.most_stones();
                let mut left = [each; 2];
                Jiu::filled(variant, || {
                    // A stone is White's with the share of White among the stones still to place.
                    let drawn = draws.random_range(0..left[0] + left[1]);
                    let side = Side::BOTH[usize::from(drawn >= left[0])];
                    left[side.index()] -= 1;
                    side
                })
            }
            Start::Position(text) => {
                let game = super::text::parse(text, variant)?;
                if game.variant.size != variant.size {
                    return Err(TextError::at(
                        1,
                        format!(
                            "the start position is on a board of size {}, the game on one of size {}",
                            game.variant.size, variant.size
                        ),
                    ));
                }
                Ok(game)
            }
        }
    }

    /// A battle's first position with a stone of `next` on every point but the central ones.
    fn filled(variant: &Variant, mut next: impl FnMut() -> Side) -> Result<Jiu, TextError> {
        let mut game = Jiu::empty(variant)?;
        for spot in game.board() & !game.central() {
            game.stones[next().index()].insert(spot);
        }
        game.counts = [game.variant.most_stones(); 2];
        game.begin_battle();
        Ok(game)
    }

    /// Rows and columns of the board.
    #[inline]
    pub fn size(&self) -> u8 {
        self.variant.size
    }

    /// The stones of a side; a lifted stone is on no point.
    #[inline]
    pub fn stones(&self, side: Side) -> Wide {
        self.stones[side.index()]
    }

    /// The number of a side's stones; a lifted stone counts.
    #[inline]
    pub fn count(&self, side: Side) -> u8 {
        self.counts[side.index()]
    }

    /// The side whose ply is next, or would be had the game not ended.
    #[inline]
    pub fn side(&self) -> Side {
        self.side
    }

    /// What has to be decided next.
    #[inline]
    pub fn due(&self) -> Due {
        self.due
    }

    /// The phase of the game.
    #[inline]
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Whether some plies of a turn have been played and some have not.
    #[inline]
    pub fn in_mid_turn(&self) -> bool {
        matches!(
            self.due,
            Due::Drop { .. } | Due::Hop { .. } | Due::Take { .. }
        )
    }

    /// Complete turns since the last capture (J9).
    #[inline]
    pub fn quiet_turns(&self) -> u16 {
        self.quiet.len()
    }

    /// Plies played since the game's start.
    #[inline]
    pub fn plies(&self) -> u16 {
        self.plies
    }

    /// How often the position at the end of the last turn has stood since the last capture, from 1.
    #[inline]
    pub fn occurrences(&self) -> u8 {
        self.occurrences
    }

    /// All points of the board.
    #[inline]
    pub fn board(&self) -> Wide {
        Wide::board(self.variant.size)
    }

    /// The points without a stone.
    #[inline]
    pub fn vacant(&self) -> Wide {
        self.board() & !(self.stones[0] | self.stones[1])
    }

    /// The two points of the central diagonal that the layout starts with (J2).
    #[inline]
    pub fn central(&self) -> Wide {
        let half = self.variant.size / 2;
        let mut points = Wide::single(Spot::new(half, half).0);
        points.insert(Spot::new(half - 1, half - 1).0);
        points
    }

    #[inline]
    pub(super) fn own(&self) -> Wide {
        self.stones[self.side.index()]
    }

    #[inline]
    pub(super) fn enemy(&self) -> Wide {
        self.stones[self.side.other().index()]
    }

    /// Stones jumped in this turn so far.
    #[inline]
    pub(super) fn jumped(&self) -> u8 {
        match self.due {
            Due::Hop { jumped, .. } => jumped,
            _ => 0,
        }
    }

    /// J4 d: whether a side has few enough stones to fly.
    #[inline]
    pub fn flies(&self, side: Side) -> bool {
        self.counts[side.index()] <= self.variant.size
    }

    /// J6, from the stones at the start of the turn: whether a jump move must take two by jumping.
    #[inline]
    pub fn limited(&self) -> bool {
        let enemy_at_start = self.counts[self.side.other().index()] + self.jumped();
        self.variant.strong_side_limit
            && enemy_at_start <= self.variant.size
            && !self.flies(self.side)
    }

    /// The directions in which the mover's stone at `at` can hop over one of `enemy`.
    #[inline]
    pub(super) fn hops(
        at: Spot,
        enemy: Wide,
        vacant: Wide,
    ) -> impl Iterator<Item = Direction> + Clone {
        Direction::ALL.into_iter().filter(move |&direction| {
            enemy.has(at.neighbour(direction).0) && vacant.has(at.beyond(direction).0)
        })
    }
}
