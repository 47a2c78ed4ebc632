//! What is refused, and with which words.

#![allow(clippy::unwrap_used)]

mod captions;
mod command_line;
mod images;
mod observations;
#[path = "../support/mod.rs"]
mod support;
mod weights;
