//! The metrics against independent references, their registry, and their intervals for known truth.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod calibration;
mod decoding;
#[path = "../../stats/tests/stats/golden_values.rs"]
#[allow(dead_code, reason = "goldens of metrics have types")]
mod golden_values;
mod losses;
mod registry;
mod support;
