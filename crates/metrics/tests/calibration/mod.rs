//! If the pairs of a metric are each other's distractors, do its intervals and tests have their nominal rates?
//! Simulated with the metrics themselves and known truth.
//!
//! `cargo test` runs a few experiments, whose tolerances follow from their number; `make calibration` runs thousands
//! and writes the tables of `bench/calibration/`.

mod bleu;
mod clusters;
mod decoders;
mod identification;
#[path = "../../../stats/tests/stats/calibration/populations.rs"]
#[allow(dead_code, reason = "scores are made by decoders here")]
mod populations;
#[path = "../../../stats/tests/stats/calibration/rates.rs"]
#[allow(dead_code, reason = "the tables of means have cells of their own")]
mod rates;
mod retrieval;
mod set_distances;
mod trials;
