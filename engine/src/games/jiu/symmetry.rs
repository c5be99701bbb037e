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

fn set(symmetry: Symmetry, size: u8, stones: Wide) -> Wide {
    match symmetry.0 & TRANSPOSED {
        0 => reversed(symmetry, size, stones),
        _ => reversed(symmetry, size, stones.transposed()),
    }
}

/// What a symmetry does after rows and columns have been exchanged.
fn reversed(symmetry: Symmetry, size: u8, stones: Wide) -> Wide {
    match symmetry.0 & (COLUMNS | ROWS) {
        0 => stones,
        COLUMNS => stones.columns_reversed(size),
        ROWS => stones.rows_reversed(size),
        _ => stones.turned(size),
    }
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

/// White's and Black's stones as a symmetry shows them, from those on the board that it has turned.
fn sides<T>(symmetry: Symmetry, [white, black]: [T; 2]) -> [T; 2] {
    match swaps_sides(symmetry) {
        true => [black, white],
        false => [white, black],
    }
}

/// White's and Black's stones, and all else that the planes show.
pub type Picture = [u64; 2 * Wide::WORDS + 2];

/// For each symmetry what the planes of the mapped position show.
pub(super) fn pictures(game: &Jiu) -> impl Fn(Symmetry) -> Picture {
    let transposed = game.stones.map(Wide::transposed);
    // Symmetries that differ in the sides alone turn the board alike.
    let turned: [_; SIDES as usize] = std::array::from_fn(|turn| {
        let turn = Symmetry(turn as u8);
        let stones = match turn.0 & TRANSPOSED {
            0 => game.stones,
            _ => transposed,
        };
        stones.map(|stones| reversed(turn, game.size(), stones))
    });
    move |symmetry| {
        let turn = usize::from(symmetry.0 % SIDES);
        picture(symmetry, game, sides(symmetry, turned[turn]))
    }
}

/// The picture of the mapped position, whose stones are given.
fn picture(symmetry: Symmetry, game: &Jiu, [white, black]: [Wide; 2]) -> Picture {
    let at = |point| spot(symmetry, game.size(), point).0;
    let in_turn = match game.due {
        Due::Placement | Due::Turn | Due::End(_) => [0, 0, 0, 0],
        Due::Drop { origin } => [1, at(origin), 0, 0],
        Due::Hop {
            at: point,
            jumped,
            origin,
        } => [2, at(point), jumped, at(origin)],
        Due::Take { owed } => [3, owed, 0, 0],
    };
    let side = game.side as u8 ^ u8::from(swaps_sides(symmetry));
    let repeated = u8::from(game.occurrences >= 2);
    let limited = u8::from(game.variant.strong_side_limit);
    let fields = [side, game.phase as u8, repeated, limited];
    let word = |low: [u8; 4], high: [u8; 4]| {
        u64::from(u32::from_le_bytes(low)) | u64::from(u32::from_le_bytes(high)) << 32
    };
    let shares = [
        game.quiet_turns(),
        game.variant.quiet_turns(),
        game.plies,
        game.variant.most_plies(),
    ];
    let shares = shares
        .into_iter()
        .fold(0, |word, number| word << 16 | u64::from(number));
    let mut picture = [0; _];
    picture[..Wide::WORDS].copy_from_slice(&white.words());
    picture[Wide::WORDS..][..Wide::WORDS].copy_from_slice(&black.words());
    picture[2 * Wide::WORDS..].copy_from_slice(&[word(in_turn, fields), shares]);
    picture
}

pub(super) fn position(symmetry: Symmetry, game: &Jiu) -> Jiu {
    if symmetry == Symmetry::IDENTITY {
        return *game;
    }
    let at = |point| spot(symmetry, game.size(), point);
    let swaps = swaps_sides(symmetry);
    let mut mapped = *game;
    let turned = game.stones.map(|stones| set(symmetry, game.size(), stones));
    mapped.stones = sides(symmetry, turned);
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
        mapped.counts.swap(0, 1);
        mapped.side = game.side.other();
    }
    mapped
}
