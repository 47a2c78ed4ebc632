//! Attention.

#[cfg(feature = "cuda")]
use super::cuda;
use super::{beside, dense};
use crate::blocks::{Pairs, ScoreBias, Sequences, Turns, score_stride};
use candle_core::{D, Result, Tensor, bail};

/// Number of scores in memory at once: 1 GiB in f32.
const SCORES: usize = 1 << 28;

/// `softmax(Q Kᵀ + bias) V`, all of shape (sequence, head, token, feature).
pub(in crate::blocks) fn attend([queries, keys, values]: [&Tensor; 3], bias: Option<&Tensor>) -> Result<Tensor> {
    let (n_sequences, n_heads, n_queries, _) = queries.dims4()?;
    let n_at_once = SCORES / (n_sequences * n_heads * keys.dim(2)?).max(1);
    if n_queries > n_at_once.max(1) {
        // Process some queries at a time.
        let parts = (0..n_queries).step_by(n_at_once.max(1)).map(|first| {
            let n = n_at_once.max(1).min(n_queries - first);
            let own = dense(&queries.narrow(2, first, n)?)?;
            let bias = bias.map(|bias| bias.narrow(2, first, n)).transpose()?;
            attend([&own, keys, values], bias.as_ref())
        });
        return Tensor::cat(&parts.collect::<Result<Vec<_>>>()?, 2);
    }
    let scores = queries.matmul(&keys.t()?)?;
    softmax(&scores, bias)?.matmul(values)
}

/// `softmax(scores + bias)` over the last of four dimensions; the first three dimensions of the bias may have length 1.
pub(super) fn softmax(scores: &Tensor, bias: Option<&Tensor>) -> Result<Tensor> {
    #[cfg(feature = "cuda")]
    if cuda::takes(scores, 0) {
        return cuda::softmax_rows(scores, bias);
    }
    let biased;
    let scores = match bias {
        Some(bias) => {
            biased = scores.broadcast_add(bias)?;
            &biased
        }
        None => scores,
    };
    let weights = scores.broadcast_sub(&scores.max_keepdim(D::Minus1)?)?.exp()?;
    weights.broadcast_div(&weights.sum_keepdim(D::Minus1)?)
}

/// Attention within each of the sequences in rows of queries, keys and values side by side.
pub fn attend_sequences(
    projected: &Tensor,
    sequences: &Sequences,
    n_heads: usize,
    bias: &dyn ScoreBias,
) -> Result<Tensor> {
    let (_, row_width) = projected.dims2()?;
    let width = row_width / 3;
    if width * 3 != row_width || !width.is_multiple_of(n_heads) {
        bail!("{row_width} columns are not queries, keys and values of {n_heads} heads");
    }
    let rows: Vec<_> = sequences.rows().collect();
    let mut attended = Vec::new();
    let mut first = 0;
    // Sequences of equal length are one product.
    for alike in rows.chunk_by(|a, b| a.len() == b.len()) {
        let (n_sequences, n_tokens) = (alike.len(), alike[0].len());
        let parts = projected.narrow(0, alike[0].start, n_sequences * n_tokens)?.reshape((
            n_sequences,
            n_tokens,
            3,
            n_heads,
            width / n_heads,
        ))?;
        let parts = dense(&parts.permute((2, 0, 3, 1, 4))?)?;
        let kinds: Vec<usize> = (first..first + n_sequences).map(|index| bias.kind(index)).collect();
        first += n_sequences;
        let bias = matrices(projected, bias, &kinds, n_heads, n_tokens)?;
        let parts = [parts.get(0)?, parts.get(1)?, parts.get(2)?];
        let heads = attend([&parts[0], &parts[1], &parts[2]], bias.as_ref())?;
        let heads = dense(&heads.transpose(1, 2)?)?;
        attended.push(heads.reshape((n_sequences * n_tokens, width))?);
    }
    match attended.len() {
        0 => projected.narrow(1, 0, width),
        1 => Ok(attended.remove(0)),
        _ => Tensor::cat(&attended, 0),
    }
}

/// Rotates the first `n_columns` columns, queries and keys side by side, of each row by its position in its sequence,
/// or by its row.
pub(in crate::blocks) fn turn_tensors(
    projected: &Tensor,
    sequences: &Sequences,
    turns: &Turns,
    n_columns: usize,
) -> Result<Tensor> {
    let (n_rows, row_width) = projected.dims2()?;
    let places = match turns.are_of_rows() {
        true => (0..n_rows as u32).collect(),
        false => sequences.positions(),
    };
    let n_places = turns.n_positions();
    let n_pairs = turns.angles().len() / n_places.max(1);
    if places.iter().any(|&place| place as usize >= n_places)
        || places.len() != n_rows
        || !n_columns.is_multiple_of(2 * n_pairs.max(1))
    {
        bail!("{n_places} turns of {n_pairs} pairs do not fit {n_columns} columns of {n_rows} rows");
    }
    let n_heads = n_columns / (2 * n_pairs).max(1);
    // Where the two features of a pair are, and where their angles are.
    let (pair, axis, shape) = match turns.pairs() {
        Pairs::Halves => ([2, n_pairs], 2, (n_rows, 1, 1, n_pairs)),
        Pairs::Neighbours => ([n_pairs, 2], 3, (n_rows, 1, n_pairs, 1)),
    };
    let places = Tensor::from_vec(places, n_rows, projected.device())?;
    let of_rows = |part: fn(&(f32, f32)) -> f32| -> Result<Tensor> {
        let angles = turns.angles().iter().map(part).collect();
        beside(projected, angles, (n_places, n_pairs))?.index_select(&places, 0)?.reshape(shape)
    };
    let (cos, sin) = (of_rows(|turn| turn.0)?, of_rows(|turn| turn.1)?);
    let both = dense(&projected.narrow(1, 0, n_columns)?)?.reshape((n_rows, n_heads, pair[0], pair[1]))?;
    let (a, b) = (both.narrow(axis, 0, 1)?, both.narrow(axis, 1, 1)?);
    let first = (a.broadcast_mul(&cos)? - b.broadcast_mul(&sin)?)?;
    let second = (b.broadcast_mul(&cos)? + a.broadcast_mul(&sin)?)?;
    let turned = Tensor::cat(&[first, second], axis)?.reshape((n_rows, n_columns))?;
    if n_columns == row_width {
        return Ok(turned);
    }
    let others = projected.narrow(1, n_columns, row_width - n_columns)?;
    Tensor::cat(&[turned, others], 1)
}

/// The bias for sequences of these kinds, shape (sequence, head, token, token), or one for all of them.
fn matrices(
    like: &Tensor,
    bias: &dyn ScoreBias,
    kinds: &[usize],
    n_heads: usize,
    n_tokens: usize,
) -> Result<Option<Tensor>> {
    let mut distinct = kinds.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    let mut values = Vec::with_capacity(distinct.len() * n_heads * n_tokens * n_tokens);
    for &kind in &distinct {
        for head in 0..n_heads {
            let Some(matrix) = bias.of(kind, head) else {
                return Ok(None);
            };
            for row in matrix.chunks(score_stride(n_tokens)).take(n_tokens) {
                values.extend_from_slice(&row[..n_tokens]);
            }
        }
    }
    let matrices = beside(like, values, (distinct.len(), n_heads, n_tokens, n_tokens))?;
    if distinct.len() == 1 {
        return Ok(Some(matrices));
    }
    let index = |kind: &usize| distinct.binary_search(kind).unwrap_or(0) as u32;
    let indices: Vec<u32> = kinds.iter().map(index).collect();
    let indices = Tensor::from_vec(indices, kinds.len(), like.device())?;
    Ok(Some(matrices.index_select(&indices, 0)?))
}
