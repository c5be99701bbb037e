//! From configuration to nets: determinism, resume, learning targets, metrics, scores.
#![allow(clippy::unwrap_used, missing_docs, dead_code)]

#[path = "../support/toy.rs"]
mod toy;

mod configs;
mod contest;
mod learning;
mod metrics;
mod ratings;
mod runs;
mod scores;
mod selfplay;
mod sequential;
mod support;
mod truth;
mod workers;
