//! Cross-attention: the tokens of one sequence attend to those of another.

use super::across::{TokenColumns, attend_across};
use crate::blocks::Linear;
use candle_core::{D, Result, Tensor};

/// Every token of a sequence attends to every token of its source, which may have another length and width.
///
/// A source is one matrix from which both keys and values are made (`N` = 1), or one matrix for keys and one for values
/// with equally many tokens (`N` = 2). All matrices have the shape (sequence, token, feature), or (token, feature) for
/// one sequence.
#[derive(Debug, Clone)]
pub struct CrossAttention<const N: usize = 1> {
    query: Linear,
    /// Maps to keys and values: one map for both, or two.
    key_value: [Linear; N],
    output: Linear,
    n_heads: usize,
}

impl CrossAttention {
    /// Builds it from the map of tokens to queries, the maps of sources to keys and values (weight and bias each), and
    /// the output map. All threads share the work if they share the output map's.
    pub fn new([query, key, value]: [(Tensor, Tensor); 3], output: Linear, n_heads: usize) -> Result<Self> {
        Self::with(query, [Linear::fused(&[key, value])?], output, n_heads)
    }
}

impl CrossAttention<2> {
    /// The same for sources that are two matrices.
    pub fn apart([query, key, value]: [(Tensor, Tensor); 3], output: Linear, n_heads: usize) -> Result<Self> {
        let key_value = [Linear::new(&key.0, &key.1)?, Linear::new(&value.0, &value.1)?];
        Self::with(query, key_value, output, n_heads)
    }
}

impl<const N: usize> CrossAttention<N> {
    fn with(query: (Tensor, Tensor), key_value: [Linear; N], output: Linear, n_heads: usize) -> Result<Self> {
        let scale = 1.0 / ((query.0.dim(0)? / n_heads) as f64).sqrt();
        let shared = output.is_shared();
        Ok(CrossAttention {
            query: Linear::fused_scaling_first(&[query], scale)?.shared(shared),
            key_value: key_value.map(|map| map.shared(shared)),
            output,
            n_heads,
        })
    }

    /// The output of attention for each token over its source.
    pub fn forward(&self, tokens: &Tensor, sources: [&Tensor; N]) -> Result<Tensor> {
        self.output.forward(&self.attended(tokens, sources)?)
    }

    /// Like `forward`, plus the residual.
    pub fn forward_residual(&self, tokens: &Tensor, sources: [&Tensor; N], residual: &Tensor) -> Result<Tensor> {
        let attended = self.attended(tokens, sources)?;
        self.output.forward_residual(&attended, residual)
    }

    fn attended(&self, tokens: &Tensor, sources: [&Tensor; N]) -> Result<Tensor> {
        let queries = self.query.forward(tokens)?;
        let width = queries.dim(D::Minus1)?;
        let key_value = (self.key_value.iter().zip(sources))
            .map(|(map, source)| map.forward(source))
            .collect::<Result<Vec<Tensor>>>()?;
        let (keys, values) = (&key_value[0], &key_value[N - 1]);
        let columns = |tokens, first| TokenColumns { tokens, first };
        let columns = [columns(&queries, 0), columns(keys, 0), columns(values, values.dim(D::Minus1)? - width)];
        attend_across(columns, width, self.n_heads, self.output.is_shared())
    }
}
