//! Attention.

use super::beside;
use crate::blocks::{Pairs, ScoreBias, Sequences, Turns, score_stride};
use candle_core::{D, Result, Tensor, bail};

/// `softmax(Q Kᵀ + bias) V`, all of shape (sequence, head, token, feature).
pub(in crate::blocks) fn attend(
    [queries, keys, values]: [&Tensor; 3],
    bias: Option<&Tensor>,
) -> Result<Tensor> {
    let scores = queries.matmul(&keys.t()?)?;
    let scores = match bias {
        Some(bias) => scores.broadcast_add(bias)?,
        None => scores,
    };
    let weights = scores
        .broadcast_sub(&scores.max_keepdim(D::Minus1)?)?
        .exp()?;
    let total = weights.sum_keepdim(D::Minus1)?;
    weights.matmul(values)?.broadcast_div(&total)
}

/// The same within each of the sequences that rows of queries, keys and values, side by side, make up.
pub(in crate::blocks) fn attend_sequences(
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
    // Sequences of one length are one product.
    for alike in rows.chunk_by(|a, b| a.len() == b.len()) {
        let (n_sequences, n_tokens) = (alike.len(), alike[0].len());
        let parts = projected
            .narrow(0, alike[0].start, n_sequences * n_tokens)?
            .contiguous()?
            .reshape((n_sequences, n_tokens, 3, n_heads, width / n_heads))?
            .permute((2, 0, 3, 1, 4))?
            .contiguous()?;
        let kinds: Vec<usize> = (first..first + n_sequences)
            .map(|index| bias.kind(index))
            .collect();
        first += n_sequences;
        let bias = matrices(projected, bias, &kinds, n_heads, n_tokens)?;
        let parts = [parts.get(0)?, parts.get(1)?, parts.get(2)?];
        let heads = attend([&parts[0], &parts[1], &parts[2]], bias.as_ref())?;
        let heads = heads.transpose(1, 2)?.contiguous()?;
        attended.push(heads.reshape((n_sequences * n_tokens, width))?);
    }
    match attended.len() {
        0 => projected.narrow(1, 0, width),
        1 => Ok(attended.remove(0)),
        _ => Tensor::cat(&attended, 0),
    }
}

/// Rows of queries, keys and values, side by side, with queries and keys turned by their places in sequences of one length.
pub(in crate::blocks) fn turn_sequences(
    projected: &Tensor,
    sequences: &Sequences,
    turns: &Turns,
    n_heads: usize,
) -> Result<Tensor> {
    let (n_rows, row_width) = projected.dims2()?;
    let n_places = sequences.rows().next().map_or(0, |rows| rows.len());
    let n_pairs = row_width / (6 * n_heads);
    if turns.are_of_rows()
        || sequences.rows().any(|rows| rows.len() != n_places)
        || n_places > turns.n_positions()
        || turns.angles().len() != turns.n_positions() * n_pairs
    {
        bail!(
            "turns of {n_places} places and {n_pairs} pairs do not fit sequences of other lengths"
        );
    }
    let angles = &turns.angles()[..n_places * n_pairs];
    // Where the two of a pair are, and where their angles are.
    let (pair, axis, shape) = match turns.pairs() {
        Pairs::Halves => ([2, n_pairs], 3, (1, n_places, 1, 1, n_pairs)),
        Pairs::Neighbours => ([n_pairs, 2], 4, (1, n_places, 1, n_pairs, 1)),
    };
    let cos = beside(projected, angles.iter().map(|turn| turn.0).collect(), shape)?;
    let sin = beside(projected, angles.iter().map(|turn| turn.1).collect(), shape)?;
    let both = projected.narrow(1, 0, row_width / 3 * 2)?.contiguous()?;
    let n_sequences = n_rows / n_places.max(1);
    let both = both.reshape((n_sequences, n_places, 2 * n_heads, pair[0], pair[1]))?;
    let (a, b) = (both.narrow(axis, 0, 1)?, both.narrow(axis, 1, 1)?);
    let first = (a.broadcast_mul(&cos)? - b.broadcast_mul(&sin)?)?;
    let second = (b.broadcast_mul(&cos)? + a.broadcast_mul(&sin)?)?;
    let turned = Tensor::cat(&[first, second], axis)?.reshape((n_rows, row_width / 3 * 2))?;
    let values = projected.narrow(1, row_width / 3 * 2, row_width / 3)?;
    Tensor::cat(&[turned, values], 1)
}

/// What is added to the scores of sequences of these kinds, shape (sequence, head, token, token), or the
/// same for all of them.
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
