//! Attention of a token to earlier tokens, whose keys and values were kept.

use super::GroupedHeads;
use crate::blocks::slices::{LANES, multiply_add};
use crate::blocks::softmax::exponentiate;

/// The keys and values of some tokens of a sequence in one layer, a row per token.
#[derive(Debug, Clone, Default)]
pub struct Past {
    keys: Vec<f32>,
    values: Vec<f32>,
}

impl Past {
    /// Adds tokens, given as rows of keys and values side by side. `width` is the width of all heads of keys.
    pub fn extend(&mut self, keys_values: &[f32], width: usize) {
        for row in keys_values.chunks_exact(2 * width) {
            let (key, value) = row.split_at(width);
            self.keys.extend_from_slice(key);
            self.values.extend_from_slice(value);
        }
    }
}

/// Memory that is reused from token to token.
#[derive(Debug, Default)]
pub(crate) struct PastScratch {
    /// The scores of every head, padded to whole lanes.
    scores: Vec<[f32; LANES]>,
}

/// The attention of a token's query over the tokens of `pasts`, one past after the other, head by head: `softmax(q Kᵀ +
/// bias) V`. The token is the last of them, or they belong to another sequence. The query includes the scores' factor.
/// `bias` has a value for each head and token, or is empty.
pub(crate) fn attend_to_past(
    query: &[f32],
    pasts: &[&Past],
    bias: &[f32],
    heads: GroupedHeads,
    scratch: &mut PastScratch,
    out: &mut [f32],
) {
    let (n_heads, width) = (heads.n_heads, heads.key_columns());
    let n_tokens = pasts.iter().map(|past| past.keys.len() / width).sum();
    let stride = usize::div_ceil(n_tokens, LANES);
    scratch.scores.resize(n_heads * stride, [0.0; LANES]);
    let scores = &mut scratch.scores[..];
    score(query, pasts, heads, scores.as_flattened_mut());
    if !bias.is_empty() {
        let heads = scores.chunks_exact_mut(stride);
        for (scores, bias) in heads.zip(bias.chunks_exact(n_tokens)) {
            for (score, bias) in scores.as_flattened_mut().iter_mut().zip(bias) {
                *score += bias;
            }
        }
    }
    gather(pasts, heads, n_tokens, scores, out);
}

#[multiversion::multiversion(targets = "simd")]
fn score(query: &[f32], pasts: &[&Past], heads: GroupedHeads, scores: &mut [f32]) {
    const FUSED: bool = multiversion::target::target_cfg_f!(target_feature = "fma");
    let (width, stride) = (heads.key_columns(), scores.len() / heads.n_heads);
    let keys = pasts.iter().flat_map(|past| past.keys.chunks_exact(width));
    let (head_width, n_sharing) = (heads.head_width, heads.n_sharing());
    for (token, key) in keys.enumerate() {
        let groups = query.chunks_exact(n_sharing * head_width).zip(key.chunks_exact(head_width));
        for (group, (queries, key)) in groups.enumerate() {
            for (own, query) in queries.chunks_exact(head_width).enumerate() {
                scores[(group * n_sharing + own) * stride + token] = dot::<FUSED>(query, key);
            }
        }
    }
}

/// The sum over each lane, then over the lanes, then the remaining values.
#[inline(always)]
fn dot<const FUSED: bool>(a: &[f32], b: &[f32]) -> f32 {
    let ((a_lanes, a_rest), (b_lanes, b_rest)) = (a.as_chunks::<LANES>(), b.as_chunks::<LANES>());
    let mut sums = [0.0_f32; LANES];
    for (a, b) in a_lanes.iter().zip(b_lanes) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum = multiply_add::<FUSED>(*a, *b, *sum);
        }
    }
    let rest = a_rest.iter().zip(b_rest).map(|(a, b)| a * b);
    sums.iter().sum::<f32>() + rest.sum::<f32>()
}

/// The sum of the values, weighted by the exponentials of the scores.
#[multiversion::multiversion(targets = "simd")]
fn gather(pasts: &[&Past], heads: GroupedHeads, n_tokens: usize, scores: &mut [[f32; LANES]], out: &mut [f32]) {
    const FUSED: bool = multiversion::target::target_cfg_f!(target_feature = "fma");
    let stride = scores.len() / heads.n_heads;
    let (head_width, width) = (heads.head_width, heads.key_columns());
    out.fill(0.0);
    let of_heads = scores.chunks_exact_mut(stride).zip(out.chunks_exact_mut(head_width));
    for (head, (scores, out)) in of_heads.enumerate() {
        let total = exponentiate(scores, n_tokens);
        let first = head / heads.n_sharing() * head_width;
        let values = pasts.iter().flat_map(|past| past.values.chunks_exact(width));
        for (weight, value) in scores.as_flattened().iter().zip(values) {
            let value = &value[first..][..head_width];
            for (sum, value) in out.iter_mut().zip(value) {
                *sum = multiply_add::<FUSED>(*weight, *value, *sum);
            }
        }
        for sum in out {
            *sum /= total;
        }
    }
}
