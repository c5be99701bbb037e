//! Tests of the inference crate: exactness, batch invariance, no allocation.

mod allocation;
mod batches;
mod exactness;
mod refusals;
mod sample;
