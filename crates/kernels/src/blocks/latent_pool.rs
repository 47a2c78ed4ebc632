//! Pooling by a learned query.

use crate::blocks::{CrossAttention, LayerNorm, Mlp};
use candle_core::{Result, Tensor};

/// A learned token attends to all tokens of an image, and a perceptron with a residual follows ("MAP head", Zhai et al.
/// 2022). Gives one vector per image.
#[derive(Debug, Clone)]
pub struct LatentPool {
    /// The learned token, shape (1, 1, feature).
    latent: Tensor,
    attention: CrossAttention,
    norm: LayerNorm,
    mlp: Mlp,
}

impl LatentPool {
    /// Builds it from the learned token and the layers after it.
    pub fn new(latent: &Tensor, attention: CrossAttention, norm: LayerNorm, mlp: Mlp) -> Result<Self> {
        let latent = latent.reshape((1, 1, latent.elem_count()))?;
        Ok(LatentPool {
            latent,
            attention,
            norm,
            mlp,
        })
    }

    /// The vectors, shape (image, feature), from tokens of shape (image, token, feature).
    pub fn forward(&self, tokens: &Tensor) -> Result<Tensor> {
        let n_images = tokens.dim(0)?;
        let latent = self.latent.repeat((n_images, 1, 1))?;
        let attended = self.attention.forward(&latent, [tokens])?.squeeze(1)?;
        let normalised = self.norm.forward(&attended)?;
        self.mlp.forward_residual(&normalised, &attended)
    }
}
