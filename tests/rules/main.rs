//! Rules, notation and encodings: golden files, drawn cases, conformance, and slow twins.
#![allow(clippy::unwrap_used, missing_docs)]

mod einstein;
mod einstein_exact;
mod einstein_static;
mod golden_twins;
mod jiu;
mod naive;
mod opening;
mod surakarta;
mod twins;
mod wide;
