//! Compares every format with text written by hand.

#![allow(clippy::unwrap_used, reason = "a fixture that fails should stop its test")]

mod checks;
mod data;
mod fixtures;
mod latex;
mod markdown;
mod text;
