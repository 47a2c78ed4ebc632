//! Pooling by attention.

use crate::blocks::Linear;
use crate::blocks::attention::{Columns, Scratch};
use crate::blocks::slices::{values, zeros};
use crate::blocks::tensors::attend;
use candle_core::{CpuStorage, CustomOp2, Layout, Result, Shape, Tensor, bail};

/// The first token of every image looks at all of its tokens; one vector for each image.
#[derive(Debug, Clone)]
pub(crate) struct AttentionPool {
    query: Linear,
    key_value: Linear,
    output: Linear,
    n_heads: usize,
}

impl AttentionPool {
    /// From the maps to queries, keys and values (weight and bias each) and the output map.
    pub(crate) fn new(
        [query, key, value]: [(Tensor, Tensor); 3],
        output: Linear,
        n_heads: usize,
    ) -> Result<Self> {
        let scale = 1.0 / ((query.0.dim(0)? / n_heads) as f64).sqrt();
        Ok(AttentionPool {
            query: Linear::new(&(query.0 * scale)?, &(query.1 * scale)?)?,
            key_value: Linear::fused(&[key, value])?,
            output,
            n_heads,
        })
    }

    /// Shape (image, feature), of tokens of (image, token, feature).
    pub(crate) fn forward(&self, tokens: &Tensor) -> Result<Tensor> {
        let first = tokens.narrow(1, 0, 1)?.squeeze(1)?.contiguous()?;
        let query = self.query.forward(&first)?;
        let key_value = self.key_value.forward(tokens)?;
        if !self.output.is_packed() {
            return self.output.forward(&self.attend(&query, &key_value)?);
        }
        let op = FirstTokenAttention {
            n_heads: self.n_heads,
        };
        let pooled = query.apply_op2_no_bwd(&key_value, &op)?;
        self.output.forward(&pooled)
    }

    /// `softmax(q Kᵀ) V` by the engine's own operations.
    fn attend(&self, query: &Tensor, key_value: &Tensor) -> Result<Tensor> {
        let (n_images, width) = query.dims2()?;
        let n_tokens = key_value.dim(1)?;
        let head_width = width / self.n_heads;
        let query = query.reshape((n_images, self.n_heads, 1, head_width))?;
        let parts = key_value
            .reshape((n_images, n_tokens, 2, self.n_heads, head_width))?
            .permute((2, 0, 3, 1, 4))?
            .contiguous()?;
        let pooled = attend([&query, &parts.get(0)?, &parts.get(1)?], None)?;
        pooled.reshape((n_images, width))
    }
}

/// `softmax(q Kᵀ) V` for each head and image, with one query for each image.
struct FirstTokenAttention {
    n_heads: usize,
}

impl CustomOp2 for FirstTokenAttention {
    fn name(&self) -> &'static str {
        "first-token-attention"
    }

    fn cpu_fwd(
        &self,
        query: &CpuStorage,
        query_layout: &Layout,
        key_value: &CpuStorage,
        key_value_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let (n_images, width) = query_layout.shape().dims2()?;
        let (n_sequences, n_tokens, row_width) = key_value_layout.shape().dims3()?;
        let is_whole = row_width == 2 * width && width.is_multiple_of(self.n_heads);
        if n_sequences != n_images || !is_whole {
            bail!(
                "{:?} are not keys and values for queries of {:?} in {} heads",
                key_value_layout.shape(),
                query_layout.shape(),
                self.n_heads
            );
        }
        let query = values(query, query_layout)?;
        let key_value = values(key_value, key_value_layout)?;
        let mut output = zeros(n_images * width);
        let mut scratch = Scratch::default();
        let head_width = width / self.n_heads;
        for (index, output) in output.chunks_exact_mut(width).enumerate() {
            let query = &query[index * width..][..width];
            let key_value = &key_value[index * n_tokens * row_width..][..n_tokens * row_width];
            for first in (0..width).step_by(head_width) {
                let columns = |matrix, matrix_width, first| Columns {
                    matrix,
                    matrix_width,
                    first,
                    width: head_width,
                };
                let head = [
                    columns(query, width, first),
                    columns(key_value, row_width, first),
                    columns(key_value, row_width, width + first),
                ];
                scratch.attend(head, None, &mut output[first..], width);
            }
        }
        Ok((CpuStorage::F32(output), (n_images, width).into()))
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
        // A query of zeros finds all keys alike.
        assert_eq!(pooled[0], [2.0, 4.0]);
        let own = 1.0 / (1.0 + (-0.5_f32.sqrt()).exp());
        assert!((pooled[1][0] - own).abs() < 1e-6, "{pooled:?}");
        assert!(
            (pooled[1][1] - 5.0 * (1.0 - own)).abs() < 1e-5,
            "{pooled:?}"
        );
        Ok(())
    }

    #[test]
    fn heads_are_apart() -> Result<()> {
        let op = FirstTokenAttention { n_heads: 2 };
        let query = Tensor::new(&[[0_f32, 100.0]], &Device::Cpu)?;
        let key_value = [[[0_f32, 0.0, 1.0, 1.0], [1.0, 1.0, 3.0, 3.0]]];
        let key_value = Tensor::new(&key_value, &Device::Cpu)?;
        let pooled = query.apply_op2_no_bwd(&key_value, &op)?;
        assert_eq!(pooled.to_vec2::<f32>()?, [[2.0, 3.0]]);
        Ok(())
    }
}
