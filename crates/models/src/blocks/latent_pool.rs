//! Pooling by a learned query.

use crate::blocks::{CrossAttention, LayerNorm, Mlp};
use candle_core::{Result, Tensor};

/// A learned token looks at all tokens of an image; what it gets goes through a perceptron with a residual ("MAP head",
/// Zhai et al. 2022). One vector for each image.
#[derive(Debug, Clone)]
pub(crate) struct LatentPool {
    /// Shape (1, 1, feature).
    latent: Tensor,
    attention: CrossAttention,
    norm: LayerNorm,
    mlp: Mlp,
}

impl LatentPool {
    /// From the learned token and the layers behind it.
    pub(crate) fn new(
        latent: &Tensor,
        attention: CrossAttention,
        norm: LayerNorm,
        mlp: Mlp,
    ) -> Result<Self> {
        let latent = latent.reshape((1, 1, latent.elem_count()))?;
        Ok(LatentPool {
            latent,
            attention,
            norm,
            mlp,
        })
    }

    /// Shape (image, feature), of tokens of (image, token, feature).
    pub(crate) fn forward(&self, tokens: &Tensor) -> Result<Tensor> {
        let n_images = tokens.dim(0)?;
        let latent = self.latent.repeat((n_images, 1, 1))?;
        let attended = self.attention.forward(&latent, [tokens])?.squeeze(1)?;
        let normalised = self.norm.forward(&attended)?;
        self.mlp.forward_residual(&normalised, &attended)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::{Activation, Linear};
    use candle_core::{DType, Device};

    #[test]
    fn the_learned_token_weighs_the_values_of_each_image() -> Result<()> {
        let cpu = &Device::Cpu;
        let eye = Tensor::new(&[[1_f32, 0.0], [0.0, 1.0]], cpu)?;
        let zero = Tensor::zeros(2, DType::F32, cpu)?;
        let map = || (eye.clone(), zero.clone());
        let linear = || Linear::new(&eye, &zero);
        let attention = CrossAttention::new([map(), map(), map()], linear()?, 1)?;
        // The norm gives (-1, 1) of what rises, and the perceptron adds its positive part.
        let norm = LayerNorm::new(&Tensor::new(&[1_f32, 1.0], cpu)?, &zero, 0.0)?;
        let mlp = Mlp::new(linear()?, Activation::Relu, linear()?);
        let latent = Tensor::new(&[2_f32.sqrt(), 0.0], cpu)?;
        let pool = LatentPool::new(&latent, attention, norm, mlp)?;
        let tokens = [[[0_f32, 4.0], [0.0, 8.0]], [[0.0, 1.0], [1.0, 3.0]]];
        let pooled = pool
            .forward(&Tensor::new(&tokens, cpu)?)?
            .to_vec2::<f32>()?;
        assert_eq!(pooled[0], [0.0, 7.0]);
        let second = 1.0 / (1.0 + (-1.0_f32).exp());
        assert!((pooled[1][0] - second).abs() < 1e-6, "{pooled:?}");
        assert!(
            (pooled[1][1] - (1.0 + 2.0 * second + 1.0)).abs() < 1e-5,
            "{pooled:?}"
        );
        Ok(())
    }
}
