//! A board: a static site that compares finished runs of many systems, by metric and subject.
//!
//! An [`Entry`] is the folder of a finished run of `neurogauge score` with a `card.toml` that describes the system.
//! [`make`] compares entries of the same stimuli and writes the site; systems that the data cannot distinguish share a
//! rank. [`verify`] computes an entry again from its inputs. [`fetch()`] downloads the files of a [`Recipe`], checks
//! them, and cuts grids of pictures.

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
