//! The state of a game of EinStein: two sides' cubes, the mover and what is due.

use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use super::geometry::{CUBES, Cube, GOAL, MOVABLE, SIZE, Square, zone};
use super::lanes::Lanes;
use super::moves::Ply;
use crate::game::{Game, Outcome, Roll, Side, Status};
use crate::keys::mixed;
use crate::text::{Point, TextError};

/// EinStein has no rule options.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {}

/// How the cubes come onto the board (E2).
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Setup {
    /// Each side's cubes in an independent uniform permutation.
    #[default]
    Random,
    /// A given position text.
    Fixed(String),
    /// The players place the cubes, six plies each, Red first.
    Players,
}

/// What is due in a position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Phase {
    /// The mover places its lowest cube that is not on the board.
    Placing,
    /// The mover rolls.
    Rolling,
    /// The mover moves for this face, from 0.
    Moving(u8),
    /// The side has won.
    Won(Side),
}

/// A position of EinStein würfelt nicht.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Einstein {
    pub(super) cubes: [Lanes; 2],
    pub(super) mover: Side,
    pub(super) phase: Phase,
}

/// Six fair faces (E10).
static DIE: [(Roll, f64); 6] = {
    let mut die = [(Roll(0), 1.0 / 6.0); 6];
    let mut face = 0;
    while face < 6 {
        die[face].0 = Roll(face as u8);
        face += 1;
    }
    die
};

impl Einstein {
    /// The empty board on which Red is to place its first cube.
    pub const PLACING: Einstein = Einstein {
        cubes: [Lanes::EMPTY; 2],
        mover: Side::First,
        phase: Phase::Placing,
    };

    /// The whole position: each side's cubes, with the phase and the mover in bytes that cubes leave free.
    #[inline]
    pub(super) fn packed(&self) -> [u64; 2] {
        let phase = match self.phase {
            Phase::Placing => 7,
            Phase::Rolling => 0,
            Phase::Moving(face) => 1 + u64::from(face),
            // The winner follows from the board.
            Phase::Won(_) => 8,
        };
        let [red, blue] = self.cubes.map(|lanes| lanes.0 << 16);
        [red | phase, blue | self.mover.index() as u64]
    }

    /// Where a side's cube stands, or `None` when it is not on the board.
    pub fn square_of(&self, side: Side, cube: Cube) -> Option<Square> {
        self.cubes[side.index()].square(cube)
    }

    /// Which cube stands on a square.
    pub fn cube_on(&self, square: Square) -> Option<(Side, Cube)> {
        Side::BOTH.into_iter().find_map(|side| {
            let cube = self.cubes[side.index()].cube_on(square)?;
            Some((side, cube))
        })
    }

    /// The living cubes of a side as six bits, cube 1 lowest.
    #[inline]
    pub fn alive(&self, side: Side) -> u8 {
        self.cubes[side.index()].alive()
    }

    /// The side whose turn it is, also before its roll; in a finished game, the side that would be next.
    #[inline]
    pub fn mover(&self) -> Side {
        self.mover
    }

    /// The die's face from 1 to 6, once rolled.
    pub fn die(&self) -> Option<u8> {
        match self.phase {
            Phase::Moving(face) => Some(face + 1),
            _ => None,
        }
    }

    /// The cubes that the mover may move (E4), as six bits; none unless a die lies.
    #[inline]
    pub(super) fn movable(&self) -> u8 {
        match self.phase {
            Phase::Moving(face) => MOVABLE[usize::from(self.alive(self.mover))][usize::from(face)],
            _ => 0,
        }
    }

    /// The cube that is to be placed next in a set-up by the players (E2).
    pub(super) fn next_placed(&self) -> Cube {
        Cube(self.alive(self.mover).trailing_ones() as u8)
    }

    #[inline]
    fn step(&mut self, cube: Cube, to: Square) {
        let mover = self.mover;
        let other = mover.other();
        // E5: whatever stands on the target is removed, also an own cube.
        self.cubes[other.index()].clear(to);
        self.cubes[mover.index()].clear(to);
        self.cubes[mover.index()].put(cube, to);
        // E6.
        let won = to == GOAL[mover.index()] || self.cubes[other.index()] == Lanes::EMPTY;
        self.phase = if won {
            Phase::Won(mover)
        } else {
            Phase::Rolling
        };
        self.mover = other;
    }

    fn place(&mut self, cube: Cube, square: Square) {
        self.cubes[self.mover.index()].put(cube, square);
        if usize::from(cube.0) + 1 == CUBES {
            if self.mover == Side::Second {
                self.phase = Phase::Rolling;
            }
            self.mover = self.mover.other();
        }
    }
}

impl Game for Einstein {
    const NAME: &'static str = "einstein";
    const RULES: u16 = 1;
    const DRAWS: bool = false;

    type Move = Ply;
    type Variant = Rules;
    type Start = Setup;

    fn start(_: &Rules, start: &Setup, draws: &mut ChaCha8Rng) -> Result<Self, TextError> {
        match start {
            Setup::Players => Ok(Einstein::PLACING),
            Setup::Fixed(text) => Einstein::parse(text, &Rules {}),
            Setup::Random => {
                let mut game = Einstein::PLACING;
                for side in Side::BOTH {
                    let mut cells = zone(side);
                    cells.shuffle(draws);
                    for (cube, square) in (0..).map(Cube).zip(cells) {
                        game.place(cube, square);
                    }
                }
                Ok(game)
            }
        }
    }

    fn variant(&self) -> &Rules {
        &Rules {}
    }

    #[inline]
    fn status(&self) -> Status {
        match self.phase {
            Phase::Placing | Phase::Moving(_) => Status::ToMove(self.mover),
            Phase::Rolling => Status::Rolling,
            Phase::Won(side) => Status::Over(Outcome::Win(side)),
        }
    }

    #[inline]
    fn moves(&self, out: &mut Vec<Ply>) {
        out.clear();
        if self.phase == Phase::Placing {
            let cube = self.next_placed();
            let own = self.cubes[self.mover.index()];
            let free = zone(self.mover)
                .into_iter()
                .filter(|&square| own.cube_on(square).is_none());
            out.extend(free.map(|square| Ply::Place { cube, square }));
            return;
        }
        self.each_step(|step| out.push(step));
    }

    #[inline]
    fn rolls(&self) -> &'static [(Roll, f64)] {
        match self.phase {
            Phase::Rolling => &DIE,
            _ => &[],
        }
    }

    #[inline]
    fn settle(&mut self, roll: Roll) {
        debug_assert_eq!(
            self.phase,
            Phase::Rolling,
            "a roll is settled when one is due"
        );
        debug_assert!(roll.0 < 6, "a die has six faces");
        self.phase = Phase::Moving(roll.0);
    }

    #[inline]
    fn play(&mut self, mv: Ply) {
        debug_assert!(
            {
                let mut legal = Vec::new();
                self.moves(&mut legal);
                legal.contains(&mv)
            },
            "{mv:?} is legal in {}",
            self.text()
        );
        match mv {
            Ply::Step { cube, to } => self.step(cube, to),
            Ply::Place { cube, square } => self.place(cube, square),
        }
    }

    fn key(&self) -> u64 {
        self.packed().into_iter().fold(0, mixed)
    }

    fn text(&self) -> String {
        super::text::write(self)
    }

    fn parse(text: &str, _: &Rules) -> Result<Self, TextError> {
        super::text::read(text)
    }

    fn move_text(&self, mv: Ply) -> String {
        super::text::write_ply(self, mv)
    }

    fn parse_move(&self, text: &str) -> Result<Ply, TextError> {
        super::text::read_ply(self, text)
    }

    fn draw(&self) -> String {
        let mut drawing = String::new();
        for row in (0..SIZE).rev() {
            drawing.push_str(&format!(" {} ", row + 1));
            for column in 0..SIZE {
                let cube = self.cube_on(Square::of(Point { column, row }));
                drawing.push_str(&match cube {
                    Some((side, cube)) => {
                        format!(" {}{}", super::text::COLOUR[side.index()], cube.0 + 1)
                    }
                    None => "  .".to_string(),
                });
            }
            drawing.push('\n');
        }
        drawing.push_str("     A  B  C  D  E\n");
        let mover = super::text::COLOUR[self.mover.index()];
        drawing.push_str(&match self.phase {
            Phase::Won(side) => format!("{} has won\n", super::text::COLOUR[side.index()]),
            Phase::Moving(die) => format!("{mover} to move, the die shows {}\n", die + 1),
            Phase::Rolling => format!("{mover} to roll\n"),
            Phase::Placing => format!("{mover} to place\n"),
        });
        drawing
    }
}
