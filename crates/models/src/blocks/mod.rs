//! Layers that several architectures share, each written once, on the engine's tensors.
//!
//! Matrix products are the engine's. What surrounds them (bias, activation, normalisation, attention)
//! is written here as custom operations on plain slices, compiled for several instruction sets, as
//! the engine's own versions allocate a tensor for every step. Sequences of different lengths are laid
//! end to end ([`Sequences`]), so that there is no padding to compute, to mask, or to depend on.
//!
//! Every row of a result is computed in an order of operations that depends neither on the number of
//! rows nor on the number of threads.

mod attention;
mod embedding;
mod gelu;
mod layer_norm;
mod linear;
mod mlp;
mod sequences;
mod slices;
mod softmax;

pub(crate) use attention::SelfAttention;
pub(crate) use embedding::Embedding;
pub(crate) use layer_norm::LayerNorm;
pub(crate) use linear::Linear;
pub(crate) use mlp::Mlp;
pub(crate) use sequences::Sequences;
