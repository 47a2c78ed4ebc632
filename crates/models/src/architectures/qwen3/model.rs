//! The forward pass.

use crate::observers::text_encoding::TokenVectors;
use candle_core::{Result, Tensor};
use neurogauge_kernels::blocks::{
    CausalMask, Embedding, GatedMlp, GroupedAttention, RmsNorm, Rotary, Sequences, Turns,
};

/// A Qwen3 without its output map.
pub(crate) struct Model {
    pub(super) words: Embedding,
    pub(super) rotary: Rotary,
    pub(super) layers: Vec<Qwen3Layer>,
    pub(super) norm: RmsNorm,
}

/// Attention, then a perceptron: each normalises its input, and its result is added to it.
pub(super) struct Qwen3Layer {
    pub(super) attention_norm: RmsNorm,
    pub(super) attention: GroupedAttention,
    pub(super) mlp_norm: RmsNorm,
    pub(super) mlp: GatedMlp,
}

impl Model {
    /// The rotations for all positions in the sequences.
    pub(super) fn turns(&self, sequences: &Sequences) -> Turns {
        let longest = sequences.rows().map(|rows| rows.len()).max();
        self.rotary.turns(longest.unwrap_or(0))
    }
}

impl Qwen3Layer {
    pub(super) fn forward(
        &self,
        x: &Tensor,
        sequences: &Sequences,
        turns: &Turns,
        mask: &CausalMask,
    ) -> Result<Tensor> {
        let normalised = self.attention_norm.forward(x)?;
        let attention = &self.attention;
        let x = attention.forward_residual(&normalised, sequences, turns, mask, x)?;
        self.mlp.forward_residual(&self.mlp_norm.forward(&x)?, &x)
    }
}

impl TokenVectors for Model {
    fn token_vectors(&self, ids: &[u32], sequences: &Sequences) -> Result<Tensor> {
        let turns = self.turns(sequences);
        let mask = CausalMask::new(sequences);
        let mut x = self.words.forward(ids)?;
        for layer in &self.layers {
            x = layer.forward(&x, sequences, &turns, &mask)?;
        }
        self.norm.forward(&x)
    }
}
