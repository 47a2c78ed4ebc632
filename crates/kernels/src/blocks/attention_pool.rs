//! Pooling by attention.

use crate::blocks::{CrossAttention, Linear};
use candle_core::{Result, Tensor};

/// The first token of every image attends to all of its tokens, which gives one vector per image.
#[derive(Debug, Clone)]
pub struct AttentionPool {
    attention: CrossAttention,
}

impl AttentionPool {
    /// Builds it from the maps to queries, keys and values (weight and bias each) and the output map.
    pub fn new(projections: [(Tensor, Tensor); 3], output: Linear, n_heads: usize) -> Result<Self> {
        let attention = CrossAttention::new(projections, output, n_heads)?;
        Ok(AttentionPool { attention })
    }

    /// The vectors, shape (image, feature), from tokens of shape (image, token, feature).
    pub fn forward(&self, tokens: &Tensor) -> Result<Tensor> {
        let first = tokens.narrow(1, 0, 1)?.contiguous()?;
        self.attention.forward(&first, [tokens])?.squeeze(1)
    }
}
