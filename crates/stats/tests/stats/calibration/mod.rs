//! Do intervals and tests have their nominal coverage and error rates? Simulated, with known truth.
//!
//! `cargo test` runs a few experiments, whose tolerances follow from their number, `make test-long` twice as many;
//! `make calibration` runs thousands and writes the tables of `bench/calibration/`.

#![allow(clippy::unwrap_used, reason = "in helpers too, which the lint does not see as tests")]

mod ceilings;
mod clusters;
mod differences;
mod means;
mod meta;
mod missing;
mod populations;
mod rates;
mod shares;
mod stimuli;
mod strengths;
mod subjects;
mod tails;

/// The number `n` of experiments in long tests (`NEUROGAUGE_LONG`), otherwise half of it.
fn experiments(n: usize) -> usize {
    match std::env::var_os("NEUROGAUGE_LONG") {
        Some(_) => n,
        None => n / 2,
    }
}
