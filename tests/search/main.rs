//! Search: values and moves on a toy game and on EinStein endings, and the faults that searches are known for.
#![allow(clippy::unwrap_used, missing_docs, dead_code)]

#[path = "../support/toy.rs"]
mod toy;

mod alphabeta;
mod choices;
mod endings;
mod evaluations;
mod toys;
