//! Batches: positions drawn from the window as plain numbers, cut into parts, uploaded.

use burn::tensor::{Bool, Device, Tensor, TensorData};
use engine::draws::{Purpose, keyed};
use engine::{Encode, Shape, Symmetry};
use models::artifact::outcomes;
use rand::RngExt;
use rayon::prelude::*;

use super::window::{Sample, Window};
use crate::config::Config;

/// A batch, or a part of one, as plain numbers, row by row.
pub(super) struct Batch {
    size: usize,
    /// Positions of the whole batch.
    pub positions: f64,
    /// Positions of the whole batch with a policy target, at least 1.
    pub targets: f64,
    shape: Shape,
    outcomes: usize,
    planes: Vec<f32>,
    policy: Vec<f32>,
    illegal: Vec<bool>,
    value: Vec<f32>,
}

/// A batch on a device.
pub(super) struct Tensors {
    pub planes: Tensor<4>,
    pub policy: Tensor<2>,
    pub illegal: Tensor<2, Bool>,
    pub value: Tensor<2>,
}

impl Batch {
    /// Draws a step's batch, each position seen through one of its symmetries. The draw depends on the
    /// seed and the step alone. A batch holds one size of board, that of its first position.
    pub fn draw<G: Encode>(config: &Config<G>, window: &Window<G>, step: u64) -> Batch {
        let size = config.learning.batch;
        let mut draws = keyed(config.run.seed, Purpose::Learning, step, 0);
        let mut drawn: Vec<(&Sample<G>, Symmetry)> = Vec::with_capacity(size);
        let shape_of = |sample: &Sample<G>| G::shape(sample.position.variant());
        while drawn.len() < size {
            let sample = window.get(draws.random_range(0..window.len()));
            if drawn
                .first()
                .is_none_or(|&(first, _)| shape_of(first) == shape_of(sample))
            {
                let symmetries = sample.position.symmetries();
                drawn.push((sample, symmetries[draws.random_range(0..symmetries.len())]));
            }
        }
        let shape = shape_of(drawn[0].0);
        let outcomes = outcomes::<G>();
        let mut batch = Batch {
            size,
            positions: size as f64,
            targets: 1.0,
            shape,
            outcomes,
            planes: vec![0.0; size * shape.input()],
            policy: vec![0.0; size * shape.policy],
            illegal: vec![true; size * shape.policy],
            value: vec![0.0; size * outcomes],
        };
        let search_share = config.learning.search_value_share as f32;
        (
            drawn.par_iter(),
            batch.planes.par_chunks_exact_mut(shape.input()),
            batch.policy.par_chunks_exact_mut(shape.policy),
            batch.illegal.par_chunks_exact_mut(shape.policy),
            batch.value.par_chunks_exact_mut(outcomes),
        )
            .into_par_iter()
            .for_each(|(&(sample, symmetry), planes, policy, illegal, value)| {
                write_row(sample, symmetry, planes, policy, illegal);
                let mixed = (1.0 - search_share) * sample.result + search_share * sample.value;
                write_value(mixed, value);
            });
        let targets: f32 = batch.policy.iter().sum();
        batch.targets = f64::from(targets.max(1.0));
        batch
    }

    /// Cuts the batch into parts of nearly equal size.
    pub fn split(mut self, parts: usize) -> Vec<Batch> {
        let mut cut = Vec::new();
        for part in (1..=parts.min(self.size)).rev() {
            // The last part first, so that the rest stays in place.
            let first = (part - 1) * self.size / part;
            let size = self.size - first;
            cut.push(Batch {
                size,
                planes: self.planes.split_off(first * self.shape.input()),
                policy: self.policy.split_off(first * self.shape.policy),
                illegal: self.illegal.split_off(first * self.shape.policy),
                value: self.value.split_off(first * self.outcomes),
                ..self
            });
            self.size = first;
        }
        cut
    }

    /// Uploads the batch.
    pub fn upload(self, device: &Device) -> Tensors {
        let Batch {
            size,
            shape,
            outcomes,
            ..
        } = self;
        let rows = |numbers: Vec<f32>, width: usize| {
            Tensor::<2>::from_data(TensorData::new(numbers, [size, width]), device)
        };
        let planes = TensorData::new(self.planes, [size, shape.planes, shape.rows, shape.columns]);
        Tensors {
            planes: Tensor::from_data(planes, device),
            policy: rows(self.policy, shape.policy),
            illegal: Tensor::from_data(TensorData::new(self.illegal, [size, shape.policy]), device),
            value: rows(self.value, outcomes),
        }
    }
}

/// Writes a sample as a symmetry shows it. The change of sides needs no change of the value, which is
/// in the mover's view.
fn write_row<G: Encode>(
    sample: &Sample<G>,
    symmetry: Symmetry,
    planes: &mut [f32],
    policy: &mut [f32],
    illegal: &mut [bool],
) {
    let mapped = sample.position.map(symmetry);
    mapped.planes(planes);
    let mut moves = Vec::new();
    sample.position.moves(&mut moves);
    for &mv in &moves {
        let index = mapped.index(sample.position.map_move(symmetry, mv));
        illegal[index] = false;
        let own = sample.position.index(mv) as u16;
        if let Some(&(_, share)) = sample.policy.iter().find(|&&(index, _)| index == own) {
            policy[index] = f32::from(share) / 65_535.0;
        }
    }
}

/// Spreads a value from -1 to 1 over win, (draw,) loss.
fn write_value(value: f32, outcomes: &mut [f32]) {
    match outcomes {
        [win, loss] => {
            *win = (1.0 + value) / 2.0;
            *loss = (1.0 - value) / 2.0;
        }
        [win, draw, loss] => {
            *win = value.max(0.0);
            *draw = 1.0 - value.abs();
            *loss = (-value).max(0.0);
        }
        _ => unreachable!("a value head tells two or three outcomes apart"),
    }
}
