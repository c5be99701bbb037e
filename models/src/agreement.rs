//! Whether a device computes what the processor computes: one forward pass and one gradient.
//!
//! Known faults of GPU backends give wrong numbers without an error, so every run on a GPU begins here.

use burn::tensor::{Device, Tensor, TensorData};
use engine::Shape;
use engine::draws::{Purpose, keyed};
use rand::RngExt;

use crate::artifact::{net_from_weights, weights};
use crate::difference::largest;
use crate::net::{Net, NetConfig};

/// The largest difference that rounding explains, relative to the largest number compared.
const TOLERANCE: f32 = 1e-3;

/// A device that computes something else than the processor.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[error(
    "the device's {what} differs from the processor's by {difference:.2e} of its size, where rounding \
     explains {TOLERANCE:.0e}: its driver is faulty; use --device cpu"
)]
pub struct Disagreement {
    what: &'static str,
    difference: f32,
}

/// Compares a device with the processor on the same weights and planes.
///
/// # Errors
/// Differences that rounding does not explain.
pub fn check(
    config: &NetConfig,
    shape: Shape,
    outcomes: usize,
    device: &Device,
) -> Result<(), Disagreement> {
    let [ours, theirs] =
        [device, &Device::flex()].map(|device| answers(config, shape, outcomes, device));
    compare(&ours, &theirs)
}

/// What a network computes: each output by its name.
pub type Outputs = [(&'static str, Vec<f32>); 3];

/// Compares what a device has computed with what the processor has.
///
/// # Errors
/// The first output that is off by more than rounding, in its length, or by a number that is none.
pub fn compare(ours: &Outputs, theirs: &Outputs) -> Result<(), Disagreement> {
    for ((what, ours), (_, theirs)) in ours.iter().zip(theirs) {
        let size = theirs
            .iter()
            .fold(f32::MIN_POSITIVE, |most, number| most.max(number.abs()));
        let difference = largest(ours, theirs) / size;
        if difference.is_nan() || difference > TOLERANCE {
            return Err(Disagreement { what, difference });
        }
    }
    Ok(())
}

fn answers(config: &NetConfig, shape: Shape, outcomes: usize, device: &Device) -> Outputs {
    const BATCH: usize = 4;
    // The zeros that branches of blocks begin with would hide the blocks.
    let net = Net::new(config, shape, outcomes, 1, &Device::flex()).stirred(1);
    let device = device.clone().autodiff();
    let net = net_from_weights(config, shape, outcomes, weights(&net), &device);
    let net = net.expect("the weights are the network's own");
    let mut draws = keyed(1, Purpose::Weights, 1, 0);
    let planes = (0..BATCH * shape.input())
        .map(|_| draws.random::<f32>())
        .collect::<Vec<_>>();
    let planes = TensorData::new(planes, [BATCH, shape.planes, shape.rows, shape.columns]);
    let (policy, value) = net.forward(Tensor::from_data(planes, &device));
    let loss = policy.clone().powi_scalar(2).mean() + value.clone().powi_scalar(2).mean();
    let gradient = net.stem_gradient(&loss.backward());
    let numbers = |data: TensorData| data.try_to_vec().expect("32-bit floats");
    [
        ("policy", numbers(policy.into_data())),
        ("value", numbers(value.into_data())),
        ("gradient", numbers(gradient.into_data())),
    ]
}
