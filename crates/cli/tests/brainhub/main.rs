#![allow(clippy::unwrap_used)]

mod runs;
#[path = "../support/mod.rs"]
mod support;
