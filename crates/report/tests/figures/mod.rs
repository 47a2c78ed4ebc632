//! Figures of awkward data: nothing is lost, nothing is outside the picture, and errors name the fault.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod axis;
mod calibration;
mod contents;
mod files;
mod kinds;
mod overlays;
mod parts;
mod refused;
mod region_map;
mod systems;
mod within;
mod words;
