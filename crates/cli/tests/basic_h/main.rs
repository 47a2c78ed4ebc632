//! BASIC-H: `neurogauge score` on scene graphs, and the graphs that captions give.

#![allow(clippy::expect_used, clippy::unwrap_used)]

mod noun_filter;
mod parsed_captions;
mod scores;
#[path = "../support/mod.rs"]
mod support;
