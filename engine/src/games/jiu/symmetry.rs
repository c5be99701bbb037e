//! The symmetries of Jiu (J11): reflections and rotations of the board, and the change of sides.

use super::ply::{Direction, Move, Spot};
use super::state::{Due, Jiu, Phase};
use crate::bits::Wide;
use crate::encode::Symmetry;
use crate::game::Outcome;

/// Columns are reversed.
const COLUMNS: u8 = 1;
/// Rows are reversed.
const ROWS: u8 = 2;
/// Rows and columns are exchanged, before anything is reversed.
const TRANSPOSED: u8 = 4;
/// White and Black are exchanged.
const SIDES: u8 = 8;

const IN_BATTLE: [Symmetry; 16] = {
    let mut all = [Symmetry::IDENTITY; 16];
    let mut number = 0;
    while number < 16 {
        all[number as usize] = Symmetry(number);
        number += 1;
    }
    all
};

/// Those that keep the central diagonal and White as the first to place.
const IN_LAYOUT: [Symmetry; 4] = [
    Symmetry::IDENTITY,
    Symmetry(COLUMNS | ROWS),
    Symmetry(TRANSPOSED),
    Symmetry(TRANSPOSED | COLUMNS | ROWS),
];

pub(super) fn of_phase(phase: Phase) -> &'static [Symmetry] {
    match phase {
        Phase::Layout => &IN_LAYOUT,
        Phase::Battle => &IN_BATTLE,
    }
}

pub(super) fn swaps_sides(symmetry: Symmetry) -> bool {
    symmetry.0 & SIDES != 0
}

pub(super) fn inverse(symmetry: Symmetry) -> Symmetry {
    let Symmetry(bits) = symmetry;
    if bits & TRANSPOSED == 0 {
        return symmetry;
    }
    // Reversing columns after the exchange undoes reversing rows before it.
    let columns = if bits & ROWS != 0 { COLUMNS } else { 0 };
    let rows = if bits & COLUMNS != 0 { ROWS } else { 0 };
    Symmetry(bits & (TRANSPOSED | SIDES) | columns | rows)
}

pub(super) fn spot(symmetry: Symmetry, size: u8, spot: Spot) -> Spot {
    let Symmetry(bits) = symmetry;
    let (mut column, mut row) = (spot.column(), spot.row());
    if bits & TRANSPOSED != 0 {
        (column, row) = (row, column);
    }
    if bits & COLUMNS != 0 {
        column = size - 1 - column;
    }
    if bits & ROWS != 0 {
        row = size - 1 - row;
    }
    Spot::new(column, row)
}

fn direction(symmetry: Symmetry, direction: Direction) -> Direction {
    // A point that has all neighbours, on a board of three rows.
    let centre = Spot::new(1, 1);
    let mapped = spot(symmetry, 3, centre.neighbour(direction));
    let found = Direction::between(centre, mapped, 1);
    found.unwrap_or_else(|| unreachable!("symmetries keep neighbours"))
}

pub(super) fn ply(symmetry: Symmetry, size: u8, ply: Move) -> Move {
    let at = |point| spot(symmetry, size, point);
    match ply {
        Move::Place(point) => Move::Place(at(point)),
        Move::Step(from, way) => Move::Step(at(from), direction(symmetry, way)),
        Move::Lift(from) => Move::Lift(at(from)),
        Move::Drop(to) => Move::Drop(at(to)),
        Move::Hop(from, way) => Move::Hop(at(from), direction(symmetry, way)),
        Move::Stop => Move::Stop,
        Move::Take(point) => Move::Take(at(point)),
    }
}

pub(super) fn position(symmetry: Symmetry, game: &Jiu) -> Jiu {
    if symmetry == Symmetry::IDENTITY {
        return *game;
    }
    let at = |point| spot(symmetry, game.size(), point);
    let set = |stones: Wide| stones.iter().map(|bit| at(Spot(bit)).0).collect::<Wide>();
    let swaps = swaps_sides(symmetry);
    let mut mapped = *game;
    mapped.stones = game.stones.map(set);
    mapped.quiet = game.quiet.map(at);
    mapped.due = match game.due {
        Due::Drop { origin } => Due::Drop { origin: at(origin) },
        Due::Hop {
            at: point,
            jumped,
            origin,
        } => Due::Hop {
            at: at(point),
            jumped,
            origin: at(origin),
        },
        Due::End(Outcome::Win(side)) if swaps => Due::End(Outcome::Win(side.other())),
        same => same,
    };
    if swaps {
        mapped.stones.swap(0, 1);
        mapped.counts.swap(0, 1);
        mapped.side = game.side.other();
    }
    mapped
}
