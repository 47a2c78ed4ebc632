//! Qwen3-Embedding-0.6B and its kind: a language model whose last token's vector represents the text.
//!
//! Attention is causal, several heads of queries share keys and values, positions are rotations, and each query and
//! each key is normalised separately.

mod config;
mod encoder;
mod model;
#[cfg(test)]
mod tests;
mod weights;

pub use encoder::{Qwen3Embedding, instructed};

/// Name of the architecture in messages.
const ARCHITECTURE: &str = "Qwen3 Embedding";
/// The token at the end of every text; its vector represents the text.
const END: &str = "<|endoftext|>";
