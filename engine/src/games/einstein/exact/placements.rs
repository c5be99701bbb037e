//! Ranks of the placements of one side's cubes, ordered by the distance that is left to the goal.

use super::view::{distance, mirrored};

/// Squares that a cube of a game in progress can stand on: all but its goal.
pub(super) const SQUARES: usize = 24;

/// Marks a folded rank whose placement is the mirror image of the one that is ranked.
const MIRRORED: u32 = 1 << 31;

/// A key of no placement: two cubes on one square.
const NO_RANK: u32 = u32::MAX;

/// All placements of a number of cubes, numbered twice: each for itself, and folded, where a placement
/// and its mirror image share a rank.
///
/// A placement's key has its cubes' squares as digits of base 24, the first cube lowest. Ranks go by
/// distance to the goal, then by key.
#[derive(Debug)]
pub(super) struct Placements {
    pub plain: Ranks,
    pub folded: Ranks,
}

/// One numbering of placements.
#[derive(Debug)]
pub(super) struct Ranks {
    /// The rank of each key, with `MIRRORED` where it is that of the mirror image.
    ranks: Vec<u32>,
    /// The key of each rank.
    keys: Vec<u32>,
    /// The first rank of each distance, and the number of ranks at the end.
    starts: Vec<u32>,
}

impl Placements {
    /// The placements of `count` cubes, 1 to 5.
    pub fn new(count: usize) -> Placements {
        let mut plain = Vec::new();
        let mut folded = Vec::new();
        for key in 0..SQUARES.pow(count as u32) as u32 {
            if distinct(digits(key, count)) {
                plain.push(key);
                if key <= mirrored_key(key, count) {
                    folded.push(key);
                }
            }
        }
        let plain = Ranks::new(plain, count);
        let mut folded = Ranks::new(folded, count);
        for &key in &plain.keys {
            let image = mirrored_key(key, count);
            if image < key {
                folded.ranks[key as usize] = folded.ranks[image as usize] | MIRRORED;
            }
        }
        Placements { plain, folded }
    }
}

impl Ranks {
    fn new(mut keys: Vec<u32>, count: usize) -> Ranks {
        let far = |key: u32| digits(key, count).map(distance).sum::<usize>();
        // A stable sort keeps keys of one distance in their own order.
        keys.sort_by_cached_key(|&key| far(key));
        let mut ranks = vec![NO_RANK; SQUARES.pow(count as u32)];
        let mut starts = Vec::new();
        for (rank, &key) in keys.iter().enumerate() {
            ranks[key as usize] = rank as u32;
            while starts.len() <= far(key) {
                starts.push(rank as u32);
            }
        }
        starts.push(keys.len() as u32);
        Ranks {
            ranks,
            keys,
            starts,
        }
    }

    /// How many placements are numbered.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// The ranks of all placements of one distance.
    pub fn at_distance(&self, distance: usize) -> std::ops::Range<usize> {
        let end = self.keys.len() as u32;
        let start = |distance: usize| *self.starts.get(distance).unwrap_or(&end) as usize;
        start(distance)..start(distance + 1)
    }

    /// The key of a rank.
    pub fn key(&self, rank: usize) -> u32 {
        self.keys[rank]
    }

    /// A key's rank, and whether the rank is that of its mirror image.
    #[inline]
    pub fn rank(&self, key: u32) -> (usize, bool) {
        let rank = self.ranks[key as usize];
        debug_assert_ne!(
            rank, NO_RANK,
            "cubes of one side stand on different squares"
        );
        ((rank & !MIRRORED) as usize, rank & MIRRORED != 0)
    }
}

/// The squares of a key's `count` cubes, the first cube's first.
pub(super) fn digits(key: u32, count: usize) -> impl Iterator<Item = u8> + Clone {
    (0..count as u32).map(move |place| (key as usize / SQUARES.pow(place) % SQUARES) as u8)
}

/// The key of squares given from the last cube to the first.
#[inline]
pub(super) fn key(from_last: impl Iterator<Item = u8>) -> u32 {
    from_last.fold(0, |key, square| key * SQUARES as u32 + u32::from(square))
}

fn mirrored_key(of: u32, count: usize) -> u32 {
    let mut squares: Vec<_> = digits(of, count).map(mirrored).collect();
    squares.reverse();
    key(squares.into_iter())
}

fn distinct(squares: impl Iterator<Item = u8>) -> bool {
    let mut taken = 0_u32;
    for square in squares {
        if taken >> square & 1 == 1 {
            return false;
        }
        taken |= 1 << square;
    }
    true
}
