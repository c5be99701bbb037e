//! A game in progress: the stones, whose turn it is, and what the ends of the game look at.

use rand_chacha::ChaCha8Rng;

use super::board::{MOST_STONES, START, Square};
use super::history::{History, Step};
use super::moves::{Move, Stones};
use super::tracks::{Rings, Route, routes};
use super::variant::{Start, Variant};
use super::{drawing, text};
use crate::game::{Game, Outcome, Side, Status};
use crate::keys::mixed;
use crate::text::TextError;

/// A game of Surakarta at one moment.
#[derive(Clone, PartialEq, Debug)]
pub struct Surakarta {
    pub(super) stones: [u64; 2],
    pub(super) mover: Side,
    /// Plies since the last capture.
    pub(super) quiet: u16,
    pub(super) variant: Variant,
    pub(super) status: Status,
    pub(super) history: History,
}

impl Surakarta {
    /// The usual start position (S1).
    ///
    /// # Errors
    /// A limit on quiet plies that the game cannot keep.
    pub fn new(variant: &Variant) -> Result<Surakarta, TextError> {
        Surakarta::of(START, Side::First, 0, variant)
    }

    /// A position without a past. Both sides have at most 12 stones, on different points.
    pub(super) fn of(
        stones: [u64; 2],
        mover: Side,
        quiet: u16,
        variant: &Variant,
    ) -> Result<Surakarta, TextError> {
        variant.checked()?;
        debug_assert!(stones.iter().all(|set| set.count_ones() <= MOST_STONES));
        debug_assert_eq!(stones[0] & stones[1], 0, "a point holds one stone");
        if stones == [0, 0] {
            return Err(TextError::at(1, "the board is empty"));
        }
        let mut position = Surakarta {
            stones,
            mover,
            quiet,
            variant: *variant,
            status: Status::ToMove(mover),
            history: History::EMPTY,
        };
        position.status = position.judge();
        Ok(position)
    }

    /// How many stones a side has.
    pub fn count(&self, side: Side) -> u32 {
        self.stones[side.index()].count_ones()
    }

    /// The side whose stone stands on a square.
    pub fn stone(&self, square: Square) -> Option<Side> {
        Side::BOTH
            .into_iter()
            .find(|side| self.stones[side.index()] & square.mask() != 0)
    }

    /// Plies since the last capture.
    pub fn quiet_plies(&self) -> u16 {
        self.quiet
    }

    /// Whether the present position stood on the board before, since the last capture.
    pub fn repeats(&self) -> bool {
        self.history.occurrences(1) > 0
    }

    /// The exit points of a capture along the route with the fewest arcs (S10); none for a step
    /// or for a capture that is not possible.
    pub fn exits(&self, mv: Move) -> Option<Route> {
        // The first of equals is kept, which is S10's order.
        self.routes(mv)
            .into_iter()
            .min_by_key(|route| route.exits().len())
    }

    /// Every route of a capture; none for a step or for a capture that is not possible.
    pub(super) fn routes(&self, mv: Move) -> Vec<Route> {
        let taker = self.stone(mv.from);
        if !mv.captures || taker.is_none() || taker.map(Side::other) != self.stone(mv.to) {
            return Vec::new();
        }
        let rings = Rings::of(self.stones[0] | self.stones[1]);
        routes(mv.from, mv.to, &rings).collect()
    }

    #[inline]
    pub(super) fn stones(&self) -> Stones {
        Stones {
            own: self.stones[self.mover.index()],
            enemies: self.stones[self.mover.other().index()],
        }
    }

    /// What comes next. All ends but S8 a go by the count of stones, and S8 a agrees with it, so
    /// the order of the tests does not matter; the cheap ones come first.
    #[inline]
    fn judge(&self) -> Status {
        let stones = self.stones();
        let ended = stones.own == 0
            || stones.enemies == 0
            || self.quiet >= self.variant.quiet_limit
            || self.repeated_too_often()
            || !stones.can_move();
        if !ended {
            return Status::ToMove(self.mover);
        }
        Status::Over(
            match self.count(Side::First).cmp(&self.count(Side::Second)) {
                std::cmp::Ordering::Greater => Outcome::Win(Side::First),
                std::cmp::Ordering::Less => Outcome::Win(Side::Second),
                std::cmp::Ordering::Equal => Outcome::Draw,
            },
        )
    }

    #[inline]
    fn repeated_too_often(&self) -> bool {
        let earlier = self.variant.repetition.earlier();
        self.history.occurrences(earlier) == earlier
    }
}

impl Game for Surakarta {
    const NAME: &'static str = "surakarta";
    const RULES: u16 = 1;
    const DRAWS: bool = true;

    type Move = Move;
    type Variant = Variant;
    type Start = Start;

    fn start(
        variant: &Variant,
        start: &Start,
        _draws: &mut ChaCha8Rng,
    ) -> Result<Surakarta, TextError> {
        let first = match &start.position {
            Some(position) => Surakarta::parse(position, variant)?,
            None => Surakarta::new(variant)?,
        };
        if let Status::Over(_) = first.status {
            return Err(TextError::at(1, "the game is over in the start position"));
        }
        Ok(first)
    }

    fn variant(&self) -> &Variant {
        &self.variant
    }

    #[inline]
    fn status(&self) -> Status {
        self.status
    }

    fn moves(&self, out: &mut Vec<Move>) {
        out.clear();
        if let Status::ToMove(_) = self.status {
            self.stones().each_move(|mv| out.push(mv));
        }
    }

    #[inline]
    fn play(&mut self, mv: Move) {
        debug_assert!(
            self.status == Status::ToMove(self.mover) && self.stones().allow(mv),
            "{} is not legal in {}",
            self.move_text(mv),
            self.text()
        );
        self.stones[self.mover.index()] ^= mv.from.mask() | mv.to.mask();
        self.mover = self.mover.other();
        if mv.captures {
            self.stones[self.mover.index()] ^= mv.to.mask();
            self.quiet = 0;
            self.history.clear();
        } else {
            self.quiet += 1;
            self.history.push(Step {
                from: mv.from,
                to: mv.to,
            });
        }
        self.status = self.judge();
    }

    fn key(&self) -> u64 {
        let rest = u64::from(self.quiet) << 1 | self.mover.index() as u64;
        [self.stones[0], self.stones[1], rest]
            .into_iter()
            .fold(0, mixed)
    }

    fn text(&self) -> String {
        text::write(self)
    }

    fn parse(text: &str, variant: &Variant) -> Result<Surakarta, TextError> {
        text::read(text, variant)
    }

    fn move_text(&self, mv: Move) -> String {
        text::write_move(mv)
    }

    fn describe_move(&self, mv: Move) -> String {
        text::describe_move(self, mv)
    }

    fn parse_move(&self, text: &str) -> Result<Move, TextError> {
        text::read_move(text)
    }

    fn draw(&self) -> String {
        drawing::draw(self)
    }
}
