//! The trunk's residual blocks on 8-bit weights and 7-bit activations.
//!
//! An activation is a whole number `a` from 0 to [`MOST_ACTIVATION`] times the scale of its layer (where
//! pooling has been added to it, from -[`MOST_ACTIVATION`]), a
//! weight a whole number from -127 to 127 times the scale of its output channel (per-channel symmetric
//! quantisation: Jacob et al., "Quantization and Training of Neural Networks for Efficient
//! Integer-Arithmetic-Only Inference", 2018). A convolution's sum `Σ w a` is exact; it becomes a float
//! with bias and residual, and after relu the next layer's whole number, the nearest, ties to even.
//! The residual stream, the stem and the heads stay in floats.
//!
//! The sums come from Winograd filtering in whole numbers ([`points`]), 16 bits before the products and
//! 32 after. Seven bits, because a transformed tile of them stays within 16. All sums are taken
//! modulo 2³², in which additions may overflow on the way: the last steps are an exact division
//! and hold only numbers that fit ([`conv::QuantisedConv`]).
//!
//! In order of dependency: [`words`] (vectors and dispatch), [`points`] (one-dimensional transforms),
//! [`product`] (matrix product kernel), [`boards`] (transform kernels), [`conv`] (a layer),
//! [`blocks`] (all of them).

pub(crate) mod blocks;
pub(crate) mod boards;
pub(crate) mod conv;
pub(crate) mod points;
pub(crate) mod product;
pub(crate) mod words;

/// The largest activation as a whole number.
pub(crate) const MOST_ACTIVATION: f32 = 127.0;

/// The largest weight as a whole number.
pub(crate) const MOST_WEIGHT: f32 = 127.0;
