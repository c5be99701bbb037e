//! The three forms of the policy head.

use super::pairs::{self, Pairs};
use super::{Conv1x1, flattened, gather, unpad};
use crate::aligned::Aligned;
use crate::lanes::Isa;
use crate::linear::Linear;
use crate::pool::Pool;
use crate::weights::{Error, PolicyHead};

/// The policy head, packed.
#[derive(Debug)]
pub(super) struct Policy {
    cells: usize,
    length: usize,
    /// The convolutions on the trunk's boards: one, or two for pairs.
    convs: Vec<Conv1x1>,
    last: Last,
}

/// What follows the convolutions.
#[derive(Debug)]
enum Last {
    Dense(Linear),
    Pairs {
        inner: usize,
    },
    Planes {
        planes: Conv1x1,
        count: usize,
        rest: Linear,
        rest_count: usize,
    },
}

/// One thread's buffers for a whole batch.
#[derive(Debug)]
pub(super) struct Rows {
    /// The output of each convolution.
    boards: Vec<Aligned>,
    first: Aligned,
    second: Aligned,
    third: Aligned,
}

impl Policy {
    /// Packs the head for boards of `cells` cells and `channels` channels.
    pub(super) fn new(
        isa: Isa,
        [cells, channels]: [usize; 2],
        head: PolicyHead<'_>,
    ) -> Result<Self, Error> {
        let conv = |name: &str, from, conv| {
            Conv1x1::new(isa, &format!("the policy head's {name}"), from, conv)
        };
        let (convs, last, length) = match head {
            PolicyHead::Dense {
                conv: inner,
                linear,
            } => {
                let packed = conv("convolution", channels, inner)?.with_relu();
                let planes = flattened(cells, &inner, &packed);
                let name = "the policy head's first linear layer";
                let last = Linear::on_planes(isa, name, planes, linear)?;
                (vec![packed], Last::Dense(last), linear.bias.len())
            }
            PolicyHead::Pairs { from, to } => {
                let inner = from.bias.len();
                crate::weights::check("the policy head", "bias", to.bias.len(), inner)?;
                let convs = vec![
                    conv("departures", channels, from)?,
                    conv("arrivals", channels, to)?,
                ];
                (convs, Last::Pairs { inner }, cells * cells)
            }
            PolicyHead::Planes {
                conv: inner,
                planes,
                rest,
            } => {
                let (count, rest_count) = (planes.bias.len(), rest.bias.len());
                let packed = conv("convolution", channels, inner)?.with_relu();
                let sizes = [inner.bias.len(), packed.channels()];
                let planes = conv("planes", inner.bias.len(), planes)?;
                let rest = Linear::on_pooled(isa, "the policy head's pooling", sizes, rest)?;
                let last = Last::Planes {
                    planes,
                    count,
                    rest,
                    rest_count,
                };
                (vec![packed], last, count * cells + rest_count)
            }
        };
        Ok(Self {
            cells,
            length,
            convs,
            last,
        })
    }

    /// Logits of a position.
    pub(super) fn length(&self) -> usize {
        self.length
    }

    /// Buffers for batches of up to `batch` positions.
    pub(super) fn rows(&self, isa: Isa, batch: usize) -> Rows {
        let boards = |conv: &Conv1x1| batch * (self.cells + 1) * conv.channels();
        let [first, second, third] = match &self.last {
            Last::Dense(linear) => [batch * linear.width(), 0, 0],
            Last::Pairs { inner } => {
                let [turned, rows] = pairs::buffers(isa.width(), self.cells, *inner);
                [turned, rows, 0]
            }
            Last::Planes { planes, rest, .. } => {
                let pooled = batch * 2 * self.convs[0].channels();
                [boards(planes), pooled, batch * rest.width()]
            }
        };
        Rows {
            boards: self
                .convs
                .iter()
                .map(|conv| Aligned::zeros(boards(conv)))
                .collect(),
            first: Aligned::zeros(first),
            second: Aligned::zeros(second),
            third: Aligned::zeros(third),
        }
    }

    /// The convolutions on the boards of a chunk that starts at position `first` of the batch.
    pub(super) fn gather(&self, isa: Isa, chunk: [usize; 2], boards: &[f32], rows: &mut Rows) {
        for (conv, rows) in self.convs.iter().zip(&mut rows.boards) {
            gather(isa, conv, self.cells, chunk, boards, rows);
        }
    }

    /// The logits of `count` positions, once every chunk is gathered.
    pub(super) fn finish(&self, isa: Isa, count: usize, rows: &mut Rows, policy: &mut [f32]) {
        let cells = self.cells;
        let width = self.convs[0].channels();
        let stride = (cells + 1) * width;
        match &self.last {
            Last::Dense(linear) => {
                let logits = &mut rows.first;
                linear.run(isa, count, (&*rows.boards[0], stride), logits, false);
                unpad(logits, linear.width(), policy, self.length);
            }
            Last::Pairs { inner } => {
                let [from, to] = &rows.boards[..] else {
                    unreachable!("pairs have two convolutions")
                };
                for position in 0..count {
                    let board = position * stride..;
                    isa.run(Pairs {
                        from: &from[board.clone()],
                        to: &to[board],
                        cells,
                        inner: *inner,
                        width,
                        scale: 1.0 / (*inner as f32).sqrt(),
                        turned: &mut rows.first,
                        rows: &mut rows.second,
                        logits: &mut policy[position * self.length..][..self.length],
                    });
                }
            }
            Last::Planes {
                planes,
                count: kinds,
                rest,
                rest_count,
            } => {
                let [boards] = &rows.boards[..] else {
                    unreachable!("planes have one convolution")
                };
                planes.run(isa, count * (cells + 1), boards, &mut rows.first);
                isa.run(Pool {
                    boards,
                    cells,
                    channels: width,
                    count,
                    pooled: &mut rows.second,
                });
                let pooled = (&*rows.second, 2 * width);
                rest.run(isa, count, pooled, &mut rows.third, false);
                let boards = rows.first.chunks_exact((cells + 1) * planes.channels());
                let others = rows.third.chunks_exact(rest.width());
                let policy = policy.chunks_exact_mut(self.length);
                for ((policy, board), others) in policy.zip(boards).zip(others) {
                    for (index, logit) in policy[..kinds * cells].iter_mut().enumerate() {
                        let (plane, cell) = (index / cells, index % cells);
                        *logit = board[cell * planes.channels() + plane];
                    }
                    policy[kinds * cells..].copy_from_slice(&others[..*rest_count]);
                }
            }
        }
    }
}
