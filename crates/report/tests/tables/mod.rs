//! Compares every format with text written by hand.

#![allow(clippy::unwrap_used, reason = "a fixture that fails should stop its test")]

mod checks;
mod data;
pub(crate) mod fixtures;
mod latex;
mod latex_cells;
mod latex_pages;
mod markdown;
mod numbers;
mod text;
