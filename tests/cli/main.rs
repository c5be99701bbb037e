//! The program as its users meet it: output, exit codes, signals, and runs that are killed.
#![allow(clippy::unwrap_used, missing_docs)]

mod bridge;
mod bundled;
mod commands;
mod encode;
mod exact;
mod exports;
mod ladder_openings;
mod ladder_reports;
mod ladders;
mod mistakes;
mod signals;
mod support;
