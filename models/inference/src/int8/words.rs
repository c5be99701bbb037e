//! The vector operations on whole numbers, and the choice of instruction set at run time.
//!
//! Kernels are written once over [`Words`], as the float ones over [`crate::lanes::Lanes`]. There is
//! AVX2 (also for machines with AVX-512, whose wider forms are not written) and plain code.

use crate::lanes::Isa;

/// Vectors of `WIDTH` 32-bit numbers and of twice as many 16-bit words; arithmetic wraps around.
pub(crate) trait Words: Copy {
    /// `2 * WIDTH` words of 16 bits.
    type W: Copy;
    /// `WIDTH` numbers of 32 bits.
    type N: Copy;
    /// `WIDTH` floats.
    type F: Copy;
    /// 32-bit numbers in a vector.
    const WIDTH: usize;

    /// The first words of `x`.
    fn words(self, x: &[i16]) -> Self::W;
    /// Writes `v` over the first words of `x`.
    fn store_words(self, x: &mut [i16], v: Self::W);
    /// `a + b` on words.
    fn add_words(self, a: Self::W, b: Self::W) -> Self::W;
    /// `a * b` on words, the same `b` everywhere.
    fn scale_words(self, a: Self::W, b: i16) -> Self::W;

    /// Zeros.
    fn zeros(self) -> Self::N;
    /// The first numbers of `x`.
    fn numbers(self, x: &[i32]) -> Self::N;
    /// Writes `v` over the first numbers of `x`.
    fn store_numbers(self, x: &mut [i32], v: Self::N);
    /// `a + b`
    fn add(self, a: Self::N, b: Self::N) -> Self::N;
    /// `a - b`
    fn sub(self, a: Self::N, b: Self::N) -> Self::N;
    /// `a * b`, the same `b` everywhere.
    fn scale(self, a: Self::N, b: i32) -> Self::N;
    /// `a` shifted right by `BITS`, keeping its sign.
    fn shift<const BITS: i32>(self, a: Self::N) -> Self::N;
    /// `sum[j] + a[0] * b[2j] + a[1] * b[2j + 1]`, where `pair` holds the two words of `a`.
    fn multiply_pair(self, pair: i32, b: Self::W, sum: Self::N) -> Self::N;

    /// The first floats of `x`.
    fn floats(self, x: &[f32]) -> Self::F;
    /// Writes `v` over the first floats of `x`.
    fn store_floats(self, x: &mut [f32], v: Self::F);
    /// The floats nearest to the numbers.
    fn to_floats(self, a: Self::N) -> Self::F;
    /// `a * b`, rounded.
    fn mul_floats(self, a: Self::F, b: Self::F) -> Self::F;
    /// `a + b`, rounded.
    fn add_floats(self, a: Self::F, b: Self::F) -> Self::F;
    /// Lane by lane, zero where `x` is negative.
    fn relu(self, x: Self::F) -> Self::F;
    /// The words nearest to `a * scale`, from `-most` to `most`; written over the first `WIDTH` words
    /// of `x`.
    fn store_rounded(self, x: &mut [i16], a: Self::F, scale: f32, most: f32);
}

/// A kernel call on whole numbers; see [`crate::lanes::Op`].
pub(crate) trait WordOp {
    /// Runs the kernel.
    fn run<L: Words>(self, lanes: L);
}

/// Words in a vector of the instruction set.
pub(crate) fn words_in_vector(isa: Isa) -> usize {
    struct Width<'a>(&'a mut usize);
    impl WordOp for Width<'_> {
        #[inline(always)]
        fn run<L: Words>(self, _: L) {
            *self.0 = 2 * L::WIDTH;
        }
    }
    let mut width = 0;
    run(isa, Width(&mut width));
    width
}

/// Runs `op` on the instruction set.
pub(crate) fn run(isa: Isa, op: impl WordOp) {
    #[cfg(target_arch = "x86_64")]
    if !isa.is_portable()
        && let Some(simd) = pulp::x86::V3::try_new()
    {
        simd.vectorize(avx2::OnAvx2(simd, op));
        return;
    }
    let _ = isa;
    portably(op);
}

/// Its own function, so that it is compiled once.
#[inline(never)]
fn portably(op: impl WordOp) {
    op.run(Portable);
}

/// Plain arrays, left to the compiler.
#[derive(Clone, Copy)]
struct Portable;

/// `f` of each place.
#[inline(always)]
fn each<T, const N: usize>(f: impl Fn(usize) -> T) -> [T; N] {
    std::array::from_fn(f)
}

/// The first `N` of a slice that is known to hold as many.
#[inline(always)]
fn first<T: Copy, const N: usize>(x: &[T]) -> [T; N] {
    *x.first_chunk().expect("a whole vector")
}

impl Words for Portable {
    type W = [i16; 8];
    type N = [i32; 4];
    type F = [f32; 4];
    const WIDTH: usize = 4;

    #[inline(always)]
    fn words(self, x: &[i16]) -> Self::W {
        first(x)
    }

    #[inline(always)]
    fn store_words(self, x: &mut [i16], v: Self::W) {
        x[..8].copy_from_slice(&v);
    }

    #[inline(always)]
    fn add_words(self, a: Self::W, b: Self::W) -> Self::W {
        each(|i| a[i].wrapping_add(b[i]))
    }

    #[inline(always)]
    fn scale_words(self, a: Self::W, b: i16) -> Self::W {
        each(|i| a[i].wrapping_mul(b))
    }

    #[inline(always)]
    fn zeros(self) -> Self::N {
        [0; 4]
    }

    #[inline(always)]
    fn numbers(self, x: &[i32]) -> Self::N {
        first(x)
    }

    #[inline(always)]
    fn store_numbers(self, x: &mut [i32], v: Self::N) {
        x[..4].copy_from_slice(&v);
    }

    #[inline(always)]
    fn add(self, a: Self::N, b: Self::N) -> Self::N {
        each(|i| a[i].wrapping_add(b[i]))
    }

    #[inline(always)]
    fn sub(self, a: Self::N, b: Self::N) -> Self::N {
        each(|i| a[i].wrapping_sub(b[i]))
    }

    #[inline(always)]
    fn scale(self, a: Self::N, b: i32) -> Self::N {
        each(|i| a[i].wrapping_mul(b))
    }

    #[inline(always)]
    fn shift<const BITS: i32>(self, a: Self::N) -> Self::N {
        each(|i| a[i] >> BITS)
    }

    #[inline(always)]
    fn multiply_pair(self, pair: i32, b: Self::W, sum: Self::N) -> Self::N {
        let [low, high] = pulp::cast::<i32, [i16; 2]>(pair).map(i32::from);
        each(|j| {
            let products = low * i32::from(b[2 * j]) + high * i32::from(b[2 * j + 1]);
            sum[j].wrapping_add(products)
        })
    }

    #[inline(always)]
    fn floats(self, x: &[f32]) -> Self::F {
        first(x)
    }

    #[inline(always)]
    fn store_floats(self, x: &mut [f32], v: Self::F) {
        x[..4].copy_from_slice(&v);
    }

    #[inline(always)]
    fn to_floats(self, a: Self::N) -> Self::F {
        each(|i| a[i] as f32)
    }

    #[inline(always)]
    fn mul_floats(self, a: Self::F, b: Self::F) -> Self::F {
        each(|i| a[i] * b[i])
    }

    #[inline(always)]
    fn add_floats(self, a: Self::F, b: Self::F) -> Self::F {
        each(|i| a[i] + b[i])
    }

    #[inline(always)]
    fn relu(self, x: Self::F) -> Self::F {
        each(|i| if x[i] > 0.0 { x[i] } else { 0.0 })
    }

    #[inline(always)]
    fn store_rounded(self, x: &mut [i16], a: Self::F, scale: f32, most: f32) {
        let v: [i16; 4] = each(|i| (a[i] * scale).clamp(-most, most).round_ties_even() as i16);
        x[..4].copy_from_slice(&v);
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::{__m256, __m256i};

    use pulp::cast;
    use pulp::x86::V3;

    use super::{WordOp, Words, first};

    /// A kernel call with the proof that the machine has AVX2.
    pub(super) struct OnAvx2<O>(pub(super) V3, pub(super) O);

    impl<O: WordOp> pulp::NullaryFnOnce for OnAvx2<O> {
        type Output = ();

        #[inline(always)]
        fn call(self) {
            self.1.run(Avx2(self.0));
        }
    }

    /// Vectors of 256 bits.
    #[derive(Clone, Copy)]
    struct Avx2(V3);

    impl Words for Avx2 {
        type W = __m256i;
        type N = __m256i;
        type F = __m256;
        const WIDTH: usize = 8;

        #[inline(always)]
        fn words(self, x: &[i16]) -> __m256i {
            cast(first::<i16, 16>(x))
        }

        #[inline(always)]
        fn store_words(self, x: &mut [i16], v: __m256i) {
            x[..16].copy_from_slice(&cast::<__m256i, [i16; 16]>(v));
        }

        #[inline(always)]
        fn add_words(self, a: __m256i, b: __m256i) -> __m256i {
            self.0.avx2._mm256_add_epi16(a, b)
        }

        #[inline(always)]
        fn scale_words(self, a: __m256i, b: i16) -> __m256i {
            let b = self.0.avx._mm256_set1_epi16(b);
            self.0.avx2._mm256_mullo_epi16(a, b)
        }

        #[inline(always)]
        fn zeros(self) -> __m256i {
            self.0.avx._mm256_setzero_si256()
        }

        #[inline(always)]
        fn numbers(self, x: &[i32]) -> __m256i {
            cast(first::<i32, 8>(x))
        }

        #[inline(always)]
        fn store_numbers(self, x: &mut [i32], v: __m256i) {
            x[..8].copy_from_slice(&cast::<__m256i, [i32; 8]>(v));
        }

        #[inline(always)]
        fn add(self, a: __m256i, b: __m256i) -> __m256i {
            self.0.avx2._mm256_add_epi32(a, b)
        }

        #[inline(always)]
        fn sub(self, a: __m256i, b: __m256i) -> __m256i {
            self.0.avx2._mm256_sub_epi32(a, b)
        }

        #[inline(always)]
        fn scale(self, a: __m256i, b: i32) -> __m256i {
            let b = self.0.avx._mm256_set1_epi32(b);
            self.0.avx2._mm256_mullo_epi32(a, b)
        }

        #[inline(always)]
        fn shift<const BITS: i32>(self, a: __m256i) -> __m256i {
            self.0.avx2._mm256_srai_epi32::<BITS>(a)
        }

        #[inline(always)]
        fn multiply_pair(self, pair: i32, b: __m256i, sum: __m256i) -> __m256i {
            let a = self.0.avx._mm256_set1_epi32(pair);
            self.add(sum, self.0.avx2._mm256_madd_epi16(a, b))
        }

        #[inline(always)]
        fn floats(self, x: &[f32]) -> __m256 {
            cast(first::<f32, 8>(x))
        }

        #[inline(always)]
        fn store_floats(self, x: &mut [f32], v: __m256) {
            x[..8].copy_from_slice(&cast::<__m256, [f32; 8]>(v));
        }

        #[inline(always)]
        fn to_floats(self, a: __m256i) -> __m256 {
            self.0.avx._mm256_cvtepi32_ps(a)
        }

        #[inline(always)]
        fn mul_floats(self, a: __m256, b: __m256) -> __m256 {
            self.0.avx._mm256_mul_ps(a, b)
        }

        #[inline(always)]
        fn add_floats(self, a: __m256, b: __m256) -> __m256 {
            self.0.avx._mm256_add_ps(a, b)
        }

        #[inline(always)]
        fn relu(self, x: __m256) -> __m256 {
            self.0.avx._mm256_max_ps(x, self.0.avx._mm256_setzero_ps())
        }

        #[inline(always)]
        fn store_rounded(self, x: &mut [i16], a: __m256, scale: f32, most: f32) {
            let avx = self.0.avx;
            let scaled = avx._mm256_mul_ps(a, avx._mm256_set1_ps(scale));
            let capped = avx._mm256_min_ps(scaled, avx._mm256_set1_ps(most));
            let capped = avx._mm256_max_ps(capped, avx._mm256_set1_ps(-most));
            let numbers = avx._mm256_cvtps_epi32(capped);
            // Both halves of the pack hold the same four words; the words wanted come first.
            let packed = self.0.avx2._mm256_packs_epi32(numbers, numbers);
            let ordered = self.0.avx2._mm256_permute4x64_epi64::<0b1000>(packed);
            x[..8].copy_from_slice(&cast::<__m256i, [i16; 16]>(ordered)[..8]);
        }
    }
}
