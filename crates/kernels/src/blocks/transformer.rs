//! The block that transformers repeat.

use crate::blocks::attention::ScoreBias;
use crate::blocks::{LayerNorm, Mlp, SelfAttention, Sequences, Turns};
use candle_core::{Result, Tensor};

/// Attention, then a perceptron, each with a residual and a normalisation.
#[derive(Debug, Clone)]
pub struct TransformerBlock {
    pub attention_norm: LayerNorm,
    pub attention: SelfAttention,
    pub mlp_norm: LayerNorm,
    pub mlp: Mlp,
}

impl TransformerBlock {
    /// The output for the sequences in the rows of `x` (`n_tokens`, `n_features`). Each part normalises its input, and
    /// its result is added to it ("pre-norm").
    pub fn forward(&self, x: &Tensor, sequences: &Sequences, bias: &dyn ScoreBias) -> Result<Tensor> {
        let normalised = self.attention_norm.forward(x)?;
        let attention = &self.attention;
        let x = attention.forward_residual(&normalised, sequences, bias, x)?;
        self.mlp.forward_residual(&self.mlp_norm.forward(&x)?, &x)
    }

    /// Like `forward`, with queries and keys rotated by their positions.
    pub fn forward_turned(&self, x: &Tensor, sequences: &Sequences, turns: &Turns) -> Result<Tensor> {
        let normalised = self.attention_norm.forward(x)?;
        let attention = &self.attention;
        let x = attention.forward_turned_residual(&normalised, sequences, turns, x)?;
        self.mlp.forward_residual(&self.mlp_norm.forward(&x)?, &x)
    }

    /// Like `forward`, but the sum of each part and its input is normalised ("post-norm").
    pub fn forward_post_norm(&self, x: &Tensor, sequences: &Sequences, bias: &dyn ScoreBias) -> Result<Tensor> {
        let attended = self.attention.forward_residual(x, sequences, bias, x)?;
        let x = self.attention_norm.forward(&attended)?;
        self.mlp_norm.forward(&self.mlp.forward_residual(&x, &x)?)
    }
}
