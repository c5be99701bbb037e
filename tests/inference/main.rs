//! Tests of the inference crate: exactness, batch invariance, no allocation.

#![allow(clippy::unwrap_used)]

mod allocation;
mod batches;
mod exactness;
mod quantised;
mod refusals;
mod sample;
