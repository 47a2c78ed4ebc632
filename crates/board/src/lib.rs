//! A board: a static site of systems by metrics by subjects, of finished runs.
//!
//! An [`Entry`] is the folder of a finished run of `neurogauge score` with a `card.toml` that says whose it is.
//! [`make`] puts entries of the same stimuli side by side and writes the site; systems that the data cannot tell apart
//! share a rank. [`verify`] computes an entry from its inputs again. [`fetch()`] downloads what a [`Recipe`] names,
//! checks it, and cuts grids of pictures.

#![deny(clippy::disallowed_methods)]

mod addresses;
mod board;
mod entry;
mod fetch;
mod make;
mod pages;
mod verify;

pub use board::{Board, BoardConfig, BoardTable, Cell, MetricColumn, board};
pub use entry::{CARD, Card, Entry, Printed};
pub use fetch::{Edges, Fetched, Grid, RECIPES, Recipe, RecipeFile, fetch};
pub use make::make;
pub use verify::{Verified, verify};
