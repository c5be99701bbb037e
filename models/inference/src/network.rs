//! A whole network, packed for one instruction set, and the buffers a thread runs it with.

use crate::heads::{Heads, Rows};
use crate::lanes::{Isa, Target};
use crate::trunk::{Boards, Trunk};
use crate::weights::{Error, Weights};

/// A residual network ready to run; shared by reference between threads.
///
/// A position's outputs are the same bits whatever the batch and its place in it. Networks packed
/// for different [`Target`]s may differ in the last bits.
#[derive(Debug)]
pub struct Network {
    isa: Isa,
    position: usize,
    trunk: Trunk,
    heads: Heads,
}

/// One thread's buffers; a run allocates nothing beyond them.
#[derive(Debug)]
pub struct Workspace {
    batch: usize,
    chunk: usize,
    boards: Boards,
    rows: Rows,
}

impl Network {
    /// Packs `weights` for the best instruction set of this machine and batches of 32 or so.
    ///
    /// # Errors
    /// Weights that do not fit together.
    pub fn new(weights: &Weights<'_>) -> Result<Self, Error> {
        Self::for_target(Target::default(), weights)
    }

    /// Packs `weights` for one instruction set and one typical size of batch.
    ///
    /// # Errors
    /// Weights that do not fit together.
    pub fn for_target(target: Target, weights: &Weights<'_>) -> Result<Self, Error> {
        Self::packed(target, weights, None)
    }

    /// Packs `weights` with the residual blocks on 8-bit weights and 7-bit activations, whose scales
    /// follow from `largest`: the largest activation of each layer on typical positions, as
    /// [`Self::largest_activations`] finds them. Larger ones are cut off.
    ///
    /// # Errors
    /// Weights or activations that do not fit together.
    pub fn quantised(
        target: Target,
        weights: &Weights<'_>,
        largest: &[f32],
    ) -> Result<Self, Error> {
        Self::packed(target, weights, Some(largest))
    }

    fn packed(
        target: Target,
        weights: &Weights<'_>,
        largest: Option<&[f32]>,
    ) -> Result<Self, Error> {
        let isa = target.isa;
        let cells = weights.rows * weights.columns;
        let board = [cells, weights.stem.bias.len()];
        Ok(Self {
            isa,
            position: weights.planes * cells,
            trunk: Trunk::new(target, weights, largest)?,
            heads: Heads::new(isa, board, weights.policy, weights.value)?,
        })
    }

    /// Floats of one position's input, `[planes, rows, columns]`.
    pub fn position_length(&self) -> usize {
        self.position
    }

    /// Policy logits of one position.
    pub fn policy_length(&self) -> usize {
        self.heads.policy_length()
    }

    /// Value outputs of one position.
    pub fn value_length(&self) -> usize {
        self.heads.value_length()
    }

    /// The largest size of an activation of the stem and of each convolution of the blocks (the first
    /// of a block with its pooling), in order, on the positions in `input`. The network must not be quantised itself.
    pub fn largest_activations(&self, input: &[f32]) -> Vec<f32> {
        let mut boards = self.trunk.boards(1);
        let mut largest = Vec::new();
        for position in input.chunks_exact(self.position) {
            let observe = &mut |layer: usize, activations: &[f32]| {
                largest.resize(largest.len().max(layer + 1), 0.0_f32);
                let sizes = activations.iter().map(|activation| activation.abs());
                largest[layer] = sizes.fold(largest[layer], f32::max);
            };
            self.trunk
                .run_observed(self.isa, position, &mut boards, observe);
        }
        largest
    }

    /// Buffers for batches of up to `batch` positions.
    pub fn workspace(&self, batch: usize) -> Workspace {
        let chunk = self.trunk.chunk().min(batch).max(1);
        Workspace {
            batch,
            chunk,
            boards: self.trunk.boards(chunk),
            rows: self.heads.rows(self.isa, batch),
        }
    }

    /// Evaluates the positions in `input`, one after the other, and writes their raw policy logits
    /// and value outputs.
    ///
    /// # Panics
    ///
    /// If the lengths do not belong to one number of positions, or to more than the workspace was
    /// made for. The workspace must be this network's own.
    pub fn run(
        &self,
        workspace: &mut Workspace,
        input: &[f32],
        policy: &mut [f32],
        value: &mut [f32],
    ) {
        let count = input.len() / self.position;
        assert!(
            count <= workspace.batch,
            "the workspace is made for smaller batches"
        );
        assert_eq!(
            input.len(),
            count * self.position,
            "the input ends within a position"
        );
        assert_eq!(
            policy.len(),
            count * self.policy_length(),
            "policy outputs are not one a position"
        );
        assert_eq!(
            value.len(),
            count * self.value_length(),
            "value outputs are not one a position"
        );
        let Workspace {
            chunk,
            boards,
            rows,
            ..
        } = workspace;
        // Even chunks: a sliver at the end would run far slower than its share.
        let chunks = count.div_ceil(*chunk);
        let mut first = 0;
        for i in 0..chunks {
            let end = (i + 1) * count / chunks;
            let positions = &input[first * self.position..end * self.position];
            let features = self.trunk.run(self.isa, positions, boards);
            self.heads
                .gather(self.isa, [first, end - first], features, rows);
            first = end;
        }
        self.heads.finish(self.isa, rows, policy, value);
    }
}
