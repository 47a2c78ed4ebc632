//! Do the intervals and tests of metrics whose pairs are each other's distractors have their nominal rates? Simulated
//! through the metrics themselves, with known truth.
//!
//! `cargo test` runs a few experiments, whose tolerances follow from their number; `make calibration` runs thousands
//! and writes the tables of docs/pages/project/calibration.md.

mod bleu;
mod clusters;
mod decoders;
mod identification;
#[path = "../../../stats/tests/stats/calibration/page.rs"]
#[allow(dead_code, reason = "the tables of means have cells of their own")]
mod page;
#[path = "../../../stats/tests/stats/calibration/populations.rs"]
#[allow(dead_code, reason = "scores are made by decoders here")]
mod populations;
mod retrieval;
