//! Self-attention in which several heads share keys and values, and positions are rotations.

use super::head::{Columns, Scratch};
use crate::blocks::slices::{values, zeros};
use crate::blocks::tensors::is_packed;
use crate::blocks::{Linear, RmsNorm, ScoreBias, Sequences, Turns};
use candle_core::{CpuStorage, CustomOp1, Layout, Result, Shape, Tensor, bail};

/// How many heads there are, and how wide they are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GroupedHeads {
    /// Of queries.
    pub(crate) n_heads: usize,
    /// Of keys, and of values. It divides the number of queries' heads: so many of these in a row share one.
    pub(crate) n_key_heads: usize,
    pub(crate) head_width: usize,
}

/// Every query and every key is divided by its root mean square, head by head, and turned by its position before
/// the two meet (Qwen3). In main memory, in f32.
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
        if !is_packed(query_scale) {
            bail!("grouped attention runs in main memory, in f32");
        }
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
        let projected = self.query_key_value.forward(x)?;
        let attended = projected.apply_op1_no_bwd(&Attend {
            attention: self,
            sequences,
            turns,
            bias,
        })?;
        self.output.forward_residual(&attended, residual)
    }

    /// Columns of queries, and of queries and keys.
    fn widths(&self) -> (usize, usize) {
        let heads = &self.heads;
        let n_queries = heads.n_heads * heads.head_width;
        (n_queries, n_queries + heads.n_key_heads * heads.head_width)
    }

    /// Normalises and turns the queries and keys of a token, which stand side by side.
    fn place(&self, raw: &[f32], turns: &Turns, position: usize, placed: &mut [f32]) {
        let (n_queries, both) = self.widths();
        let (raw_queries, raw_keys) = raw[..both].split_at(n_queries);
        let (queries, keys) = placed[..both].split_at_mut(n_queries);
        self.query_norm.rows(raw_queries, queries);
        self.key_norm.rows(raw_keys, keys);
        turns.turn(position, queries);
        turns.turn(position, keys);
    }
}

/// What attention makes of queries, keys and values.
struct Attend<'a> {
    attention: &'a GroupedAttention,
    sequences: &'a Sequences,
    turns: &'a Turns,
    bias: &'a dyn ScoreBias,
}

impl CustomOp1 for Attend<'_> {
    fn name(&self) -> &'static str {
        "grouped-attention"
    }

    fn cpu_fwd(&self, storage: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let (n_rows, row_width) = layout.shape().dims2()?;
        let heads = self.attention.heads;
        let (width, both) = self.attention.widths();
        if row_width != 2 * both - width {
            bail!("{row_width} columns are not queries, keys and values of {heads:?}");
        }
        let longest = self.sequences.rows().map(|rows| rows.len()).max();
        if longest.unwrap_or(0) > self.turns.n_positions() {
            bail!("{longest:?} positions, and turns for fewer");
        }
        let projected = values(storage, layout)?;
        let mut placed = projected.to_vec();
        let mut output = zeros(n_rows * width);
        let mut scratch = Scratch::default();
        for (index, rows) in self.sequences.rows().enumerate() {
            let range = rows.start * row_width..rows.end * row_width;
            let (raw, placed) = (&projected[range.clone()], &mut placed[range]);
            let tokens = raw
                .chunks_exact(row_width)
                .zip(placed.chunks_exact_mut(row_width));
            for (position, (raw, placed)) in tokens.enumerate() {
                self.attention.place(raw, self.turns, position, placed);
            }
            let output = &mut output[rows.start * width..rows.end * width];
            let kind = self.bias.kind(index);
            for head in 0..heads.n_heads {
                // Of all that stand side by side: heads of queries, then of keys, then of values.
                let columns = |index: usize| Columns {
                    matrix: placed,
                    matrix_width: row_width,
                    first: index * heads.head_width,
                    width: heads.head_width,
                };
                let key = heads.n_heads + head * heads.n_key_heads / heads.n_heads;
                scratch.attend(
                    [
                        columns(head),
                        columns(key),
                        columns(key + heads.n_key_heads),
                    ],
                    self.bias.of(kind, head),
                    &mut output[head * heads.head_width..],
                    width,
                );
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

        // Behind another sequence: positions begin anew.
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
