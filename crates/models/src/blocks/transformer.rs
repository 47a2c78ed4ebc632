//! The block that transformers repeat.

use crate::blocks::attention::ScoreBias;
use crate::blocks::{LayerNorm, Mlp, SelfAttention, Sequences};
use candle_core::{Result, Tensor};

/// Attention, then a perceptron, each on normalised input and added to what came in ("pre-norm").
#[derive(Debug, Clone)]
pub(crate) struct TransformerBlock {
    pub(crate) attention_norm: LayerNorm,
    pub(crate) attention: SelfAttention,
    pub(crate) mlp_norm: LayerNorm,
    pub(crate) mlp: Mlp,
}

impl TransformerBlock {
    /// The output for the sequences that the rows of `x` (`n_tokens`, `n_features`) make up.
    pub(crate) fn forward(
        &self,
        x: &Tensor,
        sequences: &Sequences,
        bias: &dyn ScoreBias,
    ) -> Result<Tensor> {
        let normalised = self.attention_norm.forward(x)?;
        let attention = &self.attention;
        let x = attention.forward_residual(&normalised, sequences, bias, x)?;
        self.mlp.forward_residual(&self.mlp_norm.forward(&x)?, &x)
    }
}
