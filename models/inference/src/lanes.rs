//! The few vector operations the kernels need, and the choice of instruction set at run time.
//!
//! Kernels are written once over [`Lanes`]. [`Isa::run`] compiles an [`Op`] into one function per
//! instruction set (through `pulp`, which carries the target features) and calls the right one.

use std::fmt;

use pulp::{Arch, Simd, WithSimd};

/// A vector of `WIDTH` floats and the arithmetic on it.
///
/// `fma(a, b, c)` is `a * b + c`; whether it rounds once or twice is fixed per instruction set.
pub(crate) trait Lanes: Copy {
    /// The vector type.
    type V: Copy;
    /// Floats in one vector.
    const WIDTH: usize;

    /// The vector with `x` in every lane.
    fn splat(self, x: f32) -> Self::V;
    /// The vectors that lie in `x`, one after the other.
    fn vectors(self, x: &[f32]) -> &[Self::V];
    /// The vectors that lie in `x`, for writing.
    fn vectors_mut(self, x: &mut [f32]) -> &mut [Self::V];
    /// `a * b + c`
    fn fma(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// `a * b`
    fn mul(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a + b`
    fn add(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a - b`
    fn sub(self, a: Self::V, b: Self::V) -> Self::V;
    /// The larger of `a` and `b`, lane by lane.
    fn max(self, a: Self::V, b: Self::V) -> Self::V;

    /// The first vector of `x`.
    #[inline(always)]
    fn load(self, x: &[f32]) -> Self::V {
        self.vectors(&x[..Self::WIDTH])[0]
    }

    /// Writes `v` over the first floats of `x`.
    #[inline(always)]
    fn store(self, x: &mut [f32], v: Self::V) {
        self.vectors_mut(&mut x[..Self::WIDTH])[0] = v;
    }

    /// Lane by lane, zero where `x` is negative or no number: weights must be finite.
    #[inline(always)]
    fn relu(self, x: Self::V) -> Self::V {
        self.max(x, self.splat(0.0))
    }
}

/// An instruction set with fused multiply-add.
#[derive(Clone, Copy)]
struct Fused<S>(S);

impl<S: Simd> Lanes for Fused<S> {
    type V = S::f32s;
    const WIDTH: usize = S::F32_LANES;

    #[inline(always)]
    fn splat(self, x: f32) -> Self::V {
        self.0.splat_f32s(x)
    }

    #[inline(always)]
    fn vectors(self, x: &[f32]) -> &[Self::V] {
        S::as_simd_f32s(x).0
    }

    #[inline(always)]
    fn vectors_mut(self, x: &mut [f32]) -> &mut [Self::V] {
        S::as_mut_simd_f32s(x).0
    }

    #[inline(always)]
    fn fma(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        self.0.mul_add_f32s(a, b, c)
    }

    #[inline(always)]
    fn mul(self, a: Self::V, b: Self::V) -> Self::V {
        self.0.mul_f32s(a, b)
    }

    #[inline(always)]
    fn add(self, a: Self::V, b: Self::V) -> Self::V {
        self.0.add_f32s(a, b)
    }

    #[inline(always)]
    fn sub(self, a: Self::V, b: Self::V) -> Self::V {
        self.0.sub_f32s(a, b)
    }

    #[inline(always)]
    fn max(self, a: Self::V, b: Self::V) -> Self::V {
        self.0.max_f32s(a, b)
    }
}

/// Plain arrays of four, left to the compiler; multiply and add round separately, because a fused
/// one would be a library call where the machine has none.
#[derive(Clone, Copy)]
struct Portable;

impl Portable {
    #[inline(always)]
    fn zip(a: [f32; 4], b: [f32; 4], f: impl Fn(f32, f32) -> f32) -> [f32; 4] {
        [f(a[0], b[0]), f(a[1], b[1]), f(a[2], b[2]), f(a[3], b[3])]
    }
}

impl Lanes for Portable {
    type V = [f32; 4];
    const WIDTH: usize = 4;

    #[inline(always)]
    fn splat(self, x: f32) -> Self::V {
        [x; 4]
    }

    #[inline(always)]
    fn vectors(self, x: &[f32]) -> &[Self::V] {
        x.as_chunks().0
    }

    #[inline(always)]
    fn vectors_mut(self, x: &mut [f32]) -> &mut [Self::V] {
        x.as_chunks_mut().0
    }

    #[inline(always)]
    fn fma(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        self.add(self.mul(a, b), c)
    }

    #[inline(always)]
    fn mul(self, a: Self::V, b: Self::V) -> Self::V {
        Self::zip(a, b, |a, b| a * b)
    }

    #[inline(always)]
    fn add(self, a: Self::V, b: Self::V) -> Self::V {
        Self::zip(a, b, |a, b| a + b)
    }

    #[inline(always)]
    fn sub(self, a: Self::V, b: Self::V) -> Self::V {
        Self::zip(a, b, |a, b| a - b)
    }

    #[inline(always)]
    fn max(self, a: Self::V, b: Self::V) -> Self::V {
        Self::zip(a, b, |a, b| if a > b { a } else { b })
    }
}

/// A kernel call: its arguments as fields, its body generic over the instruction set.
///
/// `run` and all it calls must be `#[inline(always)]`, or the body is compiled without the
/// instruction set's target features.
pub(crate) trait Op {
    /// What the call returns.
    type Output;

    /// Runs the kernel.
    fn run<L: Lanes>(self, lanes: L) -> Self::Output;
}

struct Dispatched<O>(O);

impl<O: Op> WithSimd for Dispatched<O> {
    type Output = O::Output;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> O::Output {
        if S::IS_SCALAR {
            portably(self.0)
        } else {
            self.0.run(Fused(simd))
        }
    }
}

/// Its own function, so that it is compiled once.
#[inline(never)]
fn portably<O: Op>(op: O) -> O::Output {
    op.run(Portable)
}

/// The instruction set a network is packed for and runs on.
///
/// Results are the same bits on every call with one set, and may differ in the last bits between
/// sets.
#[derive(Clone, Copy)]
pub struct Isa(Choice);

#[derive(Clone, Copy)]
enum Choice {
    Detected(Arch),
    Portable,
}

impl Isa {
    /// The widest set this machine has (AVX-512, AVX2 with FMA, NEON, or the portable one).
    pub fn detect() -> Self {
        Self(Choice::Detected(Arch::new()))
    }

    /// Plain code that runs anywhere.
    pub fn portable() -> Self {
        Self(Choice::Portable)
    }

    /// Whether this is the plain code.
    pub(crate) fn is_portable(self) -> bool {
        matches!(self.0, Choice::Portable)
    }

    /// Floats in one vector.
    pub fn width(self) -> usize {
        self.run(Width)
    }

    /// Runs `op` on this instruction set.
    #[inline]
    pub(crate) fn run<O: Op>(self, op: O) -> O::Output {
        match self.0 {
            Choice::Detected(arch) => arch.dispatch(Dispatched(op)),
            Choice::Portable => portably(op),
        }
    }
}

impl Default for Isa {
    fn default() -> Self {
        Self::detect()
    }
}

impl fmt::Debug for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.0 {
            Choice::Detected(_) => "detected",
            Choice::Portable => "portable",
        };
        write!(f, "Isa({kind}, {} lanes)", self.width())
    }
}

/// What a network is packed for.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// The instruction set it runs on.
    pub isa: Isa,
    /// The batch it runs fastest at: small ones favour fewer weights over fewer multiplications.
    /// Any other runs as well.
    pub batch: usize,
}

impl Default for Target {
    fn default() -> Self {
        Self {
            isa: Isa::detect(),
            batch: 32,
        }
    }
}

struct Width;

impl Op for Width {
    type Output = usize;

    #[inline(always)]
    fn run<L: Lanes>(self, _: L) -> usize {
        L::WIDTH
    }
}
