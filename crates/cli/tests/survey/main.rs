//! `neurogauge survey`: from questionnaires to the table of `meta`.

#![allow(clippy::unwrap_used)]

mod answers;
mod crowd;
mod pages;
mod power;
mod questionnaires;
mod refused;
#[path = "../support/mod.rs"]
mod support;
