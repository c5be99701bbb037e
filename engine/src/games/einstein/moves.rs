//! Plies of EinStein and the counting of their paths.

use super::geometry::{CUBES, Cube, FACES, STEPS, Square};
use super::state::{Einstein, Phase, Rules};
use crate::game::{Game, Roll, Status};
use crate::perft::Perft;

/// One ply.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Ply {
    /// A cube moves one cell (E3).
    Step {
        /// The mover's cube.
        cube: Cube,
        /// Where it goes.
        to: Square,
    },
    /// A cube is placed in a set-up by the players (E2).
    Place {
        /// The mover's cube.
        cube: Cube,
        /// Where it is placed.
        square: Square,
    },
}

/// The set-up of the published counts: both sides' cubes in the order of their numbers.
const PERFT_START: &str = "ABC2/DE3/F3f/3ed/2cba r -";

impl Perft for Einstein {
    fn perft_start(variant: &Rules) -> Self {
        Einstein::parse(PERFT_START, variant).expect("the fixed set-up is a position")
    }

    /// Counts each legal move of each of the six faces as one path. The last ply is counted in bulk:
    /// the steps of each cube times the faces that move it, without playing them.
    fn perft(&self, depth: u32) -> u64 {
        match (self.phase, depth) {
            (_, 0) => 1,
            (Phase::Rolling, 1) => self.steps_over_all_faces(),
            (Phase::Rolling, _) => (0..6)
                .map(|face| {
                    let mut rolled = *self;
                    rolled.settle(Roll(face));
                    rolled.perft(depth)
                })
                .sum(),
            (Phase::Won(_), _) => 0,
            (Phase::Placing | Phase::Moving(_), _) => self.perft_of_moves(depth),
        }
    }
}

impl Einstein {
    fn steps_over_all_faces(&self) -> u64 {
        let own = self.cubes[self.mover.index()];
        let faces = &FACES[usize::from(own.alive())];
        (0..CUBES as u8)
            .filter_map(|cube| {
                let square = own.square(Cube(cube))?;
                let steps = STEPS[self.mover.index()][usize::from(square.0)].count();
                Some(u64::from(steps) * u64::from(faces[usize::from(cube)]))
            })
            .sum()
    }

    /// Every step of the cubes that the die lets move (E3), in the order of [`Game::moves`].
    #[inline]
    pub(super) fn each_step(&self, mut act: impl FnMut(Ply)) {
        let own = self.cubes[self.mover.index()];
        let mut movable = self.movable();
        while movable != 0 {
            let cube = Cube(movable.trailing_zeros() as u8);
            movable &= movable - 1;
            if let Some(from) = own.square(cube) {
                let targets = STEPS[self.mover.index()][usize::from(from.0)].targets();
                targets.iter().for_each(|&to| act(Ply::Step { cube, to }));
            }
        }
    }

    fn perft_of_moves(&self, depth: u32) -> u64 {
        let mut nodes = 0;
        let play = |mv| {
            let mut next = *self;
            next.play(mv);
            if depth == 1 || !matches!(next.status(), Status::Over(_)) {
                nodes += next.perft(depth - 1);
            }
        };
        if self.phase == Phase::Placing {
            let mut moves = Vec::new();
            self.moves(&mut moves);
            moves.into_iter().for_each(play);
            return nodes;
        }
        self.each_step(play);
        nodes
    }
}
