//! Files of masks and of categories: round trips, and hostile ones.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod categorisations;
mod coco;
mod files;
mod hostile;
mod label_maps;
mod masks;
