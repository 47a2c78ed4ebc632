//! Turns the tokens of an image into a few tokens of the language model.

use crate::network::{Layer, LayerKind, LayerOutputs, Pass};
use crate::observers::captioning::TokenMap;
use candle_core::{Result, Tensor};
use neurogauge_kernels::blocks::{CrossAttention, LayerNorm, Linear, Mlp, NoBias, SelfAttention, Sequences};

/// The name under which the last output is offered.
pub(super) const TOKENS: &str = "language_projection";

/// Learned queries that look at each other and at an image.
pub(super) struct QFormer {
    /// Shape (query, feature), normalised.
    pub(super) queries: Tensor,
    /// The layers, each with the name under which its output is offered.
    pub(super) layers: Vec<(String, QFormerLayer)>,
    /// Maps into the language model's space.
    pub(super) projection: Linear,
}

/// Attention among the queries, in some layers attention to the image, and a perceptron. Each result is added to its
/// input and normalised.
pub(super) struct QFormerLayer {
    pub(super) attention: SelfAttention,
    pub(super) attention_norm: LayerNorm,
    pub(super) to_image: Option<(CrossAttention, LayerNorm)>,
    pub(super) mlp: Mlp,
    pub(super) mlp_norm: LayerNorm,
}

impl TokenMap for QFormer {
    fn layers(&self) -> Vec<Layer> {
        let names = self.layers.iter().map(|(name, _)| name.as_str());
        names.chain([TOKENS]).map(|name| Layer::new(name, LayerKind::Tokens)).collect()
    }

    fn forward(&self, image_tokens: &Tensor, outputs: &mut LayerOutputs<'_>) -> Pass<()> {
        let (n_queries, width) = self.queries.dims2()?;
        let n_images = image_tokens.dim(0)?;
        let shape = (n_images, n_queries, width);
        let sequences = Sequences::new(vec![n_queries; n_images]);
        let mut x = self.queries.broadcast_as(shape)?.contiguous()?;
        for (name, layer) in &self.layers {
            x = layer.forward(&x, &sequences, image_tokens)?;
            outputs.offer(name, &x)?;
        }
        outputs.offer(TOKENS, &self.projection.forward(&x)?)
    }
}

impl QFormerLayer {
    /// Input and output have the shape (image, query, feature).
    fn forward(&self, x: &Tensor, sequences: &Sequences, image_tokens: &Tensor) -> Result<Tensor> {
        let rows = x.flatten_to(1)?;
        let attended = (self.attention).forward_residual(&rows, sequences, &NoBias, &rows)?;
        let mut x = self.attention_norm.forward(&attended.reshape(x.dims())?)?;
        if let Some((attention, norm)) = &self.to_image {
            x = norm.forward(&attention.forward_residual(&x, [image_tokens], &x)?)?;
        }
        self.mlp_norm.forward(&self.mlp.forward_residual(&x, &x)?)
    }
}
