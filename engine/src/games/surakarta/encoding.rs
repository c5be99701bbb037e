//! Planes, policy indices and symmetries. The mover always sees the board from its own side.

use super::board::{POINTS, SIZE, Square, Turn, squares};
use super::moves::Move;
use super::state::Surakarta;
use super::tracks::Track;
use super::variant::Variant;
use crate::encode::{Encode, Head, Shape, Symmetry};
use crate::game::{Game, Outcome, Side, Status};

/// The planes, in order. Those of sets are 1 on the points of the set, the others are constant.
#[derive(Clone, Copy)]
enum Plane {
    /// The mover's stones.
    Own,
    /// The opponent's stones.
    Enemies,
    /// Points of the inner track.
    Inner,
    /// Points of the outer track.
    Outer,
    /// Plies since the last capture, over the limit.
    Quiet,
    /// 1 if the position stood on the board before.
    Repeated,
    /// 1 if the mover is the second side.
    SecondSide,
}

const PLANES: usize = Plane::SecondSide as usize + 1;

/// Half the symmetries change the sides as well: the colours are exchanged and the board makes
/// half a turn, so that both sides keep their own edge (S9). The other three bits are a [`Turn`].
const CHANGE_SIDES: u8 = 8;

static SYMMETRIES: [Symmetry; 16] = symmetries();

const fn symmetries() -> [Symmetry; 16] {
    let mut all = [Symmetry::IDENTITY; 16];
    let mut number = 0;
    while number < all.len() {
        all[number] = Symmetry(number as u8);
        number += 1;
    }
    all
}

/// How a symmetry turns the board.
fn turn(symmetry: Symmetry) -> Turn {
    let turn = own_turn(symmetry);
    if Surakarta::swaps_sides(symmetry) {
        return turn.half_turned();
    }
    turn
}

/// The turn without that of the change of sides.
fn own_turn(symmetry: Symmetry) -> Turn {
    Turn(symmetry.0 & !CHANGE_SIDES)
}

/// The sides' stones as a symmetry shows them, from those on the board that it has turned.
fn map_sides<T>(symmetry: Symmetry, [first, second]: [T; 2]) -> [T; 2] {
    match Surakarta::swaps_sides(symmetry) {
        true => [second, first],
        false => [first, second],
    }
}

fn map_side(symmetry: Symmetry, side: Side) -> Side {
    if Surakarta::swaps_sides(symmetry) {
        return side.other();
    }
    side
}

fn map_status(symmetry: Symmetry, status: Status) -> Status {
    match status {
        Status::ToMove(side) => Status::ToMove(map_side(symmetry, side)),
        Status::Over(Outcome::Win(side)) => Status::Over(Outcome::Win(map_side(symmetry, side))),
        same => same,
    }
}

impl Surakarta {
    /// The cell of a square as the mover sees it, from 0 in the top row; half a turn reverses them.
    fn seen_cell(&self, square: Square) -> usize {
        match self.mover {
            Side::First => square.cell(),
            Side::Second => POINTS - 1 - square.cell(),
        }
    }
}

impl Encode for Surakarta {
    type Picture = [u64; 3];

    const ENCODING: u16 = 1;

    fn shape(_variant: &Variant) -> Shape {
        Shape {
            planes: PLANES,
            rows: SIZE.into(),
            columns: SIZE.into(),
            policy: POINTS * POINTS,
            head: Head::Pairs,
        }
    }

    fn planes(&self, out: &mut [f32]) {
        assert_eq!(out.len(), PLANES * POINTS, "the planes have their size");
        out.fill(0.0);
        let stones = self.stones();
        for (plane, set) in [
            (Plane::Own, stones.own),
            (Plane::Enemies, stones.enemies),
            (Plane::Inner, const { Track::Inner.points() }),
            (Plane::Outer, const { Track::Outer.points() }),
        ] {
            for square in squares(set) {
                out[plane as usize * POINTS + self.seen_cell(square)] = 1.0;
            }
        }
        let quiet = f32::from(self.quiet) / f32::from(self.variant().quiet_limit);
        for (plane, number) in [
            (Plane::Quiet, quiet),
            (Plane::Repeated, f32::from(self.repeats())),
            (Plane::SecondSide, f32::from(self.mover == Side::Second)),
        ] {
            out[plane as usize * POINTS..][..POINTS].fill(number);
        }
    }

    fn index(&self, mv: Move) -> usize {
        self.seen_cell(mv.from) * POINTS + self.seen_cell(mv.to)
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        &SYMMETRIES
    }

    fn swaps_sides(symmetry: Symmetry) -> bool {
        symmetry.0 & CHANGE_SIDES != 0
    }

    fn inverse(symmetry: Symmetry) -> Symmetry {
        // Half a turn and the change of colours commute with everything and undo themselves.
        Symmetry(own_turn(symmetry).inverse().0 | symmetry.0 & CHANGE_SIDES)
    }

    fn map(&self, symmetry: Symmetry) -> Surakarta {
        Surakarta {
            stones: map_sides(symmetry, self.stones.map(|set| turn(symmetry).set(set))),
            mover: map_side(symmetry, self.mover),
            quiet: self.quiet,
            variant: self.variant,
            status: map_status(symmetry, self.status),
            history: self.history.map(|square| turn(symmetry).square(square)),
        }
    }

    fn pictures(&self) -> impl Fn(Symmetry) -> [u64; 3] {
        let quiet = u64::from(self.quiet) << 32 | u64::from(self.variant.quiet_limit) << 1;
        let rest = quiet | u64::from(self.repeats());
        let turned = Turn::all_of(self.stones);
        move |symmetry| {
            let [first, second] = map_sides(symmetry, turned[turn(symmetry).number()]);
            let mover = map_side(symmetry, self.mover).index() as u64;
            [first, second, rest << 1 | mover]
        }
    }

    fn map_move(&self, symmetry: Symmetry, mv: Move) -> Move {
        Move {
            from: turn(symmetry).square(mv.from),
            to: turn(symmetry).square(mv.to),
            captures: mv.captures,
        }
    }
}
