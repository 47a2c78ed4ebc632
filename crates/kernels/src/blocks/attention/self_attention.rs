//! Attention among the tokens of a sequence.

use super::head::{Columns, HeadScratch, score_stride};
use super::score_bias::{NoBias, ScoreBias};
use super::turned::turn_rows;
use crate::blocks::shared_rows::{n_threads_for, on_this_thread, rows_per_part};
use crate::blocks::slices::{on_values, zeros};
use crate::blocks::tensors::{attend_sequences, is_packed};
use crate::blocks::{Arrangement, Linear, Sequences, Turns};
use candle_core::{Result, Tensor, bail};
use rayon::prelude::*;
use std::ops::Range;

/// Every token of a sequence attends to every token of the same sequence.
#[derive(Debug, Clone)]
pub struct SelfAttention {
    query_key_value: Linear,
    output: Linear,
    n_heads: usize,
}

impl SelfAttention {
    /// Builds it from the maps to queries, keys and values (weight and bias each) and the output map.
    pub fn new([query, key, value]: [(Tensor, Tensor); 3], output: Linear, n_heads: usize) -> Result<Self> {
        let scale = 1.0 / ((query.0.dim(0)? / n_heads) as f64).sqrt();
        let query_key_value = Linear::fused_scaling_first(&[query, key, value], scale)?;
        Ok(Self::unscaled(query_key_value, output, n_heads))
    }

    /// Attention whose scores are not divided by √head_width, from one map to queries, keys and values side by side.
    /// All threads share the work if they share the output map's.
    pub fn unscaled(query_key_value: Linear, output: Linear, n_heads: usize) -> Self {
        SelfAttention {
            query_key_value: query_key_value.shared(output.is_shared()),
            output,
            n_heads,
        }
    }

    /// Attention within each of the sequences in the rows of `x` (`n_tokens`, `n_features`), plus the residual.
    pub fn forward_residual(
        &self,
        x: &Tensor,
        sequences: &Sequences,
        bias: &dyn ScoreBias,
        residual: &Tensor,
    ) -> Result<Tensor> {
        let projected = self.query_key_value.forward(x)?;
        let attended = self.attend(&projected, sequences, bias)?;
        self.output.forward_residual(&attended, residual)
    }

    /// Like `forward_residual`, with queries and keys rotated by their positions. `turns` must cover all positions.
    pub fn forward_turned_residual(
        &self,
        x: &Tensor,
        sequences: &Sequences,
        turns: &Turns,
        residual: &Tensor,
    ) -> Result<Tensor> {
        let projected = self.query_key_value.forward(x)?;
        let turned = turn_rows(&projected, sequences, turns, projected.dim(1)? / 3 * 2)?;
        let attended = self.attend(&turned, sequences, &NoBias)?;
        self.output.forward_residual(&attended, residual)
    }

    /// Like `forward_residual`, for sequences of rows in any order. The result has the order and shape of the residual,
    /// which is the matrix of all rows.
    pub fn forward_arranged_residual(
        &self,
        x: &Tensor,
        arrangement: &Arrangement,
        bias: &dyn ScoreBias,
        residual: &Tensor,
    ) -> Result<Tensor> {
        let projected = (self.query_key_value).forward_picked(x, arrangement.rows())?;
        let attended = self.attend(&projected, arrangement.sequences(), bias)?;
        self.output.forward_picked_residual(&attended, arrangement.places(), residual)
    }

    fn attend(&self, projected: &Tensor, sequences: &Sequences, bias: &dyn ScoreBias) -> Result<Tensor> {
        if !self.output.is_packed() {
            return attend_sequences(projected, sequences, self.n_heads, bias);
        }
        let (n_heads, shared) = (self.n_heads, self.output.is_shared());
        attend_packed(projected, sequences, n_heads, bias, shared)
    }
}

/// Attention over rows of queries, keys and values side by side. The queries include the scores' factor.
pub fn attend_rows(projected: &Tensor, sequences: &Sequences, n_heads: usize, bias: &dyn ScoreBias) -> Result<Tensor> {
    if !is_packed(projected) {
        return attend_sequences(projected, sequences, n_heads, bias);
    }
    attend_packed(projected, sequences, n_heads, bias, false)
}

/// `softmax(Q Kᵀ + bias) V` for each head and sequence. `shared` says whether all threads share the sequences.
pub(super) fn attend_packed(
    projected: &Tensor,
    sequences: &Sequences,
    n_heads: usize,
    bias: &dyn ScoreBias,
    shared: bool,
) -> Result<Tensor> {
    on_values([projected], |[projected], [layout]| {
        let (n_rows, row_width) = layout.shape().dims2()?;
        let width = row_width / 3;
        if width * 3 != row_width || !width.is_multiple_of(n_heads) {
            bail!("{row_width} columns are not queries, keys and values of {} heads", n_heads);
        }
        let mut output = zeros(n_rows * width);
        let head_width = width / n_heads;
        let ranges: Vec<_> = sequences.rows().collect();
        let longest = ranges.iter().map(ExactSizeIterator::len).max().unwrap_or(0);
        let n_threads = n_threads_for(2 * n_rows * longest * width);
        // A task has whole sequences, or some queries of one sequence if threads would otherwise be idle.
        let n_queries = match n_threads {
            1 => longest,
            _ => longest.div_ceil(n_threads.div_ceil(ranges.len().max(1))),
        };
        let attend = |scratch: &mut HeadScratch, task: Task<'_>| {
            let rows = &ranges[task.sequence];
            let projected = &projected[rows.start * row_width..rows.end * row_width];
            let kind = bias.kind(task.sequence);
            let bias_start = task.first_query * score_stride(rows.len());
            let queries = &projected[task.first_query * row_width..];
            let queries = &queries[..task.output.len() / width * row_width];
            for head in 0..n_heads {
                let part = |matrix, part: usize| Columns {
                    matrix,
                    matrix_width: row_width,
                    first: part * width + head * head_width,
                    width: head_width,
                };
                scratch.attend(
                    [part(queries, 0), part(projected, 1), part(projected, 2)],
                    bias.of(kind, head).map(|bias| &bias[bias_start..]),
                    &mut task.output[head * head_width..],
                    width,
                );
            }
        };
        let tasks = tasks(&ranges, n_queries.max(1), &mut output, width);
        if shared || n_threads > 1 {
            let at_least = rows_per_part(tasks.len(), 1);
            let tasks = tasks.into_par_iter().with_min_len(at_least);
            tasks.for_each_init(HeadScratch::default, |scratch, task| {
                on_this_thread(|| attend(scratch, task));
            });
        } else {
            let mut scratch = HeadScratch::default();
            for task in tasks {
                attend(&mut scratch, task);
            }
        }
        Ok((output, (n_rows, width).into()))
    })
}

/// Some queries of a sequence.
struct Task<'a> {
    sequence: usize,
    first_query: usize,
    output: &'a mut [f32],
}

/// Splits all sequences into tasks of at most `n_queries` queries.
fn tasks<'a>(ranges: &[Range<usize>], n_queries: usize, mut output: &'a mut [f32], width: usize) -> Vec<Task<'a>> {
    let mut tasks = Vec::new();
    for (sequence, rows) in ranges.iter().enumerate() {
        for first_query in (0..rows.len()).step_by(n_queries) {
            let n = n_queries.min(rows.len() - first_query);
            let (of_task, rest) = output.split_at_mut(n * width);
            output = rest;
            tasks.push(Task {
                sequence,
                first_query,
                output: of_task,
            });
        }
    }
    tasks
}
