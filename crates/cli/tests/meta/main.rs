//! `neurogauge meta`.

#![allow(clippy::unwrap_used)]

mod agreement;
mod combinations;
mod figures;
mod inference;
mod questions;
#[path = "../support/mod.rs"]
mod support;
mod surveys;
