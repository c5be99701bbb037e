//! The heads: 1×1 convolutions on each chunk of boards, then layers over the whole batch.

mod pairs;
mod policy;
mod value;

use crate::conv1x1::Conv1x1;
use crate::lanes::Isa;
use crate::linear::Planes;
use crate::weights::{Conv, Error, PolicyHead, ValueHead};
use policy::Policy;
use value::Value;

/// Both heads, packed.
#[derive(Debug)]
pub(crate) struct Heads {
    policy: Policy,
    value: Value,
}

/// One thread's intermediate rows, sized for a whole batch.
#[derive(Debug)]
pub(crate) struct Rows {
    policy: policy::Rows,
    value: value::Rows,
}

impl Heads {
    /// Packs the heads for boards of `cells` cells and `channels` channels.
    pub(crate) fn new(
        isa: Isa,
        board: [usize; 2],
        policy: PolicyHead<'_>,
        value: ValueHead<'_>,
    ) -> Result<Self, Error> {
        Ok(Self {
            policy: Policy::new(isa, board, policy)?,
            value: Value::new(isa, board, value)?,
        })
    }

    /// Policy logits of a position.
    pub(crate) fn policy_length(&self) -> usize {
        self.policy.length()
    }

    /// Value outputs of a position.
    pub(crate) fn value_length(&self) -> usize {
        self.value.length()
    }

    /// Buffers for batches of up to `batch` positions.
    pub(crate) fn rows(&self, isa: Isa, batch: usize) -> Rows {
        Rows {
            policy: self.policy.rows(isa, batch),
            value: self.value.rows(batch),
        }
    }

    /// Takes in the trunk's boards of a chunk that starts at position `first` of the batch.
    pub(crate) fn gather(&self, isa: Isa, chunk: [usize; 2], boards: &[f32], rows: &mut Rows) {
        self.policy.gather(isa, chunk, boards, &mut rows.policy);
        self.value.gather(isa, chunk, boards, &mut rows.value);
    }

    /// Finishes the batch, once every chunk is gathered.
    pub(crate) fn finish(&self, isa: Isa, rows: &mut Rows, policy: &mut [f32], value: &mut [f32]) {
        let count = value.len() / self.value_length();
        self.policy.finish(isa, count, &mut rows.policy, policy);
        self.value.finish(isa, count, &mut rows.value, value);
    }
}

/// A convolution on the boards of a chunk, whose first position in the batch and count are given, into
/// the rows of the whole batch.
fn gather(
    isa: Isa,
    conv: &Conv1x1,
    cells: usize,
    [first, count]: [usize; 2],
    boards: &[f32],
    rows: &mut [f32],
) {
    let rows = &mut rows[first * (cells + 1) * conv.channels()..];
    conv.run(isa, count * (cells + 1), boards, rows);
}

/// The boards that a convolution leaves, as the input of a linear layer.
fn flattened(cells: usize, conv: &Conv<'_>, packed: &Conv1x1) -> Planes {
    Planes {
        cells,
        channels: conv.bias.len(),
        padded: packed.channels(),
    }
}

/// Copies the first `length` floats of every row of `width`.
fn unpad(rows: &[f32], width: usize, to: &mut [f32], length: usize) {
    for (to, row) in to.chunks_exact_mut(length).zip(rows.chunks_exact(width)) {
        to.copy_from_slice(&row[..length]);
    }
}
