//! LPIPS: the distance of two images in the layers of a network, weighted to match human judgements.

mod config;
mod heads;
mod model;

pub use config::{LPIPS_LAYERS, LpipsNet};
pub use heads::LpipsHeads;
pub use model::{Lpips, LpipsDistance};
