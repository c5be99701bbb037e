//! Self-play, learning, runs, ladders and the command line of tribord.
//!
//! The data's way: [`config`] → [`selfplay`] → [`record`]s → [`learning`] → nets → [`mod@matches`].
//! [`pipeline`] is that sentence as code.

pub mod allocation;
pub mod book;
pub mod cli;
pub mod config;
pub mod dispatch;
pub mod interrupt;
pub mod ladder;
pub mod learning;
pub mod lines;
pub mod lock;
pub mod machine;
pub mod matches;
pub mod metrics;
pub mod pipeline;
pub mod programs;
pub mod progress;
pub mod rating;
pub mod record;
pub mod run;
pub mod selfplay;
pub mod truth;
pub mod workers;
