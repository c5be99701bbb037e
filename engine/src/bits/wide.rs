//! A set of points on a board of up to 14×14: 256 bits, 16 a row, so that two columns and two rows guard the edges.

use std::ops::{BitAnd, BitOr, BitXor, Not};

/// A set of points; the point in column `c` and row `r` (both from 0) is bit `16 * r + c`.
///
/// Columns and rows 14 and 15 are guards: a shift across an edge puts a bit there, or drops it, and
/// never onto another point of the board. The result of a shift or of `!` must be cut to the board
/// with [`Wide::board`] where a guard bit would matter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Wide([u64; Wide::WORDS]);

impl Wide {
    /// No point.
    pub const EMPTY: Wide = Wide([0; 4]);

    /// Words that hold four rows each, the lowest first.
    pub const WORDS: usize = 4;

    /// The most rows and columns that leave room for the guards.
    pub const MOST_ROWS: u8 = 14;

    /// All points of the board with `size` rows and columns, `size` being at most 14.
    #[inline]
    pub fn board(size: u8) -> Wide {
        BOARDS[usize::from(size)]
    }

    /// The set of one point.
    #[inline]
    pub const fn single(bit: u8) -> Wide {
        let mut words = [0; 4];
        words[(bit >> 6) as usize] = 1 << (bit & 63);
        Wide(words)
    }

    /// Whether the point is in the set.
    #[inline]
    pub const fn has(self, bit: u8) -> bool {
        self.0[(bit >> 6) as usize] >> (bit & 63) & 1 != 0
    }

    /// Adds a point.
    #[inline]
    pub const fn insert(&mut self, bit: u8) {
        self.0[(bit >> 6) as usize] |= 1 << (bit & 63);
    }

    /// Takes a point out.
    #[inline]
    pub const fn remove(&mut self, bit: u8) {
        self.0[(bit >> 6) as usize] &= !(1 << (bit & 63));
    }

    /// Takes a point out or adds it; says whether it is in the set afterwards.
    #[inline]
    pub const fn toggle(&mut self, bit: u8) -> bool {
        self.0[(bit >> 6) as usize] ^= 1 << (bit & 63);
        self.has(bit)
    }

    /// Whether no point is in the set.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0[0] | self.0[1] | self.0[2] | self.0[3] == 0
    }

    /// The number of points.
    #[inline]
    pub const fn count(self) -> u32 {
        self.0[0].count_ones()
            + self.0[1].count_ones()
            + self.0[2].count_ones()
            + self.0[3].count_ones()
    }

    /// Every point moved one column to the right.
    #[inline]
    pub const fn east(self) -> Wide {
        let [a, b, c, d] = self.0;
        Wide([a << 1, b << 1, c << 1, d << 1])
    }

    /// Every point moved one column to the left.
    #[inline]
    pub const fn west(self) -> Wide {
        let [a, b, c, d] = self.0;
        Wide([a >> 1, b >> 1, c >> 1, d >> 1])
    }

    /// Every point moved one row up.
    #[inline]
    pub const fn north(self) -> Wide {
        let [a, b, c, d] = self.0;
        Wide([
            a << 16,
            b << 16 | a >> 48,
            c << 16 | b >> 48,
            d << 16 | c >> 48,
        ])
    }

    /// Every point moved one row down.
    #[inline]
    pub const fn south(self) -> Wide {
        let [a, b, c, d] = self.0;
        Wide([
            a >> 16 | b << 48,
            b >> 16 | c << 48,
            c >> 16 | d << 48,
            d >> 16,
        ])
    }

    /// Columns in reversed order on a board with `size` of them.
    #[inline]
    pub fn columns_reversed(self, size: u8) -> Wide {
        self.turned(size).rows_reversed(size)
    }

    /// Rows in reversed order on a board with `size` of them.
    #[inline]
    pub fn rows_reversed(self, size: u8) -> Wide {
        let lanes = |word: u64| word.rotate_left(32);
        let halves = |word: u64| (word & LOW_ROWS) << 16 | word >> 16 & LOW_ROWS;
        let [a, b, c, d] = self.0.map(|word| lanes(halves(word)));
        Wide([d, c, b, a]).moved_down(16 * (16 - u32::from(size)))
    }

    /// Half a turn of a board with `size` rows and columns.
    #[inline]
    pub fn turned(self, size: u8) -> Wide {
        let [a, b, c, d] = self.0.map(u64::reverse_bits);
        Wide([d, c, b, a]).moved_down(17 * (16 - u32::from(size)))
    }

    /// Rows and columns exchanged, in blocks of 1, 2, 4 and 8 (Knuth, TAOCP 7.1.3).
    #[inline]
    pub fn transposed(self) -> Wide {
        let mut words = self.0;
        for (mask, shift) in [(0x0000_aaaa_0000_aaaa, 15), (0x0000_0000_cccc_cccc, 30)] {
            words = words.map(|word| {
                let moved = (word ^ word >> shift) & mask;
                word ^ moved ^ moved << shift
            });
        }
        let mut exchange = |low: usize, high: usize, mask: u64, shift: u32| {
            let moved = (words[low] ^ words[high] << shift) & mask;
            words[low] ^= moved;
            words[high] ^= moved >> shift;
        };
        for (low, high) in [(0, 1), (2, 3)] {
            exchange(low, high, 0xf0f0_f0f0_f0f0_f0f0, 4);
        }
        for (low, high) in [(0, 2), (1, 3)] {
            exchange(low, high, 0xff00_ff00_ff00_ff00, 8);
        }
        Wide(words)
    }

    /// Every bit lowered by a number below 256.
    #[inline]
    const fn moved_down(self, by: u32) -> Wide {
        let (words, bits) = ((by / 64) as usize, by % 64);
        let mut moved = [0; 4];
        let mut word = words;
        while word < 4 {
            let above = if word < 3 { self.0[word + 1] } else { 0 };
            // Two shifts, since one by 64 is none.
            moved[word - words] = self.0[word] >> bits | above << 1 << (63 - bits);
            word += 1;
        }
        Wide(moved)
    }

    /// The complete cells (2×2 points), each named by its lower left point.
    #[inline]
    pub fn cells(self) -> Wide {
        let pairs = self & self.west();
        pairs & pairs.south()
    }

    /// The number of cells that contain the point and are complete once the point is in the set, 0 to 4.
    #[inline]
    pub const fn cells_at(self, bit: u8) -> u32 {
        let (row, column) = (bit >> 4, bit & 15);
        let here = self.window(row, column) | 0b010;
        let below = self.window(row.wrapping_sub(1) & 15, column) & here;
        let above = self.window((row + 1) & 15, column) & here;
        PAIRS[below as usize] + PAIRS[above as usize]
    }

    /// Three neighbouring points of a row as bits; the middle one lies in `column`.
    #[inline]
    const fn window(self, row: u8, column: u8) -> u32 {
        let whole = (self.0[(row >> 2 & 3) as usize] >> ((row & 3) * 16)) as u16;
        ((whole as u32) << 1 >> column) & 0b111
    }

    /// The points in ascending order of their bits.
    #[inline]
    pub const fn iter(self) -> Points {
        Points {
            left: self.0,
            word: 0,
        }
    }
}

/// The even rows of a word.
const LOW_ROWS: u64 = 0x0000_ffff_0000_ffff;

/// Neighbouring pairs with the middle one among three bits.
const PAIRS: [u32; 8] = [0, 0, 0, 1, 0, 0, 1, 2];

const BOARDS: [Wide; Wide::MOST_ROWS as usize + 1] = {
    let mut boards = [Wide::EMPTY; Wide::MOST_ROWS as usize + 1];
    let mut size = 0;
    while size <= Wide::MOST_ROWS {
        let mut row = 0;
        while row < size {
            let mut column = 0;
            while column < size {
                boards[size as usize].insert(16 * row + column);
                column += 1;
            }
            row += 1;
        }
        size += 1;
    }
    boards
};

/// Walks the points of a set.
#[derive(Clone, Debug)]
pub struct Points {
    left: [u64; 4],
    word: usize,
}

impl Iterator for Points {
    type Item = u8;

    #[inline]
    fn next(&mut self) -> Option<u8> {
        while self.word < 4 {
            let word = self.left[self.word];
            if word != 0 {
                self.left[self.word] = word & (word - 1);
                return Some(self.word as u8 * 64 + word.trailing_zeros() as u8);
            }
            self.word += 1;
        }
        None
    }
}

impl IntoIterator for Wide {
    type Item = u8;
    type IntoIter = Points;

    #[inline]
    fn into_iter(self) -> Points {
        self.iter()
    }
}

impl FromIterator<u8> for Wide {
    fn from_iter<I: IntoIterator<Item = u8>>(bits: I) -> Wide {
        let mut set = Wide::EMPTY;
        bits.into_iter().for_each(|bit| set.insert(bit));
        set
    }
}

impl BitAnd for Wide {
    type Output = Wide;

    #[inline]
    fn bitand(self, other: Wide) -> Wide {
        Wide(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }
}

impl BitOr for Wide {
    type Output = Wide;

    #[inline]
    fn bitor(self, other: Wide) -> Wide {
        Wide(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }
}

impl BitXor for Wide {
    type Output = Wide;

    #[inline]
    fn bitxor(self, other: Wide) -> Wide {
        Wide(std::array::from_fn(|word| self.0[word] ^ other.0[word]))
    }
}

impl Not for Wide {
    type Output = Wide;

    #[inline]
    fn not(self) -> Wide {
        Wide(self.0.map(|word| !word))
    }
}

impl Wide {
    /// The four words, lowest first, for hashing.
    #[inline]
    pub const fn words(self) -> [u64; 4] {
        self.0
    }
}
