//! EinStein for networks: 25 planes of 5×5 and 24 policy indices, seen from the mover's home corner.

use super::geometry::{CUBES, Cube, Direction, FACES, SIZE, Square, zone};
use super::moves::Ply;
use super::state::{Einstein, Phase};
use crate::encode::{Encode, Head, Shape, Symmetry};
use crate::game::Side;
use crate::keys::Key;

/// Planes in order; the board is turned so that the mover comes from the top left.
#[derive(Clone, Copy)]
enum Plane {
    /// Six planes, one an own cube.
    OwnCube = 0,
    /// Six planes, one an enemy cube.
    EnemyCube = 6,
    /// All own cubes.
    Own = 12,
    /// All enemy cubes.
    Enemy = 13,
    /// Own cubes that may move now (E4).
    Movable = 14,
    /// On each own cube, the share of die faces for which it may move.
    OwnFaces = 15,
    /// The same for the enemy's cubes.
    EnemyFaces = 16,
    /// Six planes, one a face, full where the die shows it.
    Die = 17,
    /// Full when the mover is Blue.
    Blue = 23,
    /// Full while the players place their cubes (E2).
    Placing = 24,
}

const PLANES: usize = 25;
const CELLS: usize = SIZE as usize * SIZE as usize;
const DIRECTIONS: usize = 3;

/// Symmetries are numbered by these bits (E9). Renumbering acts on the sides before they are swapped.
const MIRROR: u8 = 1;
const RENUMBER: [u8; 2] = [2, 4];
const SWAP: u8 = 8;

static ALL: [Symmetry; 16] = {
    let mut all = [Symmetry(0); 16];
    let mut bits = 0;
    while bits < 16 {
        all[bits] = Symmetry(bits as u8);
        bits += 1;
    }
    all
};

/// While cubes are placed in the order of their numbers, Red first, only the reflection holds.
static PLACING: [Symmetry; 2] = [Symmetry(0), Symmetry(MIRROR)];

impl Encode for Einstein {
    type Picture = Key;

    const ENCODING: u16 = 1;

    fn shape(_: &Self::Variant) -> Shape {
        Shape {
            planes: PLANES,
            rows: SIZE.into(),
            columns: SIZE.into(),
            policy: CUBES * DIRECTIONS + CUBES,
            head: Head::Dense,
        }
    }

    fn planes(&self, out: &mut [f32]) {
        out.fill(0.0);
        let mover = self.mover;
        let movable = self.movable();
        let sides = [
            (mover, Plane::OwnCube, Plane::Own, Plane::OwnFaces),
            (
                mover.other(),
                Plane::EnemyCube,
                Plane::Enemy,
                Plane::EnemyFaces,
            ),
        ];
        for (side, single, all, faces) in sides {
            let alive = usize::from(self.alive(side));
            for cube in 0..CUBES as u8 {
                let Some(square) = self.square_of(side, Cube(cube)) else {
                    continue;
                };
                let cell = cell(square.seen_by(mover));
                let number = usize::from(cube);
                out[(single as usize + number) * CELLS + cell] = 1.0;
                out[all as usize * CELLS + cell] = 1.0;
                out[faces as usize * CELLS + cell] = f32::from(FACES[alive][number]) / 6.0;
                if side == mover && movable >> cube & 1 == 1 {
                    out[Plane::Movable as usize * CELLS + cell] = 1.0;
                }
            }
        }
        let mut fill = |plane: usize| out[plane * CELLS..(plane + 1) * CELLS].fill(1.0);
        match self.phase {
            Phase::Moving(face) => fill(Plane::Die as usize + usize::from(face)),
            Phase::Placing => fill(Plane::Placing as usize),
            Phase::Rolling | Phase::Won(_) => {}
        }
        if mover == Side::Second {
            fill(Plane::Blue as usize);
        }
    }

    fn index(&self, mv: Ply) -> usize {
        match mv {
            Ply::Step { cube, to } => {
                let own = self.cubes[self.mover.index()];
                let from = own.square(cube).expect("a cube that moves is on the board");
                let direction = direction(from.seen_by(self.mover), to.seen_by(self.mover));
                usize::from(cube.0) * DIRECTIONS + direction as usize
            }
            Ply::Place { square, .. } => {
                let cell = zone(self.mover).iter().position(|&cell| cell == square);
                CUBES * DIRECTIONS + cell.expect("a cube is placed in its home zone")
            }
        }
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        match self.phase {
            Phase::Placing => &PLACING,
            _ => &ALL,
        }
    }

    fn swaps_sides(symmetry: Symmetry) -> bool {
        symmetry.0 & SWAP != 0
    }

    fn inverse(symmetry: Symmetry) -> Symmetry {
        if !Self::swaps_sides(symmetry) {
            return symmetry;
        }
        // After the swap the sides' renumberings change places.
        let exchanged = |bits: u8, from: usize, to: usize| {
            if bits & RENUMBER[from] != 0 {
                RENUMBER[to]
            } else {
                0
            }
        };
        let bits = symmetry.0;
        Symmetry(bits & (MIRROR | SWAP) | exchanged(bits, 0, 1) | exchanged(bits, 1, 0))
    }

    #[inline]
    fn map(&self, symmetry: Symmetry) -> Self {
        let mut mapped = *self;
        for side in Side::BOTH {
            let lanes = &mut mapped.cubes[side.index()];
            if symmetry.0 & MIRROR != 0 {
                *lanes = lanes.map(Square::mirrored);
            }
            if Self::swaps_sides(symmetry) {
                *lanes = lanes.turned();
            }
            if renumbers(symmetry, side) {
                *lanes = lanes.renumbered();
            }
        }
        if let Phase::Moving(face) = self.phase
            && renumbers(symmetry, self.mover)
        {
            mapped.phase = Phase::Moving(5 - face);
        }
        if Self::swaps_sides(symmetry) {
            mapped.cubes.swap(0, 1);
            mapped.mover = self.mover.other();
            if let Phase::Won(side) = self.phase {
                mapped.phase = Phase::Won(side.other());
            }
        }
        mapped
    }

    fn pictures(&self) -> impl Fn(Symmetry) -> Key {
        let mirrored = self.map(Symmetry(MIRROR));
        move |symmetry| {
            let image = if symmetry.0 & MIRROR == 0 {
                self
            } else {
                &mirrored
            };
            let [red, blue] = image.map(Symmetry(symmetry.0 & !MIRROR)).packed();
            Key(red, blue)
        }
    }

    fn map_move(&self, symmetry: Symmetry, mv: Ply) -> Ply {
        let number = |cube: Cube| {
            if renumbers(symmetry, self.mover) {
                Cube(CUBES as u8 - 1 - cube.0)
            } else {
                cube
            }
        };
        match mv {
            Ply::Step { cube, to } => Ply::Step {
                cube: number(cube),
                to: seen_through(symmetry, to),
            },
            Ply::Place { cube, square } => Ply::Place {
                cube,
                square: seen_through(symmetry, square),
            },
        }
    }
}

/// The place of a square in a plane, whose first row is the top row.
fn cell(square: Square) -> usize {
    let point = square.point();
    usize::from(SIZE - 1 - point.row) * usize::from(SIZE) + usize::from(point.column)
}

/// The direction of a step whose squares are seen by the mover.
fn direction(from: Square, to: Square) -> Direction {
    let (from, to) = (from.point(), to.point());
    match (to.column > from.column, to.row < from.row) {
        (true, false) => Direction::Across,
        (false, true) => Direction::Along,
        _ => Direction::Diagonal,
    }
}

fn renumbers(symmetry: Symmetry, side: Side) -> bool {
    symmetry.0 & RENUMBER[side.index()] != 0
}

fn seen_through(symmetry: Symmetry, square: Square) -> Square {
    let mirrored = if symmetry.0 & MIRROR != 0 {
        square.mirrored()
    } else {
        square
    };
    if Einstein::swaps_sides(symmetry) {
        mirrored.turned()
    } else {
        mirrored
    }
}
