//! A layer of the enhancer: image positions and tokens attend to each other, then to themselves.

use super::fusion::Fusion;
use super::phrases::Phrases;
use candle_core::{Result, Tensor};
use neurogauge_kernels::blocks::{DeformableAttention, LayerNorm, Linear, Mlp, NoBias, References, attend_rows, sum};

pub(super) struct EnhancerLayer {
    pub(super) fusion: Fusion,
    pub(super) text: TextLayer,
    pub(super) vision: VisionLayer,
}

impl EnhancerLayer {
    /// Returns the image positions and tokens after this layer.
    pub(super) fn forward(
        &self,
        vision: &Tensor,
        text: &Tensor,
        places: &PlacesOfLayer<'_>,
        phrases: &Phrases,
        text_positions: &Tensor,
    ) -> Result<(Tensor, Tensor)> {
        let (vision, text) = self.fusion.forward(vision, text)?;
        let text = self.text.forward(&text, text_positions, phrases)?;
        Ok((self.vision.forward(&vision, places)?, text))
    }
}

/// The image positions as every layer needs them.
pub(super) struct PlacesOfLayer<'a> {
    pub(super) positions: &'a Tensor,
    pub(super) references: &'a References,
    pub(super) sizes: &'a [(usize, usize)],
}

/// Attention of tokens within their phrase, then a perceptron.
pub(super) struct TextLayer {
    /// Maps to queries (times the scores' factor) and keys.
    pub(super) query_key: Linear,
    pub(super) value: Linear,
    pub(super) output: Linear,
    pub(super) n_heads: usize,
    pub(super) attention_norm: LayerNorm,
    pub(super) mlp: Mlp,
    pub(super) mlp_norm: LayerNorm,
}

impl TextLayer {
    fn forward(&self, text: &Tensor, positions: &Tensor, phrases: &Phrases) -> Result<Tensor> {
        // Positions are added to queries and keys only.
        let query_key = self.query_key.forward(&sum(text, positions)?)?;
        let projected = Tensor::cat(&[&query_key, &self.value.forward(text)?], 1)?;
        let attended = attend_rows(&projected, &phrases.sequences, self.n_heads, &NoBias)?;
        let x = self.output.forward_residual(&attended, text)?;
        let x = self.attention_norm.forward(&x)?;
        self.mlp_norm.forward(&self.mlp.forward_residual(&x, &x)?)
    }
}

/// Attention of image positions to their surroundings on all maps, then a perceptron.
pub(super) struct VisionLayer {
    pub(super) attention: DeformableAttention,
    pub(super) attention_norm: LayerNorm,
    pub(super) mlp: Mlp,
    pub(super) mlp_norm: LayerNorm,
}

impl VisionLayer {
    fn forward(&self, vision: &Tensor, places: &PlacesOfLayer<'_>) -> Result<Tensor> {
        let queries = sum(vision, places.positions)?;
        let x = self.attention.forward_residual(&queries, places.references, vision, places.sizes, vision)?;
        let x = self.attention_norm.forward(&x)?;
        self.mlp_norm.forward(&self.mlp.forward_residual(&x, &x)?)
    }
}
