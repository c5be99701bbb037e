//! Rules, notation and encodings: golden files, drawn cases, conformance, and slow twins.
#![allow(clippy::unwrap_used, missing_docs)]

mod einstein;
mod surakarta;
mod einstein_exact;
mod einstein_static;
mod jiu;
mod wide;
mod golden_twins;
mod naive;
