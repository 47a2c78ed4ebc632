//! Properties of every metric of the registry, and the files written from it.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod conventions;
mod invariances;
mod reasons;
mod written;
mod written_modules;
mod written_python;
