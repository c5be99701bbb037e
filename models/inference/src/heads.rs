//! The heads: a 1×1 convolution on each chunk of boards, then linear layers over the whole batch.

use crate::aligned::Aligned;
use crate::conv1x1::Conv1x1;
use crate::lanes::Isa;
use crate::linear::{Linear, Planes};
use crate::weights::{Conv, Dense, Error, PolicyHead, ValueHead};

/// A 1×1 convolution with relu and the linear layer on its flattened planes.
#[derive(Debug)]
struct Flattened {
    conv: Conv1x1,
    linear: Linear,
    cells: usize,
}

impl Flattened {
    fn new(
        isa: Isa,
        name: &str,
        [cells, channels]: [usize; 2],
        conv: Conv<'_>,
        linear: Dense<'_>,
    ) -> Result<Self, Error> {
        let planes = conv.bias.len();
        let conv = Conv1x1::new(isa, &format!("{name}'s convolution"), channels, conv)?;
        let planes = Planes {
            cells,
            channels: planes,
            padded: conv.channels(),
        };
        let linear =
            Linear::on_planes(isa, &format!("{name}'s first linear layer"), planes, linear)?;
        Ok(Self {
            conv,
            linear,
            cells,
        })
    }

    /// Floats the convolution writes for one board, guard included.
    fn stride(&self) -> usize {
        (self.cells + 1) * self.conv.channels()
    }

    /// The convolution on the boards of a chunk that starts at position `first` of the batch.
    fn gather(&self, isa: Isa, first: usize, count: usize, boards: &[f32], rows: &mut [f32]) {
        let rows = &mut rows[first * self.stride()..];
        self.conv.run(isa, count * (self.cells + 1), boards, rows);
    }
}

/// Both heads, packed.
#[derive(Debug)]
pub(crate) struct Heads {
    policy: Flattened,
    policy_length: usize,
    value: Flattened,
    output: Linear,
    value_length: usize,
}

/// One thread's intermediate rows, sized for a whole batch.
#[derive(Debug)]
pub(crate) struct Rows {
    policy_planes: Aligned,
    value_planes: Aligned,
    policy: Aligned,
    hidden: Aligned,
    value: Aligned,
}

impl Heads {
    /// Packs the heads for boards of `cells` cells and `channels` channels.
    pub(crate) fn new(
        isa: Isa,
        board: [usize; 2],
        policy: PolicyHead<'_>,
        value: ValueHead<'_>,
    ) -> Result<Self, Error> {
        let hidden = value.hidden.bias.len();
        Ok(Self {
            policy: Flattened::new(isa, "the policy head", board, policy.conv, policy.linear)?,
            policy_length: policy.linear.bias.len(),
            value: Flattened::new(isa, "the value head", board, value.conv, value.hidden)?,
            output: Linear::new(isa, "the value head's output", hidden, value.output)?,
            value_length: value.output.bias.len(),
        })
    }

    /// Policy logits of a position.
    pub(crate) fn policy_length(&self) -> usize {
        self.policy_length
    }

    /// Value outputs of a position.
    pub(crate) fn value_length(&self) -> usize {
        self.value_length
    }

    /// Buffers for batches of up to `batch` positions.
    pub(crate) fn rows(&self, batch: usize) -> Rows {
        Rows {
            policy_planes: Aligned::zeros(batch * self.policy.stride()),
            value_planes: Aligned::zeros(batch * self.value.stride()),
            policy: Aligned::zeros(batch * self.policy.linear.width()),
            hidden: Aligned::zeros(batch * self.value.linear.width()),
            value: Aligned::zeros(batch * self.output.width()),
        }
    }

    /// Takes in the trunk's boards of a chunk that starts at position `first` of the batch.
    pub(crate) fn gather(
        &self,
        isa: Isa,
        [first, count]: [usize; 2],
        boards: &[f32],
        rows: &mut Rows,
    ) {
        self.policy
            .gather(isa, first, count, boards, &mut rows.policy_planes);
        self.value
            .gather(isa, first, count, boards, &mut rows.value_planes);
    }

    /// Finishes the batch, once every chunk is gathered.
    pub(crate) fn finish(&self, isa: Isa, rows: &mut Rows, policy: &mut [f32], value: &mut [f32]) {
        let count = value.len() / self.value_length;
        let Rows {
            policy_planes,
            value_planes,
            policy: logits,
            hidden,
            value: outputs,
        } = rows;
        let planes = (&**policy_planes, self.policy.stride());
        self.policy.linear.run(isa, count, planes, logits, false);
        let planes = (&**value_planes, self.value.stride());
        self.value.linear.run(isa, count, planes, hidden, true);
        let hidden = (&**hidden, self.value.linear.width());
        self.output.run(isa, count, hidden, outputs, false);
        unpad(
            logits,
            self.policy.linear.width(),
            policy,
            self.policy_length,
        );
        unpad(outputs, self.output.width(), value, self.value_length);
    }
}

/// Copies the first `length` floats of every row of `width`.
fn unpad(rows: &[f32], width: usize, to: &mut [f32], length: usize) {
    for (to, row) in to.chunks_exact_mut(length).zip(rows.chunks_exact(width)) {
        to.copy_from_slice(&row[..length]);
    }
}
