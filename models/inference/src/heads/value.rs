//! The value head.

use super::{Conv1x1, flattened, gather, unpad};
use crate::aligned::Aligned;
use crate::lanes::Isa;
use crate::linear::Linear;
use crate::pool::Pool;
use crate::weights::{Error, ValueHead};

/// The value head, packed.
#[derive(Debug)]
pub(super) struct Value {
    cells: usize,
    length: usize,
    conv: Conv1x1,
    pooled: bool,
    hidden: Linear,
    output: Linear,
}

/// One thread's buffers for a whole batch.
#[derive(Debug)]
pub(super) struct Rows {
    boards: Aligned,
    pooled: Aligned,
    hidden: Aligned,
    output: Aligned,
}

impl Value {
    /// Packs the head for boards of `cells` cells and `channels` channels.
    pub(super) fn new(
        isa: Isa,
        [cells, channels]: [usize; 2],
        head: ValueHead<'_>,
    ) -> Result<Self, Error> {
        let conv = Conv1x1::new(isa, "the value head's convolution", channels, head.conv)?;
        let conv = conv.with_relu();
        let name = "the value head's first linear layer";
        let planes = flattened(cells, &head.conv, &conv);
        let hidden = if head.pooled {
            Linear::on_pooled(isa, name, [planes.channels, planes.padded], head.hidden)?
        } else {
            Linear::on_planes(isa, name, planes, head.hidden)?
        };
        let inner = head.hidden.bias.len();
        Ok(Self {
            cells,
            length: head.output.bias.len(),
            conv,
            pooled: head.pooled,
            hidden,
            output: Linear::new(isa, "the value head's output", inner, head.output)?,
        })
    }

    /// Outputs of a position.
    pub(super) fn length(&self) -> usize {
        self.length
    }

    /// Buffers for batches of up to `batch` positions.
    pub(super) fn rows(&self, batch: usize) -> Rows {
        let width = self.conv.channels();
        Rows {
            boards: Aligned::zeros(batch * (self.cells + 1) * width),
            pooled: Aligned::zeros(if self.pooled { batch * 2 * width } else { 0 }),
            hidden: Aligned::zeros(batch * self.hidden.width()),
            output: Aligned::zeros(batch * self.output.width()),
        }
    }

    /// The convolution on the boards of a chunk that starts at position `first` of the batch.
    pub(super) fn gather(&self, isa: Isa, chunk: [usize; 2], boards: &[f32], rows: &mut Rows) {
        gather(isa, &self.conv, self.cells, chunk, boards, &mut rows.boards);
    }

    /// The outputs of `count` positions, once every chunk is gathered.
    pub(super) fn finish(&self, isa: Isa, count: usize, rows: &mut Rows, value: &mut [f32]) {
        let (cells, channels) = (self.cells, self.conv.channels());
        let Rows {
            boards,
            pooled,
            hidden,
            output,
        } = rows;
        let seen = if self.pooled {
            isa.run(Pool {
                boards,
                cells,
                channels,
                count,
                pooled,
            });
            (&**pooled, 2 * channels)
        } else {
            (&**boards, (cells + 1) * channels)
        };
        self.hidden.run(isa, count, seen, hidden, true);
        let hidden = (&**hidden, self.hidden.width());
        self.output.run(isa, count, hidden, output, false);
        unpad(output, self.output.width(), value, self.length);
    }
}
