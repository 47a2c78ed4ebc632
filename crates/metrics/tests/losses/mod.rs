//! Tests of the losses, a module for each.

mod pairwise_hinge;
mod pairwise_hinge_embeddings;
