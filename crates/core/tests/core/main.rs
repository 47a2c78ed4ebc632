//! Names of two sides, resizing of images, parts of items, and every other type that the crates share.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)] // In shared functions too, which the lint does not see as tests.

mod appearance;
mod closest;
mod content;
mod element;
mod join;
mod names;
mod observations;
mod pairing;
mod parts;
mod patterns;
mod pixels;
mod repeatable;
mod resize;
mod resize_goldens;
mod trials;
mod values;
