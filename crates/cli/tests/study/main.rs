//! `neurogauge study`: three systems, ratings of one of them, eight combinations of components.

#![allow(clippy::panic, clippy::unwrap_used)]

mod basic;
mod configuration;
mod page;
mod pooled;
mod published;
mod repetition;
#[path = "../support/mod.rs"]
mod support;
mod tables;
