//! `neurogauge perceive`, and `neurogauge score` with the same models.

#![allow(clippy::unwrap_used)]

mod blip2;
mod captions;
mod detections;
mod features;
#[path = "../support/mod.rs"]
mod support;
