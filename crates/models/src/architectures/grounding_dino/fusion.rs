//! Attention between the places of the image and the tokens of the prompt, in both directions.

use candle_core::{Result, Tensor};
use neurogauge_kernels::blocks::{LayerNorm, Linear, TokenColumns, attend_across};

/// Attention both ways from one set of scores: every position attends to all tokens, and every token to all positions.
/// The results are multiplied, feature by feature, with learned factors, and added to the normalised input.
#[derive(Debug, Clone)]
pub(super) struct Fusion {
    pub(super) vision: FusionSide,
    pub(super) text: FusionSide,
    /// Features of queries and values together, of all heads.
    pub(super) width: usize,
    pub(super) n_heads: usize,
}

/// The weights of one side.
#[derive(Debug, Clone)]
pub(super) struct FusionSide {
    pub(super) norm: LayerNorm,
    /// To what scores are made of (the places' with the factor of the scores), and to values.
    pub(super) projection: Linear,
    /// With the factors of the features.
    pub(super) output: Linear,
}

impl Fusion {
    /// Both after it.
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
