//! Planes and policy indices of Jiu, the same for all board sizes.

use super::ply::{Move, Spot};
use super::state::{Due, Jiu, Phase};
use super::symmetry::{self, Picture};
use super::variant::{SIZES, Variant};
use crate::bits::Wide;
use crate::encode::{Encode, Head, Shape, Symmetry};
use crate::game::Side;

/// The input planes, in order. `Even` planes hold one number on all points.
#[derive(Clone, Copy)]
enum Plane {
    /// Stones of the side to move; a lifted stone is on no point.
    Own,
    /// Stones of the other side.
    Enemy,
    /// 1 on every point, so that padding tells the edge.
    Board,
    /// Points in complete squares of the side to move.
    OwnSquares,
    /// Points in complete squares of the other side.
    EnemySquares,
    /// Empty points that complete a square of the side to move, of the other side.
    OwnTriangles,
    EnemyTriangles,
    /// Those of them that the side can fill in one move of a stone from outside the cell.
    OwnGates,
    EnemyGates,
    /// Those between which and a square a stone of the side steps to and fro.
    OwnDalians,
    EnemyDalians,
    /// In the layout, the two points that are emptied at its end.
    Central,
    /// The stone that may hop on.
    Hopping,
    /// Where the hopping or lifted stone started.
    Origin,
    /// Even: the stones that the side to move has more than the other, divided by the board's side.
    Lead,
    /// Even: 1 in the layout.
    Layout,
    /// Even: 1 while a lifted stone is to be put down.
    Lifted,
    /// Even: stones jumped so far, divided by 16.
    Jumped,
    /// Even: 1 from two stones jumped, when J6 is satisfied.
    JumpedTwo,
    /// Even: 1 if J6 holds in this turn.
    Limited,
    /// Even: stones owed, divided by 4.
    Owed,
    /// Even: 1 if at least one, two, three, four stones are owed.
    OwedOne,
    OwedTwo,
    OwedThree,
    OwedFour,
    /// Even: 1 if the side to move, the other side, has the right to fly.
    OwnFlies,
    EnemyFlies,
    /// Even: quiet turns, as a share of the limit.
    Quiet,
    /// Even: plies, as a share of the cap.
    Plies,
    /// Even: 1 if the position at the last turn's end stood there before; a third time ends the game.
    Repeated,
    /// Even: 1 if Black is to move.
    Black,
}

const PLANES: usize = Plane::Black as usize + 1;

/// Policy planes: place or drop, lift, step in four directions, hop in four, take; then the index of `stop`.
const POLICY_PLANES: usize = 11;

impl Encode for Jiu {
    type Picture = Picture;

    const ENCODING: u16 = 2;

    fn shape(variant: &Variant) -> Shape {
        let side = usize::from(variant.size);
        Shape {
            planes: PLANES,
            rows: side,
            columns: side,
            policy: POLICY_PLANES * side * side + 1,
            head: Head::Planes {
                count: POLICY_PLANES,
            },
        }
    }

    fn served(variant: &Variant) -> Vec<Variant> {
        SIZES.map(|size| Variant { size, ..*variant }).into()
    }

    fn planes(&self, out: &mut [f32]) {
        out.fill(0.0);
        let mut writer = Writer {
            size: usize::from(self.size()),
            out,
        };
        self.point_planes(&mut writer);
        self.even_planes(&mut writer);
    }

    fn index(&self, mv: Move) -> usize {
        let (plane, at) = match mv {
            Move::Place(at) | Move::Drop(at) => (0, at),
            Move::Lift(at) => (1, at),
            Move::Step(at, direction) => (2 + direction as usize, at),
            Move::Hop(at, direction) => (6 + direction as usize, at),
            Move::Take(at) => (10, at),
            Move::Stop => {
                let side = usize::from(self.size());
                return POLICY_PLANES * side * side;
            }
        };
        cell(usize::from(self.size()), plane, at)
    }

    fn symmetries(&self) -> &'static [Symmetry] {
        symmetry::of_phase(self.phase)
    }

    fn swaps_sides(symmetry: Symmetry) -> bool {
        symmetry::swaps_sides(symmetry)
    }

    fn inverse(symmetry: Symmetry) -> Symmetry {
        symmetry::inverse(symmetry)
    }

    fn map(&self, symmetry: Symmetry) -> Jiu {
        symmetry::position(symmetry, self)
    }

    fn pictures(&self) -> impl Fn(Symmetry) -> Picture {
        symmetry::pictures(self)
    }

    fn map_move(&self, symmetry: Symmetry, mv: Move) -> Move {
        symmetry::ply(symmetry, self.size(), mv)
    }
}

/// The place of a point in a plane; the first row is the board's top row.
fn cell(size: usize, plane: usize, at: Spot) -> usize {
    let row_from_top = size - 1 - usize::from(at.row());
    (plane * size + row_from_top) * size + usize::from(at.column())
}

struct Writer<'a> {
    size: usize,
    out: &'a mut [f32],
}

impl Writer<'_> {
    fn points(&mut self, plane: Plane, points: Wide) {
        for bit in points {
            self.out[cell(self.size, plane as usize, Spot(bit))] = 1.0;
        }
    }

    fn even(&mut self, plane: Plane, number: f32) {
        let points = self.size * self.size;
        let from = plane as usize * points;
        self.out[from..from + points].fill(number);
    }

    fn flag(&mut self, plane: Plane, holds: bool) {
        if holds {
            self.even(plane, 1.0);
        }
    }
}

impl Jiu {
    fn point_planes(&self, writer: &mut Writer<'_>) {
        writer.points(Plane::Own, self.own());
        writer.points(Plane::Enemy, self.enemy());
        writer.points(Plane::Board, self.board());
        let (own, enemy) = (self.threats(self.side), self.threats(self.side.other()));
        writer.points(Plane::OwnSquares, own.squares);
        writer.points(Plane::EnemySquares, enemy.squares);
        writer.points(Plane::OwnTriangles, own.triangles);
        writer.points(Plane::EnemyTriangles, enemy.triangles);
        writer.points(Plane::OwnGates, own.gates);
        writer.points(Plane::EnemyGates, enemy.gates);
        writer.points(Plane::OwnDalians, own.dalians);
        writer.points(Plane::EnemyDalians, enemy.dalians);
        if self.phase == Phase::Layout {
            writer.points(Plane::Central, self.central());
        }
        match self.due {
            Due::Hop { at, origin, .. } => {
                writer.points(Plane::Hopping, Wide::single(at.0));
                writer.points(Plane::Origin, Wide::single(origin.0));
            }
            Due::Drop { origin } => writer.points(Plane::Origin, Wide::single(origin.0)),
            _ => {}
        }
    }

    fn even_planes(&self, writer: &mut Writer<'_>) {
        let battle = self.phase == Phase::Battle;
        let jumped = self.jumped();
        let owed = match self.due {
            Due::Take { owed } => owed,
            _ => 0,
        };
        // What J6 says about this turn is settled once the stone has landed.
        let moving = matches!(self.due, Due::Turn | Due::Hop { .. });
        let lead = f32::from(self.count(self.side)) - f32::from(self.count(self.side.other()));
        writer.even(Plane::Lead, lead / f32::from(self.size()));
        writer.flag(Plane::Layout, !battle);
        writer.flag(Plane::Lifted, matches!(self.due, Due::Drop { .. }));
        writer.even(Plane::Jumped, f32::from(jumped) / 16.0);
        writer.flag(Plane::JumpedTwo, jumped >= 2);
        writer.flag(Plane::Limited, moving && self.limited());
        writer.even(Plane::Owed, f32::from(owed) / 4.0);
        let owed_planes = [
            Plane::OwedOne,
            Plane::OwedTwo,
            Plane::OwedThree,
            Plane::OwedFour,
        ];
        for (at_least, plane) in (1..).zip(owed_planes) {
            writer.flag(plane, owed >= at_least);
        }
        writer.flag(Plane::OwnFlies, battle && self.flies(self.side));
        writer.flag(Plane::EnemyFlies, battle && self.flies(self.side.other()));
        let share = |number: u16, limit: u16| f32::from(number) / f32::from(limit);
        writer.even(
            Plane::Quiet,
            share(self.quiet_turns(), self.variant.quiet_turns()),
        );
        writer.even(Plane::Plies, share(self.plies, self.variant.most_plies()));
        writer.flag(Plane::Repeated, self.occurrences >= 2);
        writer.flag(Plane::Black, self.side == Side::Second);
    }
}
