//! Losses for the training of decoders, with their gradients.

mod inversions;
mod pairwise_hinge;
mod pairwise_hinge_embeddings;

pub use pairwise_hinge::{PairwiseHinge, pairwise_hinge};
pub use pairwise_hinge_embeddings::{
    EmbeddingHinge, EmbeddingHingeOptions, HingeNormalisation, pairwise_hinge_of_embeddings,
};
