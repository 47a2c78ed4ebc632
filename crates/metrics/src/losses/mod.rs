//! Losses for the training of decoders, with their gradients.

mod embeddings;
mod inversions;
mod pairwise_hinge;

pub use embeddings::{
    EmbeddingHinge, EmbeddingHingeOptions, HingeNormalisation, pairwise_hinge_of_embeddings,
};
pub use pairwise_hinge::{PairwiseHinge, pairwise_hinge};
