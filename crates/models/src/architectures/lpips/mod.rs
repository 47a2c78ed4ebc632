//! LPIPS: how different two images look to a network whose features were weighted by people's judgements.

mod config;
mod heads;
mod model;
mod place_distance;

pub use config::{LPIPS_LAYERS, LpipsNet};
pub use heads::LpipsHeads;
pub use model::{Lpips, LpipsDistance};
