//! The encoder: one vector for each token of a text.

use candle_core::{Result, Tensor};
use neurogauge_kernels::blocks::{DistanceBias, Embedding, GatedMlp, RmsNorm, SelfAttention, Sequences};

/// The encoder, whose attention looks in both directions.
pub(crate) struct TextEncoder {
    pub(super) words: Embedding,
    pub(super) bias: DistanceBias,
    pub(super) layers: Vec<EncoderLayer>,
    pub(super) norm: RmsNorm,
}

/// Attention, then a perceptron: each normalises its input, and its result is added to it.
pub(super) struct EncoderLayer {
    pub(super) attention_norm: RmsNorm,
    pub(super) attention: SelfAttention,
    pub(super) mlp_norm: RmsNorm,
    pub(super) mlp: GatedMlp,
}

impl TextEncoder {
    /// The vector of every token, shape (`n_tokens`, `d_model`), of sequences laid end to end.
    pub(crate) fn forward(&self, ids: &[u32], sequences: &Sequences) -> Result<Tensor> {
        self.encode(self.embedded(ids)?, sequences)
    }

    /// The input vectors of the first layer, one per token.
    pub(crate) fn embedded(&self, ids: &[u32]) -> Result<Tensor> {
        self.words.forward(ids)
    }

    /// The last layer's output for these input vectors, some of which may have been replaced.
    pub(crate) fn encode(&self, embedded: Tensor, sequences: &Sequences) -> Result<Tensor> {
        let bias = self.bias.both_ways(sequences);
        let mut x = embedded;
        for layer in &self.layers {
            let normalised = layer.attention_norm.forward(&x)?;
            let attention = &layer.attention;
            x = attention.forward_residual(&normalised, sequences, &bias, &x)?;
            x = (layer.mlp).forward_residual(&layer.mlp_norm.forward(&x)?, &x)?;
        }
        self.norm.forward(&x)
    }
}
