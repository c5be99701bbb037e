//! One-dimensional Cook–Toom transforms of `F(m, 3)` for m = 2 to 6.
//!
//! `F(m, 3)` evaluates polynomials at m + 2 points: `P` pairs ±p, infinity, and zero where m is
//! even. Symmetric points let the even and odd parts of a pair be shared. The pairs were chosen by
//! measured rounding error (Barabasz et al., "Error Analysis and Improving the Accuracy of Winograd
//! Convolution for Deep Neural Networks", 2020): with 64 channels, unit-variance outputs and both
//! dimensions, F(2) errs by 2e-7 (root mean square), F(3) 5e-7, F(4) 6e-7, F(5) 2e-6, F(6) 3e-6.
//!
//! Transformed points are ordered: +p and -p of each pair, infinity, zero.

// Loops by index: a closure would not carry the instruction set's target features.
#![allow(clippy::needless_range_loop)]

use std::f64::consts::{FRAC_1_SQRT_2, SQRT_2};

use crate::lanes::Lanes;

/// The positive point of each pair of `F(m, 3)`.
const fn pairs(m: usize) -> &'static [f64] {
    match m {
        2 => &[1.0],
        3 => &[1.0, 0.5],
        4 => &[FRAC_1_SQRT_2, SQRT_2],
        5 | 6 => &[1.0, 2.0, 0.5],
        _ => panic!("F(m, 3) is there for m = 2 to 6"),
    }
}

/// The sizes of one `F(M, 3)`: `A = M + 2` points, of which `P` pairs.
///
/// The three are parameters because array lengths cannot be computed from one.
pub(crate) struct Filtering<const M: usize, const A: usize, const P: usize>;

impl<const M: usize, const A: usize, const P: usize> Filtering<M, A, P> {
    /// 1 if zero is a point, else 0.
    const ZERO: usize = {
        assert!(A == M + 2 && P == pairs(M).len());
        A - 2 * P - 1
    };

    /// Coefficients below the leading 1 of `Π (y - p²)`, lowest first.
    const ALL: [f32; P] = narrow(&product::<P>(pairs(M), P));

    /// The same without pair i's factor: P - 1 coefficients, then its leading 1.
    const OTHERS: [[f32; P]; P] = {
        let mut all = [[0.0; P]; P];
        let mut i = 0;
        while i < P {
            all[i] = narrow(&product::<P>(pairs(M), i));
            i += 1;
        }
        all
    };

    /// `POWERS[i][k]` is the k-th power of pair i's positive point.
    const POWERS: [[f32; M]; P] = {
        let mut all = [[1.0; M]; P];
        let mut i = 0;
        while i < P {
            let (mut k, mut power) = (0, 1.0);
            while k < M {
                all[i][k] = power as f32;
                power *= pairs(M)[i];
                k += 1;
            }
            i += 1;
        }
        all
    };

    /// `Bᵀ d`: a line of inputs to its values at the points.
    #[inline(always)]
    pub(crate) fn input<L: Lanes>(l: L, d: [L::V; A]) -> [L::V; A] {
        let mut points = d;
        for i in 0..P {
            let even = Self::polynomial(l, &Self::OTHERS[i], P - 1, &d, Self::ZERO);
            let odd = Self::polynomial(l, &Self::OTHERS[i], P - 1, &d, Self::ZERO + 1);
            points[2 * i] = l.fma(l.splat(Self::POWERS[i][1]), even, odd);
            points[2 * i + 1] = l.fma(l.splat(-Self::POWERS[i][1]), even, odd);
        }
        points[2 * P] = Self::polynomial(l, &Self::ALL, P, &d, Self::ZERO);
        if Self::ZERO == 1 {
            points[2 * P + 1] = Self::polynomial(l, &Self::ALL, P, &d, 0);
        }
        points
    }

    /// `Σ c[k] d[first + 2k]`, where the coefficient at `degree` is 1.
    #[inline(always)]
    fn polynomial<L: Lanes>(
        l: L,
        c: &[f32; P],
        degree: usize,
        d: &[L::V; A],
        first: usize,
    ) -> L::V {
        let mut sum = d[first + 2 * degree];
        for k in 0..degree {
            sum = l.fma(l.splat(c[k]), d[first + 2 * k], sum);
        }
        sum
    }

    /// `Aᵀ m`: values at the points to a line of outputs.
    #[inline(always)]
    pub(crate) fn output<L: Lanes>(l: L, m: [L::V; A]) -> [L::V; M] {
        let mut sums = [m[0]; P];
        let mut differences = [m[0]; P];
        for i in 0..P {
            sums[i] = l.add(m[2 * i], m[2 * i + 1]);
            differences[i] = l.sub(m[2 * i], m[2 * i + 1]);
        }
        let mut y = [m[0]; M];
        for k in 0..M {
            let part = if k % 2 == 0 { &sums } else { &differences };
            let mut sum = l.mul(l.splat(Self::POWERS[0][k]), part[0]);
            for i in 1..P {
                sum = l.fma(l.splat(Self::POWERS[i][k]), part[i], sum);
            }
            y[k] = sum;
        }
        if Self::ZERO == 1 {
            y[0] = l.add(y[0], m[2 * P + 1]);
        }
        y[M - 1] = l.add(y[M - 1], m[2 * P]);
        y
    }
}

/// Coefficients of `Π (y - p²)` over all pairs but `without`, lowest first, the leading one left off
/// where it would be the entry past the end.
const fn product<const P: usize>(pairs: &[f64], without: usize) -> [f64; P] {
    let mut c = [0.0; P];
    c[0] = 1.0;
    let (mut i, mut degree) = (0, 0);
    while i < P {
        if i != without {
            let root = pairs[i] * pairs[i];
            degree += 1;
            let mut k = degree;
            while k > 0 {
                if k < P {
                    c[k] = c[k - 1] - root * if k < degree { c[k] } else { 0.0 };
                }
                k -= 1;
            }
            c[0] *= -root;
        }
        i += 1;
    }
    c
}

const fn narrow<const P: usize>(wide: &[f64; P]) -> [f32; P] {
    let mut all = [0.0; P];
    let mut i = 0;
    while i < P {
        all[i] = wide[i] as f32;
        i += 1;
    }
    all
}

/// `G`: each point's weights on the three filter taps, in the order of the transformed points.
pub(crate) fn filter_rows(m: usize) -> Vec<[f64; 3]> {
    let mut finite: Vec<f64> = pairs(m).iter().flat_map(|&p| [p, -p]).collect();
    if m.is_multiple_of(2) {
        finite.push(0.0);
    }
    let row = |&at: &f64| {
        let others = finite.iter().filter(|&&p| p != at);
        let scale: f64 = others.map(|p| at - p).product();
        [1.0 / scale, at / scale, at * at / scale]
    };
    let mut rows: Vec<_> = finite.iter().map(row).collect();
    rows.insert(2 * pairs(m).len(), [0.0, 0.0, 1.0]);
    rows
}
