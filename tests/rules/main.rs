//! Rules, notation and encodings: golden files, drawn cases, conformance, and slow twins.
#![allow(clippy::unwrap_used, missing_docs)]

mod golden_twins;
mod naive;
