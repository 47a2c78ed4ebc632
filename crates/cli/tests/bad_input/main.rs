//! What is refused, and with which words; and what the documentation says of the command line.

#![allow(clippy::unwrap_used)]

mod captions;
mod command_line;
mod help;
mod images;
mod observations;
#[path = "../support/mod.rs"]
mod support;
mod weights;
mod written;
