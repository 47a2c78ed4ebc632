//! A bias that keeps tokens from attending to later ones.

use crate::blocks::Sequences;
use crate::blocks::attention::{ScoreBias, score_stride};
use std::collections::BTreeMap;

/// Keeps every token from attending to those after it.
pub struct CausalMask {
    lengths: Vec<usize>,
    /// One matrix for each length.
    masks: BTreeMap<usize, Vec<f32>>,
}

impl CausalMask {
    pub fn new(sequences: &Sequences) -> Self {
        let lengths: Vec<usize> = sequences.rows().map(|rows| rows.len()).collect();
        let masks = lengths.iter().map(|&length| (length, mask(length)));
        CausalMask {
            masks: masks.collect(),
            lengths,
        }
    }
}

/// 0 where a query may attend, minus infinity elsewhere.
fn mask(n_tokens: usize) -> Vec<f32> {
    let stride = score_stride(n_tokens);
    let mut mask = vec![0.0; n_tokens * stride];
    for (query, row) in mask.chunks_exact_mut(stride).enumerate() {
        row[query + 1..].fill(f32::NEG_INFINITY);
    }
    mask
}

impl ScoreBias for CausalMask {
    fn kind(&self, sequence: usize) -> usize {
        self.lengths.get(sequence).copied().unwrap_or(0)
    }

    fn of(&self, length: usize, _head: usize) -> Option<&[f32]> {
        self.masks.get(&length).map(Vec::as_slice)
    }
}
