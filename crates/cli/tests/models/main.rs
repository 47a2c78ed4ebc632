//! `neurogauge models`, and how models are run.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

mod devices;
mod doctor;
mod fetch;
mod list;
mod selftest;
#[path = "../support/mod.rs"]
mod support;
mod weight_precision;
