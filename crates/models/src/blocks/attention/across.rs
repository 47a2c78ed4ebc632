//! Attention of some tokens to others.

use super::{Columns, Scratch};
use crate::blocks::shared_rows::fill_rows;
use crate::blocks::slices::{values, zeros};
use crate::blocks::{Linear, score_stride};
use candle_core::{CpuStorage, CustomOp3, Layout, Result, Shape, Tensor, bail};
use rayon::prelude::*;

/// Queries, keys and values that come from different rows.
#[derive(Debug, Clone)]
pub(crate) struct AcrossAttention {
    query: Linear,
    key: Linear,
    value: Linear,
    output: Linear,
    n_heads: usize,
}

impl AcrossAttention {
    /// From the maps to queries, keys and values (weight and bias each) and the output map, which says whether
    /// all threads share the work of the others.
    pub(crate) fn new(
        [query, key, value]: [(Tensor, Tensor); 3],
        output: Linear,
        n_heads: usize,
    ) -> Result<Self> {
        let scale = 1.0 / ((query.0.dim(0)? / n_heads) as f64).sqrt();
        let shared = output.is_shared();
        let map = |weight: &Tensor, bias: &Tensor| -> Result<Linear> {
            Ok(Linear::new(weight, bias)?.shared(shared))
        };
        Ok(AcrossAttention {
            // The scores' factor 1 / √head_width, once here instead of for every score.
            query: map(&(query.0 * scale)?, &(query.1 * scale)?)?,
            key: map(&key.0, &key.1)?,
            value: map(&value.0, &value.1)?,
            output,
            n_heads,
        })
    }

    /// What each row of `queries` gets from the tokens whose keys and values are made of these rows, and the
    /// residual.
    pub(crate) fn forward_residual(
        &self,
        [queries, keys, values]: [&Tensor; 3],
        residual: &Tensor,
    ) -> Result<Tensor> {
        let (queries, keys, values) = (
            self.query.forward(queries)?,
            self.key.forward(keys)?,
            self.value.forward(values)?,
        );
        let columns = [&queries, &keys, &values].map(|tokens| TokenColumns { tokens, first: 0 });
        let attended = attend_across(columns, queries.dim(1)?, self.n_heads)?;
        self.output.forward_residual(&attended, residual)
    }
}

/// Columns of a matrix of tokens, from `first` on.
#[derive(Clone, Copy)]
pub(crate) struct TokenColumns<'a> {
    pub(crate) tokens: &'a Tensor,
    pub(crate) first: usize,
}

/// `softmax(Q Kᵀ) V` for each head, of `width` columns each of queries, keys and values, which lie in main memory.
/// The factor of the scores is part of the queries. All threads share the work.
pub(crate) fn attend_across(
    [queries, keys, values]: [TokenColumns<'_>; 3],
    width: usize,
    n_heads: usize,
) -> Result<Tensor> {
    let op = Across {
        firsts: [queries.first, keys.first, values.first],
        width,
        n_heads,
    };
    (queries.tokens).apply_op3_no_bwd(keys.tokens, values.tokens, &op)
}

struct Across {
    firsts: [usize; 3],
    width: usize,
    n_heads: usize,
}

/// Scores that are computed at once: they stay in a second-level cache.
const SCORES: usize = 1 << 17;
/// Fewer queries than this would read the keys too often.
const MIN_QUERIES: usize = 256;

impl CustomOp3 for Across {
    fn name(&self) -> &'static str {
        "attention-across"
    }

    fn cpu_fwd(
        &self,
        queries: &CpuStorage,
        query_layout: &Layout,
        keys: &CpuStorage,
        key_layout: &Layout,
        token_values: &CpuStorage,
        value_layout: &Layout,
    ) -> Result<(CpuStorage, Shape)> {
        let columns = |storage, layout: &Layout, first: usize| -> Result<_> {
            let (_, matrix_width) = layout.shape().dims2()?;
            if first + self.width > matrix_width || !self.width.is_multiple_of(self.n_heads) {
                bail!(
                    "{} heads of {} of {matrix_width} columns",
                    self.n_heads,
                    self.width
                );
            }
            Ok((values(storage, layout)?, matrix_width, first))
        };
        let queries = columns(queries, query_layout, self.firsts[0])?;
        let keys = columns(keys, key_layout, self.firsts[1])?;
        let token_values = columns(token_values, value_layout, self.firsts[2])?;
        if keys.0.len() / keys.1 != token_values.0.len() / token_values.1 {
            bail!("as many keys as values are needed");
        }
        let head_width = self.width / self.n_heads;
        let head = |(matrix, matrix_width, first): (_, usize, usize), head: usize| Columns {
            matrix,
            matrix_width,
            first: first + head * head_width,
            width: head_width,
        };
        let n_queries = queries.0.len() / queries.1;
        let stride = score_stride(keys.0.len() / keys.1);
        // Every head once, or in as many parts as it takes to keep all threads busy.
        let n_parts = rayon::current_num_threads().div_ceil(self.n_heads);
        let part_rows = n_queries.div_ceil(n_parts).max(1);
        let block_rows = (SCORES / stride.max(1)).max(MIN_QUERIES);
        let parts: Vec<Vec<f32>> = (0..self.n_heads * n_parts)
            .into_par_iter()
            .map(|task| {
                let (index, part) = (task / n_parts, task % n_parts);
                let rows =
                    (part * part_rows).min(n_queries)..((part + 1) * part_rows).min(n_queries);
                let mut out = zeros(rows.len() * head_width);
                let mut scratch = Scratch::default();
                scratch.hold(head(keys, index), head(token_values, index));
                for (block, out) in out.chunks_mut((block_rows * head_width).max(1)).enumerate() {
                    let first = rows.start + block * block_rows;
                    let n = out.len() / head_width;
                    let (matrix, width, column) = queries;
                    let block = (&matrix[first * width..(first + n) * width], width, column);
                    scratch.attend_held(head(block, index), None, out, head_width);
                }
                out
            })
            .collect();
        let mut output = zeros(n_queries * self.width);
        fill_rows(true, self.width, &mut output, |first, output| {
            for (row, output) in output.chunks_exact_mut(self.width).enumerate() {
                let (part, row) = ((first + row) / part_rows, (first + row) % part_rows);
                for (index, output) in output.chunks_exact_mut(head_width).enumerate() {
                    let values = &parts[index * n_parts + part];
                    output.copy_from_slice(&values[row * head_width..][..head_width]);
                }
            }
        });
        Ok((CpuStorage::F32(output), (n_queries, self.width).into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::{NoBias, Sequences, attend_rows};
    use candle_core::Device;
    use neurogauge_core::synthetic::Synthetic;

    fn matrix(name: &str, n_rows: usize, n_columns: usize) -> Tensor {
        let source = Synthetic::new(name, 0);
        let values: Vec<f32> = (0..(n_rows * n_columns) as u64)
            .map(|i| source.uniform(i) * 4.0 - 2.0)
            .collect();
        Tensor::from_vec(values, (n_rows, n_columns), &Device::Cpu).unwrap()
    }

    /// One sequence that looks at itself, the queries, keys and values of which are columns of one matrix.
    #[test]
    fn tokens_that_look_at_themselves_are_a_sequence() {
        let projected = matrix("projected", 601, 36);
        let columns = [0, 12, 24].map(|first| TokenColumns {
            tokens: &projected,
            first,
        });
        let expected = attend_rows(&projected, &Sequences::new([601]), 3, &NoBias).unwrap();
        for n_threads in [1, 2, 7] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads);
            let found = pool
                .build()
                .unwrap()
                .install(|| attend_across(columns, 12, 3));
            assert_eq!(
                found.unwrap().to_vec2::<f32>().unwrap(),
                expected.to_vec2::<f32>().unwrap()
            );
        }
    }

    #[test]
    fn one_key_gives_its_value_to_every_query() {
        let (queries, keys, values) = (matrix("q", 5, 4), matrix("k", 1, 4), matrix("v", 1, 4));
        let columns = [&queries, &keys, &values].map(|tokens| TokenColumns { tokens, first: 0 });
        let found = attend_across(columns, 4, 2).unwrap();
        for row in found.to_vec2::<f32>().unwrap() {
            assert_eq!(row, values.to_vec2::<f32>().unwrap()[0]);
        }
    }
}
