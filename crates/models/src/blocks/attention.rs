//! Multi-head self-attention.

use crate::blocks::activation::Activation;
use crate::blocks::packed::{Epilogue, PackedMatrix};
use crate::blocks::slices::{LANES, values, zeros};
use crate::blocks::softmax::exponentiate;
use crate::blocks::{Arrangement, Linear, Sequences};
use candle_core::{CpuStorage, CustomOp1, Layout, Result, Shape, Tensor, bail};

/// Every token of a sequence looks at every token of the same sequence.
#[derive(Debug, Clone)]
pub(crate) struct SelfAttention {
    query_key_value: Linear,
    output: Linear,
    n_heads: usize,
}

/// What is added to the scores before their exponentials are taken.
pub(crate) trait ScoreBias {
    /// For a head of a sequence: a matrix of (query tokens, key tokens) whose rows are [`score_stride`]
    /// apart, or nothing.
    fn of(&self, sequence: usize, head: usize) -> Option<&[f32]>;
}

/// Nothing is added.
pub(crate) struct NoBias;

impl ScoreBias for NoBias {
    fn of(&self, _: usize, _: usize) -> Option<&[f32]> {
        None
    }
}

impl SelfAttention {
    /// From the maps to queries, keys and values (weight and bias each) and the output map.
    pub(crate) fn new(
        [query, key, value]: [(Tensor, Tensor); 3],
        output: Linear,
        n_heads: usize,
    ) -> Result<Self> {
        let scale = 1.0 / ((query.0.dim(0)? / n_heads) as f64).sqrt();
        // The scores' factor 1 / √head_width, once here instead of for every score.
        let query = ((query.0 * scale)?, (query.1 * scale)?);
        Ok(SelfAttention {
            query_key_value: Linear::fused(&[query, key, value])?,
            output,
            n_heads,
        })
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
        projected.apply_op1_no_bwd(&DotProductAttention {
            sequences,
            n_heads: self.n_heads,
            bias,
        })
    }
}

/// `softmax(Q Kᵀ + bias) V` for each head and sequence.
struct DotProductAttention<'a> {
    sequences: &'a Sequences,
    n_heads: usize,
    bias: &'a dyn ScoreBias,
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
        let mut scratch = Scratch::default();
        let head_width = width / self.n_heads;
        for (index, rows) in self.sequences.rows().enumerate() {
            let projected = &projected[rows.start * row_width..rows.end * row_width];
            let output = &mut output[rows.start * width..rows.end * width];
            for head in 0..self.n_heads {
                let part = |part: usize| Columns {
                    matrix: projected,
                    matrix_width: row_width,
                    first: part * width + head * head_width,
                    width: head_width,
                };
                scratch.attend(
                    [part(0), part(1), part(2)],
                    self.bias.of(index, head),
                    &mut output[head * head_width..],
                    width,
                );
            }
        }
        Ok((CpuStorage::F32(output), (n_rows, width).into()))
    }
}

/// Some columns of a matrix that stand side by side.
#[derive(Clone, Copy)]
pub(crate) struct Columns<'a> {
    pub(crate) matrix: &'a [f32],
    pub(crate) matrix_width: usize,
    pub(crate) first: usize,
    pub(crate) width: usize,
}

impl<'a> Columns<'a> {
    fn n_rows(&self) -> usize {
        self.matrix.len() / self.matrix_width
    }

    fn row(&self, index: usize) -> &'a [f32] {
        &self.matrix[index * self.matrix_width + self.first..][..self.width]
    }
}

/// Memory that is reused from head to head.
#[derive(Default)]
pub(crate) struct Scratch {
    keys: PackedMatrix,
    values: PackedMatrix,
    /// The scores of every query, in whole lanes.
    scores: Vec<[f32; LANES]>,
    totals: Vec<f32>,
}

impl Scratch {
    /// One head of one sequence: what each query gets from the values. Writes rows of `output`, which are
    /// `output_stride` apart.
    pub(crate) fn attend(
        &mut self,
        [queries, keys, values]: [Columns<'_>; 3],
        bias: Option<&[f32]>,
        output: &mut [f32],
        output_stride: usize,
    ) {
        let (n_queries, n_tokens) = (queries.n_rows(), keys.n_rows());
        let plain = Epilogue {
            bias: &[],
            residual: None,
            activation: Activation::Identity,
        };
        let stride = score_stride(n_tokens);
        let n_chunks = n_queries * stride / LANES;
        self.scores.resize(n_chunks, [0.0; LANES]);
        self.keys
            .set_columns(keys.width, n_tokens, |token| keys.row(token));
        self.keys.multiply(
            n_queries,
            1,
            |query, _| queries.row(query),
            self.scores.as_flattened_mut(),
            stride,
            Epilogue {
                residual: bias,
                ..plain
            },
        );
        self.totals.clear();
        exponentials(&mut self.scores, n_tokens, &mut self.totals);
        let scores = self.scores.as_flattened();
        self.values
            .set_rows(n_tokens, values.width, |token| values.row(token));
        self.values.multiply(
            n_queries,
            1,
            |query, _| &scores[query * stride..][..n_tokens],
            output,
            output_stride,
            plain,
        );
        for (row, total) in output.chunks_mut(output_stride).zip(&self.totals) {
            for sum in &mut row[..values.width] {
                *sum /= total;
            }
        }
    }
}

/// Distance between the rows of a matrix of scores (and of what is added to them): whole lanes.
pub(crate) fn score_stride(n_tokens: usize) -> usize {
    n_tokens.next_multiple_of(LANES)
}

/// The exponentials of every row of scores, and their sums.
#[multiversion::multiversion(targets = "simd")]
fn exponentials(scores: &mut [[f32; LANES]], n_tokens: usize, totals: &mut Vec<f32>) {
    for row in scores.chunks_exact_mut(n_tokens.div_ceil(LANES)) {
        totals.push(exponentiate(row, n_tokens));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::Device;

    struct Mask(Vec<f32>);

    impl ScoreBias for Mask {
        fn of(&self, _: usize, _: usize) -> Option<&[f32]> {
            Some(&self.0)
        }
    }

    fn attention(projected: &[[f32; 6]], lengths: &[usize], n_heads: usize) -> Vec<Vec<f32>> {
        let shape = (projected.len(), 6);
        let projected = Tensor::from_slice(projected.as_flattened(), shape, &Device::Cpu).unwrap();
        let sequences = Sequences::new(lengths.iter().copied());
        let op = DotProductAttention {
            sequences: &sequences,
            n_heads,
            bias: &NoBias,
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
    fn scores_weigh_the_values_by_their_exponentials() {
        let score = 3.0_f32;
        let rows = [
            [score, 0.0, 1.0, 0.0, 1.0, 0.0],
            [0.0, 0.0, 0.0, 0.0, 0.0, 1.0],
        ];
        let attended = attention(&rows, &[2], 1);
        let expected = 1.0 / (1.0 + (-score).exp());
        assert!((attended[0][0] - expected).abs() < 1e-6);
        assert!((attended[0][1] - (1.0 - expected)).abs() < 1e-6);
        assert_eq!(attended[1], [0.5, 0.5]);
    }

    #[test]
    fn queries_are_scaled_by_the_root_of_the_head_width() -> Result<()> {
        let cpu = &Device::Cpu;
        let eye = Tensor::new(&[[1_f32, 0.0], [0.0, 1.0]], cpu)?;
        let zero = Tensor::zeros(2, candle_core::DType::F32, cpu)?;
        let map = || (eye.clone(), zero.clone());
        let output = Linear::new(&eye, &zero)?;
        let attention = SelfAttention::new([map(), map(), map()], output, 1)?;
        let x = Tensor::new(&[[1_f32, 0.0], [0.0, 1.0]], cpu)?;
        let residual = Tensor::new(&[[0_f32, 0.0], [10.0, 10.0]], cpu)?;
        let sequences = Sequences::new([2]);
        // The first token is kept from seeing the second.
        let mut mask = vec![0.0; 2 * score_stride(2)];
        mask[1] = f32::NEG_INFINITY;
        let y = attention.forward_residual(&x, &sequences, &Mask(mask), &residual)?;
        let y = y.to_vec2::<f32>()?;
        let own = 1.0 / (1.0 + (-0.5_f32.sqrt()).exp());
        assert_eq!(y[0], [1.0, 0.0]);
        assert!((y[1][1] - 10.0 - own).abs() < 1e-6 && (y[1][0] - 11.0 + own).abs() < 1e-6);
        Ok(())
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
