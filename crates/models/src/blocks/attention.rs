//! Multi-head self-attention.

use crate::blocks::slices::{LANES, values};
use crate::blocks::softmax::exponentiate;
use crate::blocks::{Linear, Sequences};
use candle_core::{CpuStorage, CustomOp1, Layout, Result, Shape, Tensor, bail};

/// Every token of a sequence looks at every token of the same sequence.
#[derive(Debug, Clone)]
pub(crate) struct SelfAttention {
    query_key_value: Linear,
    output: Linear,
    n_heads: usize,
}

impl SelfAttention {
    /// From the maps to queries, keys and values (fused, in this order) and the output map.
    pub(crate) fn new(query_key_value: Linear, output: Linear, n_heads: usize) -> Self {
        SelfAttention {
            query_key_value,
            output,
            n_heads,
        }
    }

    /// Attends within each of the sequences that the rows of `x` make up.
    pub(crate) fn forward(&self, x: &Tensor, sequences: &Sequences) -> Result<Tensor> {
        let attended = self
            .query_key_value
            .forward(x)?
            .apply_op1_no_bwd(&ScaledDotProduct {
                sequences,
                n_heads: self.n_heads,
            })?;
        self.output.forward(&attended)
    }
}

/// `softmax(Q Kᵀ / √head_width) V` for each head and sequence.
///
/// Sequences of captions are so short that a matrix product for each head costs more in calls than in
/// arithmetic; here a head of a sequence is one pass over a few kilobytes.
struct ScaledDotProduct<'a> {
    sequences: &'a Sequences,
    n_heads: usize,
}

impl CustomOp1 for ScaledDotProduct<'_> {
    fn name(&self) -> &'static str {
        "scaled-dot-product-attention"
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
        let mut output = vec![0.0_f32; n_rows * width];
        let mut scratch = Scratch::default();
        for rows in self.sequences.rows() {
            attend(
                &projected[rows.start * row_width..rows.end * row_width],
                &mut output[rows.start * width..rows.end * width],
                self.n_heads,
                width,
                &mut scratch,
            );
        }
        Ok((CpuStorage::F32(output), (n_rows, width).into()))
    }
}

/// Memory that is reused from sequence to sequence.
#[derive(Default)]
struct Scratch {
    /// The keys of one head, transposed: for each of its features the values of all tokens, in whole
    /// lanes, zeros after the last token.
    keys: Vec<[f32; LANES]>,
    /// The scores of one query.
    scores: Vec<[f32; LANES]>,
}

#[multiversion::multiversion(targets = "simd")]
fn attend(
    projected: &[f32],
    output: &mut [f32],
    n_heads: usize,
    width: usize,
    scratch: &mut Scratch,
) {
    let n_tokens = output.len() / width;
    let n_chunks = n_tokens.div_ceil(LANES);
    let head_width = width / n_heads;
    let scale = 1.0 / (head_width as f32).sqrt();
    let row = |token: usize| &projected[token * 3 * width..(token + 1) * 3 * width];

    scratch.scores.resize(n_chunks, [0.0; LANES]);
    for head in 0..n_heads {
        let first = head * head_width;
        scratch.keys.clear();
        scratch.keys.resize(head_width * n_chunks, [0.0; LANES]);
        for token in 0..n_tokens {
            let key = &row(token)[width + first..][..head_width];
            for (feature, &value) in key.iter().enumerate() {
                scratch.keys[feature * n_chunks + token / LANES][token % LANES] = value;
            }
        }
        for token in 0..n_tokens {
            let query = &row(token)[first..][..head_width];
            for (chunk, scores) in scratch.scores.iter_mut().enumerate() {
                let mut sums = [0.0_f32; LANES];
                for (feature, &q) in query.iter().enumerate() {
                    let keys = &scratch.keys[feature * n_chunks + chunk];
                    for (sum, k) in sums.iter_mut().zip(keys) {
                        *sum += q * k;
                    }
                }
                *scores = sums.map(|sum| sum * scale);
            }
            let total = exponentiate(&mut scratch.scores, n_tokens);
            let attended = &mut output[token * width + first..][..head_width];
            for (other, &weight) in scratch.scores.as_flattened()[..n_tokens].iter().enumerate() {
                let value = &row(other)[2 * width + first..][..head_width];
                for (sum, v) in attended.iter_mut().zip(value) {
                    *sum += weight * v;
                }
            }
            for sum in attended {
                *sum /= total;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::Device;

    fn attention(projected: &[[f32; 6]], lengths: &[usize], n_heads: usize) -> Vec<Vec<f32>> {
        let shape = (projected.len(), 6);
        let projected = Tensor::from_slice(projected.as_flattened(), shape, &Device::Cpu).unwrap();
        let sequences = Sequences::new(lengths.iter().copied());
        let op = ScaledDotProduct {
            sequences: &sequences,
            n_heads,
        };
        projected.apply_op1_no_bwd(&op).unwrap().to_vec2().unwrap()
    }

    #[test]
    fn equal_keys_give_the_mean_of_the_values_of_the_own_sequence() {
        let rows = [
            [1.0, 0.0, 1.0, 1.0, 2.0, 4.0],
            [0.0, 1.0, 1.0, 1.0, 4.0, 8.0],
            [5.0, 5.0, 1.0, 1.0, 7.0, 7.0],
        ];
        assert_eq!(
            attention(&rows, &[2, 1], 2),
            [[3.0, 6.0], [3.0, 6.0], [7.0, 7.0]]
        );
    }

    #[test]
    fn scores_are_scaled_by_the_root_of_the_head_width() {
        let score = 3.0_f32;
        let rows = [
            [score, 0.0, 1.0, 0.0, 1.0, 0.0],
            [0.0, 0.0, 0.0, 0.0, 0.0, 1.0],
        ];
        let attended = attention(&rows, &[2], 1);
        let expected = 1.0 / (1.0 + (-score / 2.0_f32.sqrt()).exp());
        assert!((attended[0][0] - expected).abs() < 1e-6);
        assert!((attended[0][1] - (1.0 - expected)).abs() < 1e-6);
        assert_eq!(attended[1], [0.5, 0.5]);
    }

    #[test]
    fn a_sequence_longer_than_the_lanes_is_whole() {
        let rows: Vec<[f32; 6]> = (0..37)
            .map(|i| [0.0, 0.0, i as f32, 1.0, i as f32, 1.0])
            .collect();
        for row in attention(&rows, &[37], 1) {
            assert!((row[0] - 18.0).abs() < 1e-5 && (row[1] - 1.0).abs() < 1e-6);
        }
    }
}
