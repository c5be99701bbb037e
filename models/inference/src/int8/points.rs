//! One-dimensional Cook–Toom transforms of `F(m, 3)` in whole numbers, for m = 2 to 4.
//!
//! The points are ±1 (and ±2 for m = 3 and 4), zero where m is even, and infinity, in the order of
//! [`crate::winograd::points`]: +p and -p of each pair, infinity, zero. `Bᵀ` is whole with them. `G` has fractions:
//! its rows are taken without their scale, which [`Filtering::output`] gives back, so that outputs are
//! [`Filtering::GAIN`] times too large in each dimension.
//!
//! Largest numbers, for activations and weights of sizes up to 127 and in two dimensions: transformed
//! inputs 10² · 127 = 12,700 and transformed weights 49 · 127 = 6,223, so both fit 16 bits.

// Loops by index: a closure would not carry the instruction set's target features.
#![allow(clippy::needless_range_loop)]

use super::words::Words;

/// The sizes of one `F(M, 3)`: `A = M + 2` points, of which `P` pairs.
pub(crate) struct Filtering<const M: usize, const A: usize, const P: usize>;

impl<const M: usize, const A: usize, const P: usize> Filtering<M, A, P> {
    /// 1 if zero is a point, else 0.
    const ZERO: usize = {
        assert!(A == M + 2 && P <= 2);
        A - 2 * P - 1
    };

    /// What an output is multiplied by in one dimension: the least multiple of all rows' scales.
    pub(crate) const GAIN: i32 = gain(M);

    /// `GAIN` over the scale of each point's row, in the order of the points.
    const FACTORS: [i32; A] = {
        let mut all = [0; A];
        let mut i = 0;
        while i < A {
            all[i] = Self::GAIN / scale(M, i);
            i += 1;
        }
        all
    };

    /// `Bᵀ d`: a line of inputs to its values at the points.
    #[inline(always)]
    pub(crate) fn input<L: Words>(l: L, d: [L::W; A]) -> [L::W; A] {
        let mut points = d;
        for i in 0..P {
            // The polynomial of the other pair, y - q², or 1 where there is none.
            let part = |first: usize| {
                if P == 1 {
                    d[first]
                } else {
                    let root = if i == 0 { -4 } else { -1 };
                    l.add_words(d[first + 2], l.scale_words(d[first], root))
                }
            };
            let (even, odd) = (part(Self::ZERO), part(Self::ZERO + 1));
            let even = l.scale_words(even, 1 + i as i16);
            points[2 * i] = l.add_words(odd, even);
            points[2 * i + 1] = l.add_words(odd, l.scale_words(even, -1));
        }
        points[2 * P] = Self::all(l, &d, Self::ZERO);
        if Self::ZERO == 1 {
            points[2 * P + 1] = Self::all(l, &d, 0);
        }
        points
    }

    /// The polynomial of all pairs, y - 1 or (y - 1)(y - 4) = y² - 5 y + 4, on every second input.
    #[inline(always)]
    fn all<L: Words>(l: L, d: &[L::W; A], first: usize) -> L::W {
        if P == 1 {
            l.add_words(d[first + 2], l.scale_words(d[first], -1))
        } else {
            let low = l.add_words(l.scale_words(d[first], 4), l.scale_words(d[first + 2], -5));
            l.add_words(low, d[first + 4])
        }
    }

    /// `Aᵀ m`: values at the points to a line of outputs, times [`Self::GAIN`].
    #[inline(always)]
    pub(crate) fn output<L: Words>(l: L, m: [L::N; A]) -> [L::N; M] {
        let mut sums = [m[0]; P];
        let mut differences = [m[0]; P];
        for i in 0..P {
            // The scales of a pair differ in sign at most, which the weights have taken over.
            sums[i] = l.scale(l.add(m[2 * i], m[2 * i + 1]), Self::FACTORS[2 * i]);
            differences[i] = l.scale(l.sub(m[2 * i], m[2 * i + 1]), Self::FACTORS[2 * i]);
        }
        let mut y = [m[0]; M];
        for k in 0..M {
            let part = if k % 2 == 0 { &sums } else { &differences };
            y[k] = part[0];
            if P == 2 {
                y[k] = l.add(y[k], l.scale(part[1], 1 << k));
            }
        }
        if Self::ZERO == 1 {
            y[0] = l.add(y[0], l.scale(m[2 * P + 1], Self::FACTORS[2 * P + 1]));
        }
        y[M - 1] = l.add(y[M - 1], l.scale(m[2 * P], Self::FACTORS[2 * P]));
        y
    }
}

/// What outputs of `F(m, 3)` are multiplied by in one dimension.
pub(crate) const fn gain(m: usize) -> i32 {
    match m {
        2 => 2,
        3 => 12,
        4 => 24,
        _ => panic!("F(m, 3) in whole numbers is there for m = 2 to 4"),
    }
}

/// The finite points of `F(m, 3)` and how many they are.
const fn finite(m: usize) -> ([i32; 5], usize) {
    match m {
        2 => ([1, -1, 0, 0, 0], 3),
        3 => ([1, -1, 2, -2, 0], 4),
        _ => ([1, -1, 2, -2, 0], 5),
    }
}

/// Place of a transformed point among the finite ones; infinity has none.
const fn finite_place(m: usize, point: usize) -> Option<usize> {
    let infinity = if m == 2 { 2 } else { 4 };
    if point < infinity {
        Some(point)
    } else if point == infinity {
        None
    } else {
        Some(point - 1)
    }
}

/// The scale that a row of `G` is taken without: the product of its point's distances to the others.
const fn scale(m: usize, point: usize) -> i32 {
    let (points, count) = finite(m);
    let Some(at) = finite_place(m, point) else {
        return 1;
    };
    let (mut product, mut other) = (1, 0);
    while other < count {
        if other != at {
            product *= points[at] - points[other];
        }
        other += 1;
    }
    product
}

/// `G` without its scales: each point's weights on the three filter taps.
pub(crate) fn filter_rows(m: usize) -> Vec<[i32; 3]> {
    let (points, _) = finite(m);
    let row = |point| match finite_place(m, point) {
        // Where a pair's scales differ in sign, the row of the negative point takes the sign.
        Some(at) if points[at] < 0 && !m.is_multiple_of(2) => {
            [-1, -points[at], -points[at] * points[at]]
        }
        Some(at) => [1, points[at], points[at] * points[at]],
        None => [0, 0, 1],
    };
    (0..m + 2).map(row).collect()
}
