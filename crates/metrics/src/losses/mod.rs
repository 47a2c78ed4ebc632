//! Losses for the training of decoders, with their gradients.

mod inversions;
mod pairwise_hinge;

pub use pairwise_hinge::{PairwiseHinge, pairwise_hinge};
