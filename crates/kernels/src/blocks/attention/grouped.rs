//! Self-attention in which several heads share keys and values, and positions are rotations.

use super::head::{Columns, HeadScratch};
use super::turned::turn_rows;
use crate::blocks::slices::{Output, on_values, zeros};
use crate::blocks::tensors::{attend_sequences, is_packed};
use crate::blocks::{Linear, RmsNorm, ScoreBias, Sequences, Turns};
use candle_core::{Layout, Result, Tensor, bail};
use rayon::prelude::*;
use std::ops::Range;

/// Number and width of heads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GroupedHeads {
    pub n_heads: usize,
    /// Number of heads of keys and values. It divides the number of query heads; consecutive query heads share one.
    pub n_key_heads: usize,
    pub head_width: usize,
}

impl GroupedHeads {
    /// Every query head has its own keys and values; `width` is that of all heads together.
    pub fn each_own(n_heads: usize, width: usize) -> Self {
        GroupedHeads {
            n_heads,
            n_key_heads: n_heads,
            head_width: width / n_heads,
        }
    }

    /// Number of query heads that share a head of keys.
    pub fn n_sharing(&self) -> usize {
        self.n_heads / self.n_key_heads
    }

    /// Columns of a token's queries, all heads.
    pub fn query_columns(&self) -> usize {
        self.n_heads * self.head_width
    }

    /// Columns of a token's keys, or of its values, all heads.
    pub fn key_columns(&self) -> usize {
        self.n_key_heads * self.head_width
    }

    /// Columns of queries and keys, side by side.
    pub fn placed_columns(&self) -> usize {
        self.query_columns() + self.key_columns()
    }

    /// Columns of queries, keys and values, side by side.
    pub fn columns(&self) -> usize {
        self.query_columns() + 2 * self.key_columns()
    }
}

/// Attention in which every query and key is divided by its root mean square, head by head, and rotated by its position
/// before they are multiplied (Qwen3).
#[derive(Debug, Clone)]
pub struct GroupedAttention {
    query_key_value: Linear,
    query_norm: RmsNorm,
    key_norm: RmsNorm,
    output: Linear,
    heads: GroupedHeads,
}

impl GroupedAttention {
    /// Builds it from the maps to queries, keys and values, the scales of the norms of queries and keys (a value for
    /// each feature of a head), the norms' epsilon, and the output map.
    pub fn new(
        projections: &[Tensor; 3],
        [query_scale, key_scale]: [&Tensor; 2],
        epsilon: f64,
        output: Linear,
        heads: GroupedHeads,
    ) -> Result<Self> {
        // The scores' factor 1 / √head_width is applied to the weights once, so that no score needs it; rotations
        // preserve it.
        let scale = 1.0 / (heads.head_width as f64).sqrt();
        Ok(GroupedAttention {
            query_key_value: Linear::fused_without_bias(projections)?,
            query_norm: RmsNorm::new(&(query_scale * scale)?, epsilon)?,
            key_norm: RmsNorm::new(key_scale, epsilon)?,
            output,
            heads,
        })
    }

    /// Attention within each of the sequences in the rows of `x` (`n_tokens`, `n_features`), plus the residual. `turns`
    /// must cover all positions.
    pub fn forward_residual(
        &self,
        x: &Tensor,
        sequences: &Sequences,
        turns: &Turns,
        bias: &dyn ScoreBias,
        residual: &Tensor,
    ) -> Result<Tensor> {
        let normalised = self.normalised(&self.query_key_value.forward(x)?)?;
        let placed = turn_rows(&normalised, sequences, turns, self.heads.placed_columns())?;
        let attended = attend_grouped(&placed, sequences, self.heads, bias, false)?;
        self.output.forward_residual(&attended, residual)
    }

    /// Rows of queries, keys and values with normalised queries and keys.
    fn normalised(&self, projected: &Tensor) -> Result<Tensor> {
        if self.output.is_packed() {
            return on_values([projected], |[projected], [layout]| self.packed_normalised(projected, layout));
        }
        let heads = self.heads;
        let (n_queries, both) = (heads.query_columns(), heads.placed_columns());
        let normalised = |norm: &RmsNorm, columns: Range<usize>| {
            let own =
                projected.narrow(1, columns.start, columns.len())?.contiguous()?.reshape(((), heads.head_width))?;
            norm.forward(&own)?.reshape(((), columns.len()))
        };
        let queries = normalised(&self.query_norm, 0..n_queries)?;
        let keys = normalised(&self.key_norm, n_queries..both)?;
        let values = projected.narrow(1, both, heads.key_columns())?;
        Tensor::cat(&[queries, keys, values], 1)
    }

    fn packed_normalised(&self, projected: &[f32], layout: &Layout) -> Output {
        let heads = self.heads;
        let (n_queries, both) = (heads.query_columns(), heads.placed_columns());
        let mut normalised = projected.to_vec();
        let rows = projected.chunks_exact(heads.columns());
        for (raw, row) in rows.zip(normalised.chunks_exact_mut(heads.columns())) {
            self.query_norm.rows(&raw[..n_queries], &mut row[..n_queries]);
            let keys = n_queries..both;
            self.key_norm.rows(&raw[keys.clone()], &mut row[keys]);
        }
        Ok((normalised, layout.shape().clone()))
    }
}

/// Attention within each of the sequences in `projected`, whose rows are queries, keys and values side by side. The
/// queries and keys include the scores' factor. `shared` says whether all threads share the heads.
pub fn attend_grouped(
    projected: &Tensor,
    sequences: &Sequences,
    heads: GroupedHeads,
    bias: &dyn ScoreBias,
    shared: bool,
) -> Result<Tensor> {
    if !is_packed(projected) {
        let alike = ungrouped(projected, heads)?;
        return attend_sequences(&alike, sequences, heads.n_heads, bias);
    }
    let attend = Attend {
        sequences,
        heads,
        bias,
        shared,
    };
    on_values([projected], |[projected], [layout]| attend.computed(projected, layout))
}

/// Repeats keys and values for each query head, as attention without groups needs them.
fn ungrouped(projected: &Tensor, heads: GroupedHeads) -> Result<Tensor> {
    let n_rows = projected.dim(0)?;
    if heads.n_sharing() == 1 {
        return Ok(projected.clone());
    }
    let for_all = |first: usize| {
        let own = projected.narrow(1, first, heads.key_columns())?.contiguous()?;
        let shape = (n_rows, heads.n_key_heads, heads.n_sharing(), heads.head_width);
        own.reshape((n_rows, heads.n_key_heads, 1, heads.head_width))?
            .broadcast_as(shape)?
            .contiguous()?
            .reshape((n_rows, heads.query_columns()))
    };
    let queries = projected.narrow(1, 0, heads.query_columns())?;
    let (keys, values) = (for_all(heads.query_columns())?, for_all(heads.placed_columns())?);
    Tensor::cat(&[queries, keys, values], 1)
}

struct Attend<'a> {
    sequences: &'a Sequences,
    heads: GroupedHeads,
    bias: &'a dyn ScoreBias,
    shared: bool,
}

impl Attend<'_> {
    /// The output of one head for the tokens of one sequence.
    fn head(
        &self,
        scratch: &mut HeadScratch,
        (index, rows): (usize, Range<usize>),
        head: usize,
        projected: &[f32],
    ) -> Vec<f32> {
        let (heads, row_width) = (self.heads, self.heads.columns());
        // Columns of one head: first those of queries, then of keys, then of values.
        let columns = |index: usize| Columns {
            matrix: &projected[rows.start * row_width..rows.end * row_width],
            matrix_width: row_width,
            first: index * heads.head_width,
            width: heads.head_width,
        };
        let key = heads.n_heads + head / heads.n_sharing();
        let mut out = zeros(rows.len() * heads.head_width);
        scratch.attend(
            [columns(head), columns(key), columns(key + heads.n_key_heads)],
            self.bias.of(self.bias.kind(index), head),
            &mut out,
            heads.head_width,
        );
        out
    }

    fn computed(&self, projected: &[f32], layout: &Layout) -> Output {
        let (n_rows, row_width) = layout.shape().dims2()?;
        let (n_heads, width) = (self.heads.n_heads, self.heads.query_columns());
        if row_width != self.heads.columns() {
            bail!("{row_width} columns are not queries, keys and values of {:?}", self.heads);
        }
        let sequences: Vec<Range<usize>> = self.sequences.rows().collect();
        let of_task = |scratch: &mut HeadScratch, task: usize| {
            let index = task / n_heads;
            let sequence = (index, sequences[index].clone());
            self.head(scratch, sequence, task % n_heads, projected)
        };
        let tasks = 0..sequences.len() * n_heads;
        let parts: Vec<Vec<f32>> = if self.shared {
            tasks.into_par_iter().map_init(HeadScratch::default, of_task).collect()
        } else {
            let mut scratch = HeadScratch::default();
            tasks.map(|task| of_task(&mut scratch, task)).collect()
        };
        let mut output = zeros(n_rows * width);
        for (task, part) in parts.iter().enumerate() {
            let (first, head) = (sequences[task / n_heads].start, task % n_heads);
            let rows = output[first * width..].chunks_exact_mut(width);
            for (row, own) in rows.zip(part.chunks_exact(self.heads.head_width)) {
                row[head * own.len()..][..own.len()].copy_from_slice(own);
            }
        }
        Ok((output, (n_rows, width).into()))
    }
}
