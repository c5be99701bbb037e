//! Where and how a command computes.

use std::sync::Arc;

use burn::tensor::Device;
use engine::Encode;
use models::{DeviceChoice, DeviceError, Forward, Kernel, Net};

use crate::workers;

/// The device, the threads and the code that evaluates. Results on the processor do not depend on the
/// number of threads.
#[derive(Clone, Debug)]
pub struct Machine {
    /// The device by name.
    pub choice: DeviceChoice,
    /// The device.
    pub device: Device,
    /// Threads of self-play and matches.
    pub threads: usize,
    /// Which code evaluates networks.
    pub kernel: Kernel,
}

impl Machine {
    /// Opens a device; no number of threads stands for all of the machine.
    ///
    /// # Errors
    /// A device that this build or this machine does not have.
    pub fn open(
        choice: DeviceChoice,
        threads: Option<usize>,
        kernel: Kernel,
    ) -> Result<Machine, DeviceError> {
        Ok(Machine {
            choice,
            device: choice.open()?,
            threads: threads.unwrap_or_else(workers::available),
            kernel,
        })
    }

    /// Makes a network of a game ready to evaluate here.
    pub fn forward<G: Encode>(&self, net: &Net, variant: &G::Variant) -> Arc<Forward> {
        Arc::new(Forward::new::<G>(net, variant, &self.device, self.kernel))
    }
}
