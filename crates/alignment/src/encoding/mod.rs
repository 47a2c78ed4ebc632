//! Encoding models: every voxel predicted by ridge regression on all features of a source, beside its noise ceiling.

mod accuracy;
mod noise_ceiling;
mod ridge_readout;

pub use accuracy::{EncodingVoxels, evaluate_encoding};
pub use noise_ceiling::{CeilingMethod, NoiseCeilings, Repeats};
pub use ridge_readout::{RidgeReadout, ridge_readout};
