//! Attention between image positions and prompt tokens, in both directions.

use candle_core::{Result, Tensor};
use neurogauge_kernels::blocks::{LayerNorm, Linear, TokenColumns, attend_across};

/// Attention in both directions with one set of scores: every position attends to all tokens, and every token to all
/// positions. The results are multiplied, feature by feature, with learned factors, and added to the normalised input.
#[derive(Debug, Clone)]
pub(super) struct Fusion {
    pub(super) vision: FusionSide,
    pub(super) text: FusionSide,
    /// Features of the queries, or values, of all heads together.
    pub(super) width: usize,
    pub(super) n_heads: usize,
}

/// The weights for the image or for the text.
#[derive(Debug, Clone)]
pub(super) struct FusionSide {
    pub(super) norm: LayerNorm,
    /// Maps to the vectors that scores are made of (the image's include the scores' factor), and to values.
    pub(super) projection: Linear,
    /// The output map, with the learned factors folded in.
    pub(super) output: Linear,
}

impl Fusion {
    /// Returns image positions and tokens after the fusion.
    pub(super) fn forward(&self, vision: &Tensor, text: &Tensor) -> Result<(Tensor, Tensor)> {
        let vision = self.vision.norm.forward(vision)?;
        let text = self.text.norm.forward(text)?;
        let places = self.vision.projection.forward(&vision)?;
        let tokens = self.text.projection.forward(&text)?;
        let to_vision = self.attend(&places, &tokens)?;
        let to_text = self.attend(&tokens, &places)?;
        drop((places, tokens));
        let vision = self.vision.output.forward_residual(&to_vision, &vision)?;
        let text = self.text.output.forward_residual(&to_text, &text)?;
        Ok((vision, text))
    }

    fn attend(&self, own: &Tensor, others: &Tensor) -> Result<Tensor> {
        let columns = |tokens, first| TokenColumns { tokens, first };
        let parts = [columns(own, 0), columns(others, 0), columns(others, self.width)];
        attend_across(parts, self.width, self.n_heads, true)
    }
}
