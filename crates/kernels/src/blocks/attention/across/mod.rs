//! Attention of queries to keys and values that are columns of given matrices.

use super::head::{Columns, HeadScratch};
use crate::blocks::score_stride;
use crate::blocks::shared_rows::fill_rows;
use crate::blocks::slices::{Output, on_values, zeros};
use crate::blocks::tensors::{attend, is_packed};
use candle_core::{D, Layout, Result, Tensor, bail};
use rayon::prelude::*;
use std::ops::Range;

/// The columns from `first` on of a matrix of tokens, of shape (sequence, token, column), or (token, column) for one
/// sequence.
#[derive(Clone, Copy)]
pub struct TokenColumns<'a> {
    pub tokens: &'a Tensor,
    pub first: usize,
}

/// `softmax(Q Kᵀ) V` for each head and sequence. Queries, keys and values have `width` columns each; the queries
/// include the scores' factor. `shared` says whether all threads share the work.
pub fn attend_across(columns: [TokenColumns<'_>; 3], width: usize, n_heads: usize, shared: bool) -> Result<Tensor> {
    let [queries, keys, values] = columns;
    if !is_packed(queries.tokens) {
        return attend_tensors(columns, width, n_heads);
    }
    let op = Across {
        firsts: [queries.first, keys.first, values.first],
        width,
        n_heads,
        shared,
    };
    on_values(columns.map(|columns| columns.tokens), |values, layouts| op.computed(values, layouts))
}

/// The same with the engine's own operations.
fn attend_tensors(columns: [TokenColumns<'_>; 3], width: usize, n_heads: usize) -> Result<Tensor> {
    let heads = |TokenColumns { tokens, first }: TokenColumns<'_>| -> Result<Tensor> {
        let shape = sequences(tokens.dims())?;
        let columns = tokens.narrow(D::Minus1, first, width)?.contiguous()?;
        columns.reshape((shape[0], shape[1], n_heads, width / n_heads))?.transpose(1, 2)?.contiguous()
    };
    let [queries, keys, values] = columns;
    let attended = attend([&heads(queries)?, &heads(keys)?, &heads(values)?], None)?;
    let rows = attended.transpose(1, 2)?.contiguous()?;
    rows.reshape(with_width(queries.tokens.dims(), width))
}

/// Number of sequences, tokens in each, and columns.
fn sequences(dims: &[usize]) -> Result<[usize; 3]> {
    match *dims {
        [n_tokens, n_columns] => Ok([1, n_tokens, n_columns]),
        [n_sequences, n_tokens, n_columns] => Ok([n_sequences, n_tokens, n_columns]),
        _ => bail!("{dims:?} are not the tokens of sequences"),
    }
}

/// The same shape with `width` columns.
fn with_width(dims: &[usize], width: usize) -> Vec<usize> {
    let mut dims = dims.to_vec();
    if let Some(last) = dims.last_mut() {
        *last = width;
    }
    dims
}

struct Across {
    firsts: [usize; 3],
    width: usize,
    n_heads: usize,
    shared: bool,
}

/// Number of scores computed at once: they fit into a second-level cache.
const SCORES: usize = 1 << 17;
/// With fewer queries at once, the keys would be read too often.
const MIN_QUERIES: usize = 256;

/// The columns of all heads in the tokens of several concatenated sequences.
#[derive(Clone, Copy)]
struct Heads<'a> {
    matrix: &'a [f32],
    n_sequences: usize,
    n_tokens: usize,
    matrix_width: usize,
    first: usize,
    head_width: usize,
}

impl<'a> Heads<'a> {
    /// The columns of one head in some tokens of a sequence.
    fn columns(&self, sequence: usize, tokens: Range<usize>, head: usize) -> Columns<'a> {
        let row = sequence * self.n_tokens + tokens.start;
        let matrix = &self.matrix[row * self.matrix_width..][..tokens.len() * self.matrix_width];
        Columns {
            matrix,
            matrix_width: self.matrix_width,
            first: self.first + head * self.head_width,
            width: self.head_width,
        }
    }
}

impl Across {
    fn heads<'a>(&self, matrix: &'a [f32], layout: &Layout, first: usize) -> Result<Heads<'a>> {
        let [n_sequences, n_tokens, matrix_width] = sequences(layout.shape().dims())?;
        if first + self.width > matrix_width || !self.width.is_multiple_of(self.n_heads) {
            bail!("{} heads of {} of {matrix_width} columns", self.n_heads, self.width);
        }
        Ok(Heads {
            matrix,
            n_sequences,
            n_tokens,
            matrix_width,
            first,
            head_width: self.width / self.n_heads,
        })
    }

    /// The results row by row, with all heads side by side.
    fn attend(&self, [queries, keys, token_values]: [Heads<'_>; 3]) -> Vec<f32> {
        let (n_heads, head_width) = (self.n_heads, queries.head_width);
        let (n_sequences, n_queries) = (queries.n_sequences, queries.n_tokens);
        // Each head is a task, or several if more are needed to keep all threads busy.
        let n_threads = if self.shared { rayon::current_num_threads() } else { 1 };
        let n_parts = n_threads.div_ceil((n_sequences * n_heads).max(1));
        let part_rows = n_queries.div_ceil(n_parts).max(1);
        let stride = score_stride(keys.n_tokens);
        let block_rows = (SCORES / stride.max(1)).max(MIN_QUERIES);
        let of_task = |scratch: &mut HeadScratch, task: usize| {
            let (head, part) = (task / n_parts % n_heads, task % n_parts);
            let sequence = task / (n_parts * n_heads);
            let rows = (part * part_rows).min(n_queries)..((part + 1) * part_rows).min(n_queries);
            let mut out = zeros(rows.len() * head_width);
            let source = 0..keys.n_tokens;
            let keys = keys.columns(sequence, source.clone(), head);
            scratch.hold(keys, token_values.columns(sequence, source, head));
            for (block, out) in out.chunks_mut((block_rows * head_width).max(1)).enumerate() {
                let first = rows.start + block * block_rows;
                let block = first..first + out.len() / head_width;
                let block = queries.columns(sequence, block, head);
                scratch.attend_held(block, None, out, head_width);
            }
            out
        };
        let tasks = 0..n_sequences * n_heads * n_parts;
        let parts: Vec<Vec<f32>> = if self.shared {
            tasks.into_par_iter().map_init(HeadScratch::default, of_task).collect()
        } else {
            let mut scratch = HeadScratch::default();
            tasks.map(|task| of_task(&mut scratch, task)).collect()
        };
        let mut output = zeros(n_sequences * n_queries * self.width);
        fill_rows(self.shared, self.width, &mut output, |first, output| {
            for (row, output) in output.chunks_exact_mut(self.width).enumerate() {
                let (sequence, row) = ((first + row) / n_queries, (first + row) % n_queries);
                let (part, row) = (row / part_rows, row % part_rows);
                for (head, output) in output.chunks_exact_mut(head_width).enumerate() {
                    let values = &parts[(sequence * n_heads + head) * n_parts + part];
                    output.copy_from_slice(&values[row * head_width..][..head_width]);
                }
            }
        });
        output
    }

    fn computed(&self, matrices: [&[f32]; 3], layouts: [&Layout; 3]) -> Output {
        let heads = |i: usize| self.heads(matrices[i], layouts[i], self.firsts[i]);
        let [queries, keys, token_values] = [heads(0)?, heads(1)?, heads(2)?];
        let n_sequences = [keys.n_sequences, token_values.n_sequences];
        if keys.n_tokens != token_values.n_tokens || n_sequences != [queries.n_sequences; 2] {
            let [of_queries, of_keys, of_values] = layouts.map(Layout::shape);
            bail!("{of_keys:?} and {of_values:?} are not keys and values for queries of {of_queries:?}");
        }
        let output = self.attend([queries, keys, token_values]);
        Ok((output, with_width(layouts[0].shape().dims(), self.width).into()))
    }
}
