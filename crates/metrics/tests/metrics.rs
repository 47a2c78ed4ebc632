//! The metrics against independent references, their registry, and their intervals where the truth is known.

mod calibration;
mod decoding;
mod losses;
mod registry;
