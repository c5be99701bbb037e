//! The 256-bit set of points against sets of coordinates.

use std::collections::BTreeSet;

use engine::bits::Wide;
use engine::draws::{self, Purpose};
use rand::RngExt;

type Points = BTreeSet<(i32, i32)>;

fn wide(points: &Points) -> Wide {
    points
        .iter()
        .map(|&(column, row)| (16 * row + column) as u8)
        .collect()
}

fn points(set: Wide) -> Points {
    set.iter()
        .map(|bit| (i32::from(bit & 15), i32::from(bit >> 4)))
        .collect()
}

fn moved(set: &Points, size: i32, step: (i32, i32)) -> Points {
    let moved = set
        .iter()
        .map(|&(column, row)| (column + step.0, row + step.1));
    moved
        .filter(|&(c, r)| (0..size).contains(&c) && (0..size).contains(&r))
        .collect()
}

fn random_sets(mut check: impl FnMut(i32, &Points)) {
    let mut draws = draws::keyed(1, Purpose::Choice, 0, 0);
    for number in 0..200 {
        let size = 6 + 2 * (number % 5);
        let share = [0.1, 0.5, 0.9][number as usize % 3];
        let all = (0..size).flat_map(|row| (0..size).map(move |column| (column, row)));
        check(size, &all.filter(|_| draws.random_bool(share)).collect());
    }
}

#[test]
fn shifts_move_points_and_lose_those_that_leave_the_board() {
    random_sets(|size, set| {
        let board = Wide::board(size as u8);
        let bits = wide(set);
        for (shifted, step) in [
            (bits.east(), (1, 0)),
            (bits.west(), (-1, 0)),
            (bits.north(), (0, 1)),
            (bits.south(), (0, -1)),
            (bits.east().east(), (2, 0)),
            (bits.west().west(), (-2, 0)),
            (bits.north().north(), (0, 2)),
            (bits.south().south(), (0, -2)),
        ] {
            assert_eq!(
                points(shifted & board),
                moved(set, size, step),
                "{step:?} on {size}"
            );
        }
    });
}

#[test]
fn sets_count_iterate_and_complement() {
    random_sets(|size, set| {
        let bits = wide(set);
        assert_eq!(points(bits), *set);
        assert_eq!(bits.count() as usize, set.len());
        assert_eq!(bits.is_empty(), set.is_empty());
        let rest = !bits & Wide::board(size as u8);
        assert_eq!(rest.count() + bits.count(), (size * size) as u32);
        assert!((rest & bits).is_empty());
        assert_eq!((rest | bits) ^ bits, rest);
    });
}

#[test]
fn cells_are_the_two_by_two_blocks_of_points() {
    random_sets(|_, set| {
        let bits = wide(set);
        let complete = |&(c, r): &(i32, i32)| {
            [(0, 0), (1, 0), (0, 1), (1, 1)]
                .iter()
                .all(|(x, y)| set.contains(&(c + x, r + y)))
        };
        let cells: Points = set.iter().copied().filter(complete).collect();
        assert_eq!(points(bits.cells()), cells);
        for &(column, row) in set {
            let around = cells
                .iter()
                .filter(|&&(c, r)| (0..=1).contains(&(column - c)) && (0..=1).contains(&(row - r)));
            let bit = (16 * row + column) as u8;
            assert_eq!(bits.cells_at(bit) as usize, around.clone().count());
            let mut without = bits;
            without.remove(bit);
            assert_eq!(without.cells_at(bit), bits.cells_at(bit));
        }
    });
}

#[test]
fn reflections_and_turns_map_coordinates() {
    random_sets(|size, set| {
        let bits = wide(set);
        let mapped = |change: fn(i32, (i32, i32)) -> (i32, i32)| -> Points {
            set.iter().map(|&point| change(size - 1, point)).collect()
        };
        let board = size as u8;
        let columns = mapped(|last, (c, r)| (last - c, r));
        assert_eq!(points(bits.columns_reversed(board)), columns);
        let rows = mapped(|last, (c, r)| (c, last - r));
        assert_eq!(points(bits.rows_reversed(board)), rows);
        let turned = mapped(|last, (c, r)| (last - c, last - r));
        assert_eq!(points(bits.turned(board)), turned);
        assert_eq!(points(bits.transposed()), mapped(|_, (c, r)| (r, c)));
    });
}
