//! The metrics against independent references, their registry, and their intervals for known truth.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod calibration;
mod decoding;
mod losses;
mod registry;
mod support;
