//! What holds of every metric of the registry.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod conventions;
mod invariances;
