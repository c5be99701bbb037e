//! Jiu as a [`Game`].

use rand_chacha::ChaCha8Rng;

use super::ply::Move;
use super::state::{Due, Jiu};
use super::text;
use super::variant::{Start, Variant};
use crate::game::{Game, Listing, Status};
use crate::keys::mixed;
use crate::text::TextError;

impl Jiu {
    /// A key of the turns since the last capture; 0 if there are none.
    pub fn quiet_key(&self) -> u64 {
        self.quiet.key()
    }

    /// The plies played, if the cap on plies can cut the game within `plies` plies, and otherwise 0.
    pub fn cap_key(&self, plies: u32) -> u64 {
        let near = u32::from(self.plies) + plies >= u32::from(self.variant.most_plies());
        if near { u64::from(self.plies) } else { 0 }
    }
}

impl Game for Jiu {
    const NAME: &'static str = "jiu";
    const RULES: u16 = 1;
    const DRAWS: bool = true;

    type Move = Move;
    type Variant = Variant;
    type Start = Start;

    fn start(variant: &Variant, start: &Start, draws: &mut ChaCha8Rng) -> Result<Jiu, TextError> {
        Jiu::begin(variant, start, draws)
    }

    fn variant(&self) -> &Variant {
        &self.variant
    }

    fn status(&self) -> Status {
        match self.due {
            Due::End(outcome) => Status::Over(outcome),
            _ => Status::ToMove(self.side),
        }
    }

    fn phase(&self) -> usize {
        self.phase as usize
    }

    fn moves(&self, out: &mut Vec<Move>) {
        self.list(out);
    }

    fn play(&mut self, mv: Move) {
        debug_assert!(
            {
                let mut legal = Vec::new();
                self.list(&mut legal);
                legal.contains(&mv)
            },
            "{} is not legal in {}",
            mv.text(),
            text::write(self)
        );
        self.advance(mv);
    }

    fn key(&self) -> u64 {
        let in_turn = match self.due {
            Due::Placement | Due::Turn | Due::End(_) => [0, 0, 0, 0],
            Due::Drop { origin } => [1, origin.0, 0, 0],
            Due::Hop { at, jumped, origin } => [2, at.0, jumped, origin.0],
            Due::Take { owed } => [3, owed, 0, 0],
        };
        let fields = [self.size(), self.side as u8, self.phase as u8, 0];
        let rest =
            u64::from(u32::from_le_bytes(fields)) << 32 | u64::from(u32::from_le_bytes(in_turn));
        let [white, black] = self.stones.map(|stones| stones.words());
        white
            .into_iter()
            .chain(black)
            .chain([rest])
            .fold(0x6a69_7520_6b65_7931, mixed)
    }

    fn text(&self) -> String {
        text::write(self)
    }

    fn parse(text: &str, variant: &Variant) -> Result<Jiu, TextError> {
        text::parse(text, variant)
    }

    fn move_text(&self, mv: Move) -> String {
        mv.text()
    }

    fn parse_move(&self, text: &str) -> Result<Move, TextError> {
        Move::parse(text, &self.variant)
    }

    fn listing(&self) -> Listing {
        let paths = self.paths().into_iter();
        Listing::Paths(
            paths
                .map(|(path, squares)| (path, squares.into()))
                .collect(),
        )
    }

    fn draw(&self) -> String {
        text::draw(self)
    }
}
