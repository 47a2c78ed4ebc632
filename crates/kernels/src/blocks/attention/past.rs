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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::attention::attend_rows;
    use crate::blocks::{CausalMask, Sequences};
    use candle_core::{Device, Tensor};
    use neurogauge_core::synthetic::Synthetic;

    /// Attention over whole sequences and token by token agree up to the last places.
    #[test]
    fn the_last_token_of_a_causal_sequence_sees_the_same() {
        for (n_tokens, n_heads, head_width) in [(1, 1, 1), (5, 2, 7), (37, 3, 32), (300, 2, 64)] {
            let width = n_heads * head_width;
            let source = Synthetic::new("projected", n_tokens as u64);
            let rows: Vec<f32> = (0..n_tokens * 3 * width).map(|i| source.uniform(i as u64) - 0.5).collect();
            let projected = Tensor::from_slice(&rows, (n_tokens, 3 * width), &Device::Cpu).unwrap();
            let sequences = Sequences::new([n_tokens]);
            let mask = CausalMask::new(&sequences);
            let whole = attend_rows(&projected, &sequences, n_heads, &mask).unwrap().to_vec2::<f32>().unwrap();

            let mut pasts = [Past::default(), Past::default()];
            let mut scratch = PastScratch::default();
            for (token, row) in rows.chunks_exact(3 * width).enumerate() {
                // The first tokens have their own past, as an image's tokens do.
                pasts[usize::from(token > 2)].extend(&row[width..], width);
                let mut out = vec![f32::NAN; width];
                let [first, second] = &pasts;
                let both = [first, second];
                let row = &row[..width];
                let heads = GroupedHeads::each_own(n_heads, width);
                attend_to_past(row, &both, &[], heads, &mut scratch, &mut out);
                for (a, b) in out.iter().zip(&whole[token]) {
                    assert!((a - b).abs() < 2e-6, "token {token} of {n_tokens}: {a} {b}");
                }
            }
        }
    }

    #[test]
    fn a_bias_is_added_to_the_scores_of_its_head() {
        let mut past = Past::default();
        past.extend(&[0.0, 0.0, 1.0, 10.0, 0.0, 0.0, 3.0, 30.0], 2);
        let bias = [0.0, f32::NEG_INFINITY, 3.0_f32.ln(), 0.0];
        let mut out = [f32::NAN; 2];
        let mut scratch = PastScratch::default();
        let heads = GroupedHeads::each_own(2, 2);
        attend_to_past(&[5.0, 5.0], &[&past], &bias, heads, &mut scratch, &mut out);
        assert!((out[0] - 1.0).abs() < 1e-6 && (out[1] - 15.0).abs() < 1e-5, "{out:?}");
    }
}
