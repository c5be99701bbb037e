//! Buffers of numbers that start on a cache line, so that vector loads never straddle two lines.

use std::ops::{Deref, DerefMut};

/// Bytes in one cache line.
const LINE_BYTES: usize = 64;

/// Floats in one cache line.
pub(crate) const LINE: usize = LINE_BYTES / size_of::<f32>();

/// A fixed-length, zero-initialised buffer whose first element lies on a 64-byte boundary.
///
/// It over-allocates by one line and starts at the first aligned element; the heap block never
/// moves, so the alignment found at construction holds.
#[derive(Debug)]
pub(crate) struct Aligned<T = f32> {
    storage: Vec<T>,
    start: usize,
    length: usize,
}

impl<T: Copy + Default> Aligned<T> {
    /// A buffer of `length` zeros.
    pub(crate) fn zeros(length: usize) -> Self {
        let line = LINE_BYTES / size_of::<T>();
        let storage = vec![T::default(); length + line];
        let start = storage.as_ptr().align_offset(LINE_BYTES).min(line);
        Self {
            storage,
            start,
            length,
        }
    }
}

impl<T> Deref for Aligned<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.storage[self.start..self.start + self.length]
    }
}

impl<T> DerefMut for Aligned<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.storage[self.start..self.start + self.length]
    }
}
