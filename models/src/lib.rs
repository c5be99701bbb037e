//! Policy/value networks of tribord: definition, files, devices and the evaluator that searches use.

pub mod agreement;
pub mod artifact;
pub mod bundled;
pub mod calibration;
pub mod device;
mod difference;
pub mod evaluator;
pub mod export;
pub mod forward;
pub mod frame;
mod loading;
pub mod mapping;
mod memory;
pub mod net;
pub mod ready;

pub use artifact::{Artifact, ArtifactError, Origin};
pub use device::{DeviceChoice, DeviceError};
pub use evaluator::NetEvaluator;
pub use forward::{Forward, Kernel};
pub use frame::{Frame, FrameError};
pub use mapping::Mapping;
pub use net::{Net, NetConfig};
pub use ready::Ready;
