//! Figures of awkward data: nothing is lost, nothing is outside the picture, and errors name the fault.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod calibration;
mod contents;
mod files;
mod kinds;
mod refused;
mod within;
mod words;
