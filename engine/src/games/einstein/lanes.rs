//! One side's cubes in a `u64`: byte `k` holds the square of cube `k`, or 0xFF when it is gone.
//!
//! This is the board from the cubes' point of view. A piece that is identified by its number is moved
//! by writing one byte and looked up by comparing all bytes at once (SWAR: SIMD within a register),
//! which needs no separate occupancy board. The two top bytes are always 0xFF.

use super::geometry::{CUBES, Cube, Square};

/// Squares of one side's cubes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Lanes(pub(super) u64);

const LOW_BITS: u64 = 0x0101_0101_0101_0101;
const HIGH_BITS: u64 = LOW_BITS << 7;

impl Lanes {
    /// No cube on the board.
    pub const EMPTY: Lanes = Lanes(u64::MAX);

    /// Where a cube stands, or `None` when it is not on the board.
    #[inline]
    pub const fn square(self, cube: Cube) -> Option<Square> {
        match (self.0 >> (8 * cube.0)) as u8 {
            0xFF => None,
            square => Some(Square(square)),
        }
    }

    /// Puts a cube, on the board or not, onto a square.
    #[inline]
    pub const fn put(&mut self, cube: Cube, square: Square) {
        let shift = 8 * cube.0;
        self.0 = self.0 & !(0xFF << shift) | (square.0 as u64) << shift;
    }

    /// Takes whatever cube stands on the square off the board.
    #[inline]
    pub const fn clear(&mut self, square: Square) {
        // At most one byte is equal, and no square has its high bit set: the usual zero-byte test is
        // exact for the only lane that can be zero.
        let difference = self.0 ^ (LOW_BITS * square.0 as u64);
        let equal = difference.wrapping_sub(LOW_BITS) & !difference & HIGH_BITS;
        let lowest = equal & equal.wrapping_neg();
        self.0 |= (lowest >> 7) * 0xFF;
    }

    /// The cube on a square.
    pub fn cube_on(self, square: Square) -> Option<Cube> {
        (0..CUBES as u8)
            .map(Cube)
            .find(|&cube| self.square(cube) == Some(square))
    }

    /// The living cubes as a set of six bits.
    #[inline]
    pub const fn alive(self) -> u8 {
        // The high bit of a byte is set exactly when the cube is gone; the product gathers the bits.
        let standing = !self.0 & HIGH_BITS;
        ((standing >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
    }

    /// Each cube's byte in reversed order of the numbers (k → 7−k, E9).
    pub const fn renumbered(self) -> Lanes {
        Lanes(self.0.swap_bytes() >> 16 | 0xFFFF << 48)
    }

    /// Every square turned by 180° about the board's centre.
    pub const fn turned(self) -> Lanes {
        // The number of a turned square is a constant less its own, so no byte borrows from the next;
        // bytes without a cube stay as they are.
        let gone = ((self.0 & HIGH_BITS) >> 7) * 0xFF;
        let last = LOW_BITS * Square(0).turned().0 as u64;
        Lanes((last - (self.0 & !gone)) & !gone | gone)
    }

    /// Every square replaced.
    pub fn map(self, change: impl Fn(Square) -> Square) -> Lanes {
        let mut mapped = Lanes::EMPTY;
        for cube in (0..CUBES as u8).map(Cube) {
            if let Some(square) = self.square(cube) {
                mapped.put(cube, change(square));
            }
        }
        mapped
    }
}
