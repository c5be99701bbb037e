//! Networks and files: damaged input, versions, evaluation on real positions, devices.
#![allow(clippy::unwrap_used, missing_docs)]

mod artifacts;
mod bundled;
mod certificates;
mod devices;
mod evaluation;
mod exports;
mod frames;
mod kernels;
mod onnx;
mod support;
