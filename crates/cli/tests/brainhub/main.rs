//! `neurogauge caption` and `neurogauge ground`: by hand, on BrainHub's own files, and bad input.

#![allow(clippy::unwrap_used)]

mod boxes;
mod captions;
mod embeddings;
mod measures;
mod published;
#[path = "../support/mod.rs"]
mod support;
