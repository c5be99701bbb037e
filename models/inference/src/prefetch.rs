//! Asking for a cache line before it is needed.

#![allow(unsafe_code)]

/// Starts loading the cache line at `place`, which may lie anywhere; nothing is read.
#[inline(always)]
pub(crate) fn prefetch<T>(place: *const T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch is a hint that accesses no memory as far as the program can tell and
        // never faults, whatever the address; SSE, which it needs, is part of x86-64.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(place.cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}
