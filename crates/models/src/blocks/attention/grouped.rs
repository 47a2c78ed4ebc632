//! Self-attention in which several heads share keys and values, and positions are rotations.

use super::head::{Columns, Scratch};
use super::turned::turn_rows;
use crate::blocks::slices::{values, zeros};
use crate::blocks::tensors::{attend_sequences, is_packed};
use crate::blocks::{Linear, RmsNorm, ScoreBias, Sequences, Turns};
use candle_core::{CpuStorage, CustomOp1, Layout, Result, Shape, Tensor, bail};
use rayon::prelude::*;
use std::ops::Range;

/// How many heads there are, and how wide they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct GroupedHeads {
    /// Of queries.
    pub(crate) n_heads: usize,
    /// Of keys, and of values. It divides the number of queries' heads: so many of these in a row share one.
    pub(crate) n_key_heads: usize,
    pub(crate) head_width: usize,
}

impl GroupedHeads {
    /// Every head of queries has keys and values of its own; `width` of all heads together.
    pub(crate) fn each_own(n_heads: usize, width: usize) -> Self {
        GroupedHeads {
            n_heads,
            n_key_heads: n_heads,
            head_width: width / n_heads,
        }
    }

    /// Heads of queries that share one of keys.
    pub(crate) fn n_sharing(&self) -> usize {
        self.n_heads / self.n_key_heads
    }

    /// Columns of all queries of a token.
    pub(crate) fn query_columns(&self) -> usize {
        self.n_heads * self.head_width
    }

    /// Columns of all its keys, or of all its values.
    pub(crate) fn key_columns(&self) -> usize {
        self.n_key_heads * self.head_width
    }

    /// Columns of queries and keys, side by side.
    pub(crate) fn placed_columns(&self) -> usize {
        self.query_columns() + self.key_columns()
    }

    /// Columns of queries, keys and values, side by side.
    pub(crate) fn columns(&self) -> usize {
        self.query_columns() + 2 * self.key_columns()
    }
}

/// Every query and every key is divided by its root mean square, head by head, and turned by its position before
/// the two meet (Qwen3).
#[derive(Debug, Clone)]
pub(crate) struct GroupedAttention {
    query_key_value: Linear,
    query_norm: RmsNorm,
    key_norm: RmsNorm,
    output: Linear,
    heads: GroupedHeads,
}

impl GroupedAttention {
    /// From the maps to queries, keys and values, the scales of the norms of queries and of keys (a value for each
    /// feature of a head), what these add to mean squares, and the output map.
    pub(crate) fn new(
        projections: &[Tensor; 3],
        [query_scale, key_scale]: [&Tensor; 2],
        epsilon: f64,
        output: Linear,
        heads: GroupedHeads,
    ) -> Result<Self> {
        // The scores' factor 1 / √head_width, once here instead of for every score: turning keeps it.
        let scale = 1.0 / (heads.head_width as f64).sqrt();
        Ok(GroupedAttention {
            query_key_value: Linear::fused_without_bias(projections)?,
            query_norm: RmsNorm::new(&(query_scale * scale)?, epsilon)?,
            key_norm: RmsNorm::new(key_scale, epsilon)?,
            output,
            heads,
        })
    }

    /// Attends within each of the sequences that the rows of `x` (`n_tokens`, `n_features`) make up, and adds the
    /// residual. There are turns for all positions.
    pub(crate) fn forward_residual(
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

    /// Rows of queries, keys and values whose queries and keys have been normalised.
    fn normalised(&self, projected: &Tensor) -> Result<Tensor> {
        if self.output.is_packed() {
            return projected.apply_op1_no_bwd(&Normalised(self));
        }
        let heads = self.heads;
        let (n_queries, both) = (heads.query_columns(), heads.placed_columns());
        let normalised = |norm: &RmsNorm, columns: Range<usize>| {
            let own = projected.narrow(1, columns.start, columns.len())?;
            let own = own.contiguous()?.reshape(((), heads.head_width))?;
            norm.forward(&own)?.reshape(((), columns.len()))
        };
        let queries = normalised(&self.query_norm, 0..n_queries)?;
        let keys = normalised(&self.key_norm, n_queries..both)?;
        let values = projected.narrow(1, both, heads.key_columns())?;
        Tensor::cat(&[queries, keys, values], 1)
    }
}

/// Rows of queries, keys and values whose queries and keys have been normalised.
struct Normalised<'a>(&'a GroupedAttention);

impl CustomOp1 for Normalised<'_> {
    fn name(&self) -> &'static str {
        "normalised-queries-and-keys"
    }

    fn cpu_fwd(&self, storage: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let heads = self.0.heads;
        let (n_queries, both) = (heads.query_columns(), heads.placed_columns());
        let projected = values(storage, layout)?;
        let mut normalised = projected.to_vec();
        let rows = projected.chunks_exact(heads.columns());
        for (raw, row) in rows.zip(normalised.chunks_exact_mut(heads.columns())) {
            self.0
                .query_norm
                .rows(&raw[..n_queries], &mut row[..n_queries]);
            let keys = n_queries..both;
            self.0.key_norm.rows(&raw[keys.clone()], &mut row[keys]);
        }
        Ok((CpuStorage::F32(normalised), layout.shape().clone()))
    }
}

/// Attention over rows that are queries, keys and values already, side by side, within each of
/// the sequences that they make up. The factor of the scores is part of queries and keys. Do all threads share the heads?
pub(crate) fn attend_grouped(
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
    projected.apply_op1_no_bwd(&Attend {
        sequences,
        heads,
        bias,
        shared,
    })
}

/// Rows of queries, keys and values with keys and values once for each head of queries, as of attention without groups.
fn ungrouped(projected: &Tensor, heads: GroupedHeads) -> Result<Tensor> {
    let n_rows = projected.dim(0)?;
    if heads.n_sharing() == 1 {
        return Ok(projected.clone());
    }
    let for_all = |first: usize| {
        let own = projected
            .narrow(1, first, heads.key_columns())?
            .contiguous()?;
        let shape = (
            n_rows,
            heads.n_key_heads,
            heads.n_sharing(),
            heads.head_width,
        );
        own.reshape((n_rows, heads.n_key_heads, 1, heads.head_width))?
            .broadcast_as(shape)?
            .contiguous()?
            .reshape((n_rows, heads.query_columns()))
    };
    let queries = projected.narrow(1, 0, heads.query_columns())?;
    let (keys, values) = (
        for_all(heads.query_columns())?,
        for_all(heads.placed_columns())?,
    );
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
        scratch: &mut Scratch,
        (index, rows): (usize, Range<usize>),
        head: usize,
        projected: &[f32],
    ) -> Vec<f32> {
        let (heads, row_width) = (self.heads, self.heads.columns());
        // All heads side by side: heads of queries, then of keys, then of values.
        let columns = |index: usize| Columns {
            matrix: &projected[rows.start * row_width..rows.end * row_width],
            matrix_width: row_width,
            first: index * heads.head_width,
            width: heads.head_width,
        };
        let key = heads.n_heads + head / heads.n_sharing();
        let mut out = zeros(rows.len() * heads.head_width);
        scratch.attend(
            [
                columns(head),
                columns(key),
                columns(key + heads.n_key_heads),
            ],
            self.bias.of(self.bias.kind(index), head),
            &mut out,
            heads.head_width,
        );
        out
    }
}

impl CustomOp1 for Attend<'_> {
    fn name(&self) -> &'static str {
        "grouped-attention"
    }

    fn cpu_fwd(&self, storage: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let (n_rows, row_width) = layout.shape().dims2()?;
        let (n_heads, width) = (self.heads.n_heads, self.heads.query_columns());
        if row_width != self.heads.columns() {
            bail!(
                "{row_width} columns are not queries, keys and values of {:?}",
                self.heads
            );
        }
        let projected = values(storage, layout)?;
        let sequences: Vec<Range<usize>> = self.sequences.rows().collect();
        let of_task = |scratch: &mut Scratch, task: usize| {
            let index = task / n_heads;
            let sequence = (index, sequences[index].clone());
            self.head(scratch, sequence, task % n_heads, projected)
        };
        let tasks = 0..sequences.len() * n_heads;
        let parts: Vec<Vec<f32>> = if self.shared {
            let tasks = tasks.into_par_iter();
            tasks.map_init(Scratch::default, of_task).collect()
        } else {
            let mut scratch = Scratch::default();
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
        Ok((CpuStorage::F32(output), (n_rows, width).into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::{CausalMask, Rotary, host_values};
    use candle_core::Device;
    use neurogauge_core::synthetic::Synthetic;

    const HEADS: GroupedHeads = GroupedHeads {
        n_heads: 4,
        n_key_heads: 2,
        head_width: 6,
    };
    const WIDTH: usize = 10;

    fn noise(name: &str, shape: (usize, usize)) -> Vec<f64> {
        let source = Synthetic::new(name, 3);
        let n = (shape.0 * shape.1) as u64;
        (0..n).map(|i| f64::from(source.uniform(i)) - 0.5).collect()
    }

    fn tensor(name: &str, shape: (usize, usize)) -> Tensor {
        let values = noise(name, shape).into_iter().map(|v| v as f32);
        let values: Vec<f32> = values.collect();
        Tensor::from_vec(values, shape, &Device::Cpu).unwrap()
    }

    /// Head `head` of token `token` by a map from `WIDTH` features, normalised, scaled and turned, in f64.
    fn placed(map: &str, scale: Option<&str>, head: usize, token: usize, x: &[f64]) -> Vec<f64> {
        let width = HEADS.head_width;
        let n_heads = if map == "q" { 4 } else { 2 };
        let weight = noise(map, (n_heads * width, WIDTH));
        let x = &x[token * WIDTH..][..WIDTH];
        let rows = weight.chunks(WIDTH).skip(head * width).take(width);
        let raw: Vec<f64> = rows
            .map(|row| row.iter().zip(x).map(|(w, x)| w * x).sum())
            .collect();
        let Some(scale) = scale else { return raw };
        let square = raw.iter().map(|v| v * v).sum::<f64>() / width as f64;
        let scales = noise(scale, (1, width));
        let normal: Vec<f64> = raw
            .iter()
            .zip(scales)
            .map(|(v, s)| v / (square + 1e-6).sqrt() * s)
            .collect();
        let half = width / 2;
        let turned = |i: usize| {
            let angle = token as f64 / 50_f64.powf(2.0 * (i % half) as f64 / width as f64);
            let (sin, cos) = angle.sin_cos();
            if i < half {
                normal[i] * cos - normal[i + half] * sin
            } else {
                normal[i] * cos + normal[i - half] * sin
            }
        };
        (0..width).map(turned).collect()
    }

    /// Written out in f64: every query looks back only, and two heads in a row share keys and values.
    #[test]
    fn heads_in_a_row_share_keys_and_values() {
        let width = HEADS.head_width;
        let n_tokens = 5;
        let projections = [
            tensor("q", (24, WIDTH)),
            tensor("k", (12, WIDTH)),
            tensor("v", (12, WIDTH)),
        ];
        let scales = [tensor("qs", (1, width)), tensor("ks", (1, width))];
        let scales = scales.map(|scale| scale.flatten_all().unwrap());
        let eye = Tensor::eye(24, candle_core::DType::F32, &Device::Cpu).unwrap();
        let output = Linear::without_bias(&eye).unwrap();
        let scales = [&scales[0], &scales[1]];
        let attention = GroupedAttention::new(&projections, scales, 1e-6, output, HEADS).unwrap();

        // Behind another sequence: positions begin again.
        let sequences = Sequences::new([3, n_tokens]);
        let x = tensor("x", (3 + n_tokens, WIDTH));
        let residual = Tensor::zeros((8, 24), candle_core::DType::F32, &Device::Cpu).unwrap();
        let turns = Rotary::new(width, 50.0).turns(n_tokens);
        let mask = CausalMask::new(&sequences);
        let found = attention.forward_residual(&x, &sequences, &turns, &mask, &residual);
        let found = host_values(&found.unwrap()).unwrap();

        let x = noise("x", (3 + n_tokens, WIDTH));
        let x = &x[3 * WIDTH..];
        for token in 0..n_tokens {
            for head in 0..4 {
                let query = placed("q", Some("qs"), head, token, x);
                let weights: Vec<f64> = (0..=token)
                    .map(|other| {
                        let key = placed("k", Some("ks"), head / 2, other, x);
                        let score: f64 = query.iter().zip(key).map(|(a, b)| a * b).sum();
                        (score / (width as f64).sqrt()).exp()
                    })
                    .collect();
                let total: f64 = weights.iter().sum();
                for feature in 0..width {
                    let value = |other: usize| placed("v", None, head / 2, other, x)[feature];
                    let sum: f64 = (0..=token).map(|other| weights[other] * value(other)).sum();
                    let value = found[(3 + token) * 24 + head * width + feature];
                    assert!(
                        (f64::from(value) - sum / total).abs() < 1e-6,
                        "{token} {head}"
                    );
                }
            }
        }
    }
}
