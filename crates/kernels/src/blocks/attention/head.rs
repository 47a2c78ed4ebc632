//! The attention of one head in one sequence.

use crate::blocks::activation::Activation;
use crate::blocks::packed::{Epilogue, PackedMatrix};
use crate::blocks::slices::LANES;
use crate::blocks::softmax::exponentiate;

/// Adjacent columns of a matrix.
#[derive(Clone, Copy)]
pub(crate) struct Columns<'a> {
    pub matrix: &'a [f32],
    pub matrix_width: usize,
    pub first: usize,
    pub width: usize,
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
pub(crate) struct HeadScratch {
    keys: PackedMatrix,
    values: PackedMatrix,
    /// Number of tokens held, and of features in each value.
    n_tokens: usize,
    width: usize,
    /// The scores of every query, padded to whole lanes.
    scores: Vec<[f32; LANES]>,
    totals: Vec<f32>,
}

impl HeadScratch {
    /// The attention of one head in one sequence. Writes the rows of `output`, which are `output_stride` apart.
    pub(crate) fn attend(
        &mut self,
        [queries, keys, values]: [Columns<'_>; 3],
        bias: Option<&[f32]>,
        output: &mut [f32],
        output_stride: usize,
    ) {
        self.hold(keys, values);
        self.attend_held(queries, bias, output, output_stride);
    }

    /// Takes the keys and values for the next queries.
    pub(crate) fn hold(&mut self, keys: Columns<'_>, values: Columns<'_>) {
        self.n_tokens = keys.n_rows();
        self.keys.set_columns(keys.width, self.n_tokens, |token| keys.row(token));
        self.values.set_rows(self.n_tokens, values.width, |token| values.row(token));
        self.width = values.width;
    }

    /// Like `attend`, with the keys and values taken before.
    pub(crate) fn attend_held(
        &mut self,
        queries: Columns<'_>,
        bias: Option<&[f32]>,
        output: &mut [f32],
        output_stride: usize,
    ) {
        let (n_queries, n_tokens) = (queries.n_rows(), self.n_tokens);
        let plain = Epilogue {
            bias: &[],
            residual: None,
            activation: Activation::Identity,
        };
        let stride = score_stride(n_tokens);
        let n_chunks = n_queries * stride / LANES;
        self.scores.resize(n_chunks, [0.0; LANES]);
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
        self.values.multiply(
            n_queries,
            1,
            |query, _| &scores[query * stride..][..n_tokens],
            output,
            output_stride,
            plain,
        );
        for (row, total) in output.chunks_mut(output_stride).zip(&self.totals) {
            for sum in &mut row[..self.width] {
                *sum /= total;
            }
        }
    }
}

/// Distance between the rows of a matrix of scores, and of what is added to them: whole lanes.
pub fn score_stride(n_tokens: usize) -> usize {
    n_tokens.next_multiple_of(LANES)
}

/// The exponentials of every row of scores, and the rows' sums.
#[multiversion::multiversion(targets = "simd")]
fn exponentials(scores: &mut [[f32; LANES]], n_tokens: usize, totals: &mut Vec<f32>) {
    for row in scores.chunks_exact_mut(n_tokens.div_ceil(LANES)) {
        totals.push(exponentiate(row, n_tokens));
    }
}
