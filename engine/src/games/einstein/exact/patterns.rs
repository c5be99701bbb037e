//! Which sets of living numbers are worth the same.
//!
//! What a side's numbers mean for the rest of the game is, for its living set `S` and for every set
//! `U ⊆ S` that captures may leave, how many faces of the die move which cubes (E4). Two sets with a
//! bijection φ: S → S′ that keeps these counts for every `U` have equal values under φ, and for every
//! arrangement on the board, exactly because the rules use numbers in no other way.
//!
//! **All such bijections.** For one cube every face moves it: all six numbers are equal. For two cubes
//! `a < b` there are `a` faces that move `a` alone, `7 − b` that move `b` alone and `b − a − 1` that move
//! either. The counts give `a` and `b` back, so a bijection of pairs keeps the counts only if it is
//! `a → a, b → b`, or exchanges the roles of low and high, which is `a → 7 − a, b → 7 − b`. For larger
//! sets every pair `U` must obey this, and since `x ≠ 7 − x` a number that takes part in one pair
//! reversed is reversed in all of them: φ is the identity or the reversal of all numbers. The reversal
//! indeed keeps the counts for every `U`, because E4 treats larger and smaller alike.
//!
//! So sets of one cube form one pattern and a larger set shares its pattern with its reversal only:
//! 1, 9, 10, 9, 3 and 1 patterns for one to six cubes instead of 6, 15, 20, 15, 6 and 1 sets. The two
//! sides' patterns are independent of each other, as their numbers never meet.

use super::view::Cubes;

/// The pattern of a set of living numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pattern {
    /// Its place among the patterns of as many cubes.
    pub index: u8,
    /// Whether the set is the reversal of the pattern's own set.
    pub reversed: bool,
}

/// The pattern of each set of six bits.
pub(super) static PATTERN: [Pattern; 64] = patterns();

/// How many patterns there are for each number of cubes.
pub(super) const PATTERNS: [usize; 7] = [1, 1, 9, 10, 9, 3, 1];

const fn patterns() -> [Pattern; 64] {
    let mut table = [Pattern {
        index: 0,
        reversed: false,
    }; 64];
    let mut found = [0; 7];
    let mut set = 0_u8;
    while set < 64 {
        let count = set.count_ones() as usize;
        let reversal = set.reverse_bits() >> 2;
        if reversal < set {
            table[set as usize] = Pattern {
                index: table[reversal as usize].index,
                reversed: true,
            };
        } else if count > 1 {
            table[set as usize].index = found[count];
            found[count] += 1;
        }
        set += 1;
    }
    table
}

/// The living set that stands for each pattern of `count` cubes.
pub(super) fn sets(count: usize) -> impl Iterator<Item = u8> {
    (0..64_u8)
        .filter(move |set| set.count_ones() as usize == count)
        .filter(|&set| !PATTERN[usize::from(set)].reversed)
        .take(PATTERNS[count])
}

/// The same cubes under the numbers that stand for their pattern.
pub(super) fn renumbered(cubes: &Cubes) -> Cubes {
    if let (1, Some(square)) = (cubes.count(), cubes.squares().next()) {
        let mut single = Cubes::NONE;
        single.put(0, square);
        return single;
    }
    if PATTERN[usize::from(cubes.alive)].reversed {
        cubes.reversed()
    } else {
        *cubes
    }
}
