//! `neurogauge align`.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

mod bad_input;
mod controls;
mod figures;
#[cfg(feature = "hdf5")]
mod hdf5;
mod inputs;
mod models;
mod nsd;
mod runs;
#[path = "../support/mod.rs"]
mod support;
