//! Score reconstructions of what a brain saw.

pub mod demo;
