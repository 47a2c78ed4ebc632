//! `neurogauge meta`.

#![allow(clippy::unwrap_used)]

mod agreement;
mod combinations;
mod figures;
#[path = "../support/mod.rs"]
mod support;
mod surveys;
