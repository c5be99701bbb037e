//! Forward pass of residual board-game networks on the CPU.
//!
//! [`Network::new`] takes trained [`Weights`] as plain slices and packs them once; [`Network::run`]
//! then evaluates batches of positions without allocating, in buffers ([`Workspace`]) that each
//! thread owns. 3×3 convolutions run as Winograd filtering, everything else as matrix products;
//! bias, residual and relu are fused into the stores. The instruction set is chosen at run time
//! ([`Isa`]).
//!
//! In order of dependency: `aligned` (buffers), `lanes` (vectors and dispatch), `prefetch`,
//! `product` (matrix product kernel), `winograd` (transform kernels), `conv3x3`, `conv1x1`, `linear`
//! (layers), `pool` (means and maxima), `int8` (the trunk's blocks on whole numbers), `trunk`, `heads`,
//! `network`.

mod aligned;
mod conv1x1;
mod conv3x3;
mod heads;
mod int8;
mod lanes;
mod linear;
mod network;
mod pool;
mod prefetch;
mod product;
mod trunk;
mod weights;
mod winograd;

pub use int8::conv::{QuantisedConv, Scales};
pub use lanes::{Isa, Target};
pub use network::{Network, Workspace};
pub use weights::{Block, Conv, Dense, Error, PolicyHead, ValueHead, Weights};
