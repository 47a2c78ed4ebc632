//! From the tokens of an image to those of the decoder's space.

use crate::blocks::{LayerNorm, Linear};
use crate::observers::captioning::TokenMap;
use crate::observers::image_features::{Layer, LayerKind, LayerOutputs, Pass};
use candle_core::Tensor;

/// The name of the encoder's last output.
const TOKENS: &str = "visual_projection";

/// A map of every token, with a norm behind it.
pub(super) struct Projection {
    pub(super) linear: Linear,
    pub(super) norm: LayerNorm,
}

impl TokenMap for Projection {
    fn layers(&self) -> Vec<Layer> {
        vec![Layer::new(TOKENS, LayerKind::TokensWithClass)]
    }

    fn forward(&self, tokens: &Tensor, outputs: &mut LayerOutputs<'_>) -> Pass<()> {
        let projected = self.norm.forward(&self.linear.forward(tokens)?)?;
        outputs.offer(TOKENS, &projected)
    }
}
