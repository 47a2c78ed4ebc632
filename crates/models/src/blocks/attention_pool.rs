//! Pooling by attention.

use crate::blocks::{CrossAttention, Linear};
use candle_core::{Result, Tensor};

/// The first token of every image looks at all of its tokens; one vector for each image.
#[derive(Debug, Clone)]
pub(crate) struct AttentionPool {
    attention: CrossAttention,
}

impl AttentionPool {
    /// From the maps to queries, keys and values (weight and bias each) and the output map.
    pub(crate) fn new(
        projections: [(Tensor, Tensor); 3],
        output: Linear,
        n_heads: usize,
    ) -> Result<Self> {
        let attention = CrossAttention::new(projections, output, n_heads)?;
        Ok(AttentionPool { attention })
    }

    /// Shape (image, feature), of tokens of (image, token, feature).
    pub(crate) fn forward(&self, tokens: &Tensor) -> Result<Tensor> {
        let first = tokens.narrow(1, 0, 1)?.contiguous()?;
        self.attention.forward(&first, [tokens])?.squeeze(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::{DType, Device};

    #[test]
    fn the_first_token_weighs_the_values_of_its_own_image() -> Result<()> {
        let cpu = &Device::Cpu;
        let eye = Tensor::new(&[[1_f32, 0.0], [0.0, 1.0]], cpu)?;
        let zero = Tensor::zeros(2, DType::F32, cpu)?;
        let map = || (eye.clone(), zero.clone());
        let pool = AttentionPool::new([map(), map(), map()], Linear::new(&eye, &zero)?, 1)?;
        let tokens = [[[0_f32, 0.0], [4.0, 8.0]], [[1.0, 0.0], [0.0, 5.0]]];
        let pooled = pool
            .forward(&Tensor::new(&tokens, cpu)?)?
            .to_vec2::<f32>()?;
        // A query of zeros weighs all keys equally.
        assert_eq!(pooled[0], [2.0, 4.0]);
        let own = 1.0 / (1.0 + (-0.5_f32.sqrt()).exp());
        assert!((pooled[1][0] - own).abs() < 1e-6, "{pooled:?}");
        assert!(
            (pooled[1][1] - 5.0 * (1.0 - own)).abs() < 1e-5,
            "{pooled:?}"
        );
        Ok(())
    }
}
