//! Tests of the losses, a module for each.

#![allow(clippy::unwrap_used)]

mod pairwise_hinge;
mod pairwise_hinge_embeddings;
