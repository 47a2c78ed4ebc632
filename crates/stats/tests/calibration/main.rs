//! Do intervals cover as often as they say, and do tests err as seldom? Simulated, where the truth is known.
//!
//! `cargo test` takes a few experiments, whose tolerances follow from their number; `make calibration` takes thousands and
//! writes the tables of docs/pages/project/calibration.md.

#![allow(
    clippy::unwrap_used,
    reason = "in helpers too, which the lint does not see as tests"
)]

mod differences;
mod means;
mod meta;
mod page;
mod populations;
mod shares;
mod stimuli;
mod subjects;
