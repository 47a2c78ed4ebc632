//! Attention of some tokens to others.

use crate::blocks::Linear;
use crate::blocks::attention::{Columns, Scratch};
use crate::blocks::slices::{values, zeros};
use crate::blocks::tensors::attend;
use candle_core::{CpuStorage, CustomOp2, Layout, Result, Shape, Tensor, bail};

/// Every token of a sequence looks at every token of its source, a sequence of another length and width.
#[derive(Debug, Clone)]
pub(crate) struct CrossAttention {
    query: Linear,
    key_value: Linear,
    output: Linear,
    n_heads: usize,
}

impl CrossAttention {
    /// From the map of tokens to queries, those of their sources to keys and values (weight and bias each), and
    /// the output map.
    pub(crate) fn new(
        [query, key, value]: [(Tensor, Tensor); 3],
        output: Linear,
        n_heads: usize,
    ) -> Result<Self> {
        let scale = 1.0 / ((query.0.dim(0)? / n_heads) as f64).sqrt();
        Ok(CrossAttention {
            query: Linear::new(&(query.0 * scale)?, &(query.1 * scale)?)?,
            key_value: Linear::fused(&[key, value])?,
            output,
            n_heads,
        })
    }

    /// Shape (sequence, token, feature), of tokens and of sources of that shape.
    pub(crate) fn forward(&self, tokens: &Tensor, sources: &Tensor) -> Result<Tensor> {
        self.output.forward(&self.attended(tokens, sources)?)
    }

    /// The same, added to the residual.
    pub(crate) fn forward_residual(
        &self,
        tokens: &Tensor,
        sources: &Tensor,
        residual: &Tensor,
    ) -> Result<Tensor> {
        let attended = self.attended(tokens, sources)?;
        self.output.forward_residual(&attended, residual)
    }

    fn attended(&self, tokens: &Tensor, sources: &Tensor) -> Result<Tensor> {
        let query = self.query.forward(tokens)?;
        let key_value = self.key_value.forward(sources)?;
        if !self.output.is_packed() {
            return self.attend_tensors(&query, &key_value);
        }
        let op = DotProductCrossAttention {
            n_heads: self.n_heads,
        };
        query.apply_op2_no_bwd(&key_value, &op)
    }

    /// `softmax(Q Kᵀ) V` by the engine's own operations.
    fn attend_tensors(&self, query: &Tensor, key_value: &Tensor) -> Result<Tensor> {
        let (n_sequences, n_queries, width) = query.dims3()?;
        let n_tokens = key_value.dim(1)?;
        let head_width = width / self.n_heads;
        let query = query
            .reshape((n_sequences, n_queries, self.n_heads, head_width))?
            .transpose(1, 2)?
            .contiguous()?;
        let parts = key_value
            .reshape((n_sequences, n_tokens, 2, self.n_heads, head_width))?
            .permute((2, 0, 3, 1, 4))?
            .contiguous()?;
        let heads = attend([&query, &parts.get(0)?, &parts.get(1)?], None)?;
        let rows = heads.transpose(1, 2)?.contiguous()?;
        rows.reshape((n_sequences, n_queries, width))
    }
}

/// `softmax(Q Kᵀ) V` for each head and sequence. The factor of the scores is part of the queries.
struct DotProductCrossAttention {
    n_heads: usize,
}

impl CustomOp2 for DotProductCrossAttention {
    fn name(&self) -> &'static str {
        "dot-product-cross-attention"
    }

    fn cpu_fwd(
        &self,
        query: &CpuStorage,
        query_layout: &Layout,
        key_value: &CpuStorage,
        key_value_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let (n_sequences, n_queries, width) = query_layout.shape().dims3()?;
        let (n_sources, n_tokens, row_width) = key_value_layout.shape().dims3()?;
        let is_whole = row_width == 2 * width && width.is_multiple_of(self.n_heads);
        if n_sources != n_sequences || !is_whole {
            bail!(
                "{:?} are not keys and values for queries of {:?} in {} heads",
                key_value_layout.shape(),
                query_layout.shape(),
                self.n_heads
            );
        }
        let query = values(query, query_layout)?;
        let key_value = values(key_value, key_value_layout)?;
        let mut output = zeros(query.len());
        let mut scratch = Scratch::default();
        let head_width = width / self.n_heads;
        for index in 0..n_sequences {
            let rows = index * n_queries * width..(index + 1) * n_queries * width;
            let query = &query[rows.clone()];
            let output = &mut output[rows];
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
        Ok((CpuStorage::F32(output), query_layout.shape().clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::{NoBias, SelfAttention, Sequences};
    use candle_core::{DType, Device};
    use neurogauge_core::synthetic::parameter;

    fn tensor(name: &str, shape: &[usize]) -> Result<Tensor> {
        Tensor::from_vec(parameter(name, shape, 0), shape, &Device::Cpu)
    }

    #[test]
    fn each_token_weighs_the_values_of_its_own_source() -> Result<()> {
        let cpu = &Device::Cpu;
        let eye = Tensor::new(&[[1_f32, 0.0], [0.0, 1.0]], cpu)?;
        let zero = Tensor::zeros(2, DType::F32, cpu)?;
        let map = || (eye.clone(), zero.clone());
        let output = Linear::new(&eye, &zero)?;
        let attention = CrossAttention::new([map(), map(), map()], output, 1)?;
        let tokens = Tensor::new(&[[[0_f32, 0.0], [2.0, 0.0]], [[0.0, 0.0], [0.0, 0.0]]], cpu)?;
        let sources = Tensor::new(&[[[4_f32, 1.0], [0.0, 3.0]], [[1.0, 0.0], [3.0, 8.0]]], cpu)?;
        let residual = Tensor::new(
            &[[[0_f32, 0.0], [10.0, 0.0]], [[0.0, 0.0], [0.0, 20.0]]],
            cpu,
        )?;
        let y = attention.forward_residual(&tokens, &sources, &residual)?;
        let y = y.to_vec3::<f32>()?;
        // A query of zeros finds all keys alike.
        assert_eq!(y[0][0], [2.0, 2.0]);
        assert_eq!(y[1], [[2.0, 4.0], [2.0, 24.0]]);
        let weight = 1.0 / (1.0 + (-8.0 / 2.0_f32.sqrt()).exp());
        assert!((y[0][1][0] - 10.0 - 4.0 * weight).abs() < 1e-5, "{y:?}");
        assert!((y[0][1][1] - weight - 3.0 * (1.0 - weight)).abs() < 1e-5);
        Ok(())
    }

    /// More tokens than lanes, several heads.
    #[test]
    fn a_sequence_that_is_its_own_source_attends_to_itself() -> Result<()> {
        let (n_heads, width) = (3, 36);
        let map = |name: &str| -> Result<(Tensor, Tensor)> {
            Ok((
                tensor(name, &[width, width])?,
                tensor(&format!("{name}.bias"), &[width])?,
            ))
        };
        let maps = || -> Result<_> { Ok([map("query")?, map("key")?, map("value")?]) };
        let output = Linear::new(
            &tensor("output", &[width, width])?,
            &tensor("bias", &[width])?,
        )?;
        let x = tensor("x", &[2, 37, width])?;
        let own = SelfAttention::new(maps()?, output.clone(), n_heads)?;
        let rows = x.flatten_to(1)?;
        let expected = own.forward_residual(&rows, &Sequences::new([37, 37]), &NoBias, &rows)?;
        let cross = CrossAttention::new(maps()?, output, n_heads)?;
        let found = cross.forward_residual(&x, &x, &x)?.flatten_to(1)?;
        assert_eq!(found.to_vec2::<f32>()?, expected.to_vec2::<f32>()?);
        let plain = (cross.forward(&x, &x)? + &x)?
            .flatten_all()?
            .to_vec1::<f32>()?;
        let found = found.flatten_all()?.to_vec1::<f32>()?;
        assert!(plain.iter().zip(&found).all(|(a, b)| (a - b).abs() < 1e-5));
        Ok(())
    }

    #[test]
    fn heads_are_apart() -> Result<()> {
        let op = DotProductCrossAttention { n_heads: 2 };
        let query = Tensor::new(&[[[0_f32, 100.0]]], &Device::Cpu)?;
        let key_value = [[[0_f32, 0.0, 1.0, 1.0], [1.0, 1.0, 3.0, 3.0]]];
        let key_value = Tensor::new(&key_value, &Device::Cpu)?;
        let pooled = query.apply_op2_no_bwd(&key_value, &op)?;
        assert_eq!(pooled.to_vec3::<f32>()?, [[[2.0, 3.0]]]);
        Ok(())
    }

    #[test]
    fn sources_of_another_number_are_refused() -> Result<()> {
        let op = DotProductCrossAttention { n_heads: 2 };
        let refused = |query: &[usize], key_value: &[usize]| -> Result<bool> {
            let (query, key_value) = (tensor("q", query)?, tensor("k", key_value)?);
            Ok(query.apply_op2_no_bwd(&key_value, &op).is_err())
        };
        assert!(!refused(&[2, 3, 4], &[2, 5, 8])?);
        assert!(refused(&[2, 3, 4], &[1, 5, 8])?);
        assert!(refused(&[2, 3, 4], &[2, 5, 4])?);
        assert!(refused(&[2, 3, 3], &[2, 5, 6])?);
        Ok(())
    }
}
