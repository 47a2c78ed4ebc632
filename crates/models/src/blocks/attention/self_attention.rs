//! Tokens of a sequence look at each other.

use super::head::{Columns, Scratch};
use super::score_bias::{NoBias, ScoreBias};
use super::turned::turn_rows;
use crate::blocks::shared_rows::rows_per_part;
use crate::blocks::slices::{values, zeros};
use crate::blocks::tensors::{attend_sequences, is_packed};
use crate::blocks::{Arrangement, Linear, Sequences, Turns};
use candle_core::{CpuStorage, CustomOp1, Layout, Result, Shape, Tensor, bail};
use rayon::prelude::*;
use std::ops::Range;

/// Every token of a sequence looks at every token of the same sequence.
#[derive(Debug, Clone)]
pub(crate) struct SelfAttention {
    query_key_value: Linear,
    output: Linear,
    n_heads: usize,
}

impl SelfAttention {
    /// From the maps to queries, keys and values (weight and bias each) and the output map.
    pub(crate) fn new(
        [query, key, value]: [(Tensor, Tensor); 3],
        output: Linear,
        n_heads: usize,
    ) -> Result<Self> {
        let scale = 1.0 / ((query.0.dim(0)? / n_heads) as f64).sqrt();
        let query_key_value = Linear::fused_scaling_first(&[query, key, value], scale)?;
        Ok(Self::unscaled(query_key_value, output, n_heads))
    }

    /// With scores that are not divided by √head_width; the map to queries, keys and values side by side.
    /// All threads share the work if they do that of the output map.
    pub(crate) fn unscaled(query_key_value: Linear, output: Linear, n_heads: usize) -> Self {
        SelfAttention {
            query_key_value: query_key_value.shared(output.is_shared()),
            output,
            n_heads,
        }
    }

    /// Attends within each of the sequences that the rows of `x` (`n_tokens`, `n_features`) make up,
    /// and adds the residual.
    pub(crate) fn forward_residual(
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

    /// The same where queries and keys are turned by their places in a sequence before they meet. There are turns for
    /// all places.
    pub(crate) fn forward_turned_residual(
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

    /// The same within sequences that rows from anywhere make up. The result has the order and the shape of
    /// the residual, which is the matrix of all rows.
    pub(crate) fn forward_arranged_residual(
        &self,
        x: &Tensor,
        arrangement: &Arrangement,
        bias: &dyn ScoreBias,
        residual: &Tensor,
    ) -> Result<Tensor> {
        let projected = (self.query_key_value).forward_picked(x, arrangement.rows())?;
        let attended = self.attend(&projected, arrangement.sequences(), bias)?;
        self.output
            .forward_picked_residual(&attended, arrangement.places(), residual)
    }

    fn attend(
        &self,
        projected: &Tensor,
        sequences: &Sequences,
        bias: &dyn ScoreBias,
    ) -> Result<Tensor> {
        if !self.output.is_packed() {
            return attend_sequences(projected, sequences, self.n_heads, bias);
        }
        projected.apply_op1_no_bwd(&DotProductAttention {
            sequences,
            n_heads: self.n_heads,
            bias,
            shared: self.output.is_shared(),
        })
    }
}

/// The same for rows that are queries, keys and values already, side by side. The factor of the
/// scores is part of the queries.
pub(crate) fn attend_rows(
    projected: &Tensor,
    sequences: &Sequences,
    n_heads: usize,
    bias: &dyn ScoreBias,
) -> Result<Tensor> {
    if !is_packed(projected) {
        return attend_sequences(projected, sequences, n_heads, bias);
    }
    projected.apply_op1_no_bwd(&DotProductAttention {
        sequences,
        n_heads,
        bias,
        shared: false,
    })
}

/// `softmax(Q Kᵀ + bias) V` for each head and sequence.
pub(super) struct DotProductAttention<'a> {
    pub(super) sequences: &'a Sequences,
    pub(super) n_heads: usize,
    pub(super) bias: &'a dyn ScoreBias,
    /// Do all threads share the sequences?
    pub(super) shared: bool,
}

impl CustomOp1 for DotProductAttention<'_> {
    fn name(&self) -> &'static str {
        "dot-product-attention"
    }

    fn cpu_fwd(&self, storage: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let (n_rows, row_width) = layout.shape().dims2()?;
        let width = row_width / 3;
        if width * 3 != row_width || !width.is_multiple_of(self.n_heads) {
            bail!(
                "{row_width} columns are not queries, keys and values of {} heads",
                self.n_heads
            );
        }
        let projected = values(storage, layout)?;
        let mut output = zeros(n_rows * width);
        let head_width = width / self.n_heads;
        let ranges: Vec<_> = self.sequences.rows().collect();
        let attend = |(first, ranges, output): (usize, &[Range<usize>], &mut [f32])| {
            let mut scratch = Scratch::default();
            let begin = ranges.first().map_or(0, |rows| rows.start);
            for (index, rows) in ranges.iter().enumerate() {
                let projected = &projected[rows.start * row_width..rows.end * row_width];
                let output = &mut output[(rows.start - begin) * width..][..rows.len() * width];
                let kind = self.bias.kind(first + index);
                for head in 0..self.n_heads {
                    let part = |part: usize| Columns {
                        matrix: projected,
                        matrix_width: row_width,
                        first: part * width + head * head_width,
                        width: head_width,
                    };
                    scratch.attend(
                        [part(0), part(1), part(2)],
                        self.bias.of(kind, head),
                        &mut output[head * head_width..],
                        width,
                    );
                }
            }
        };
        if self.shared {
            parts(&ranges, rows_per_part(ranges.len(), 1), &mut output, width)
                .into_par_iter()
                .for_each(attend);
        } else {
            attend((0, &ranges, &mut output));
        }
        Ok((CpuStorage::F32(output), (n_rows, width).into()))
    }
}

/// Some sequences: the number of the first, the rows of each, and theirs of the output.
type Group<'a> = (usize, &'a [Range<usize>], &'a mut [f32]);

/// Sequences in groups of `n`.
fn parts<'a>(
    ranges: &'a [Range<usize>],
    n: usize,
    mut output: &'a mut [f32],
    width: usize,
) -> Vec<Group<'a>> {
    let mut parts = Vec::new();
    for (index, ranges) in ranges.chunks(n).enumerate() {
        let n_rows: usize = ranges.iter().map(|rows| rows.len()).sum();
        let (part, rest) = output.split_at_mut(n_rows * width);
        output = rest;
        parts.push((index * n, ranges, part));
    }
    parts
}
