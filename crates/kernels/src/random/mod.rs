//! torch's random numbers: its generator, and its uniform, normal and truncated normal draws, to the bit.

pub(crate) mod box_muller;
mod generator;
mod mersenne_twister;
pub(crate) mod truncated_normal;

pub use generator::TorchGenerator;
pub use truncated_normal::TruncatedNormal;
