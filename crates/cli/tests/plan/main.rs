//! Plans: printed, recorded, and worked off in parts.

#![allow(clippy::unwrap_used)]

#[path = "../support/mod.rs"]
mod support;

mod dry_run;
mod older_records;
mod shards;
