//! Buffers of `f32` that start on a cache line, so that vector loads never straddle two lines.

use std::ops::{Deref, DerefMut};

/// Floats in one 64-byte cache line.
pub(crate) const LINE: usize = 16;

/// A fixed-length, zero-initialised buffer whose first element lies on a 64-byte boundary.
///
/// It over-allocates by one line and starts at the first aligned element; the heap block never
/// moves, so the alignment found at construction holds.
#[derive(Debug)]
pub(crate) struct Aligned {
    storage: Vec<f32>,
    start: usize,
    length: usize,
}

impl Aligned {
    /// A buffer of `length` zeros.
    pub(crate) fn zeros(length: usize) -> Self {
        let storage = vec![0.0; length + LINE];
        let start = storage
            .as_ptr()
            .align_offset(LINE * size_of::<f32>())
            .min(LINE);
        Self {
            storage,
            start,
            length,
        }
    }
}

impl Deref for Aligned {
    type Target = [f32];

    fn deref(&self) -> &[f32] {
        &self.storage[self.start..self.start + self.length]
    }
}

impl DerefMut for Aligned {
    fn deref_mut(&mut self) -> &mut [f32] {
        &mut self.storage[self.start..self.start + self.length]
    }
}
