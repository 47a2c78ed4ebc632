//! Names of two sides, resizing of images, and the parts of items.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)] // In shared functions too, which the lint does not see as tests.

mod join;
mod parts;
mod resize;
mod resize_goldens;
