//! The bias that the distance of two tokens adds to their attention score.

use crate::blocks::{ScoreBias, Sequences, host_values, score_stride};
use candle_core::{Result, Tensor};
use std::collections::{BTreeMap, BTreeSet};

/// One learned number for each head and each bucket of distances: short distances have a bucket each, longer ones share
/// buckets that become wider, and the last bucket covers everything from `max_distance` on.
#[derive(Debug, Clone)]
pub struct DistanceBias {
    /// A value for each head, bucket by bucket.
    table: Vec<f32>,
    n_heads: usize,
    n_buckets: usize,
    max_distance: usize,
}

impl DistanceBias {
    /// Builds it from a table of shape (bucket, head).
    pub fn new(table: &Tensor, max_distance: usize) -> Result<Self> {
        let (n_buckets, n_heads) = table.dims2()?;
        Ok(DistanceBias {
            table: host_values(table)?,
            n_heads,
            n_buckets,
            max_distance,
        })
    }

    /// The bias for attention in both directions: half of the buckets are for keys after the query.
    pub fn both_ways(&self, sequences: &Sequences) -> BothWays {
        let lengths: Vec<usize> = sequences.rows().map(|rows| rows.len()).collect();
        let half = self.n_buckets / 2;
        let distinct: BTreeSet<usize> = lengths.iter().copied().collect();
        let matrices = distinct.into_iter().map(|n| {
            let buckets: Vec<usize> = (0..n).map(|distance| bucket(distance, half, self.max_distance)).collect();
            let stride = score_stride(n);
            let mut matrices = vec![0.0; self.n_heads * n * stride];
            for (index, row) in matrices.chunks_exact_mut(stride).enumerate() {
                let (head, query) = (index / n, index % n);
                for (key, value) in row[..n].iter_mut().enumerate() {
                    let behind = if key > query { half } else { 0 };
                    let bucket = behind + buckets[key.abs_diff(query)];
                    *value = self.table[bucket * self.n_heads + head];
                }
            }
            (n, matrices)
        });
        BothWays {
            matrices: matrices.collect(),
            lengths,
        }
    }

    /// The bias for the last of `n` tokens with attention to earlier tokens only: a value for each token, head by head.
    pub fn back(&self, n: usize) -> Vec<f32> {
        let value = |index: usize| {
            let (head, key) = (index / n, index % n);
            let bucket = bucket(n - 1 - key, self.n_buckets, self.max_distance);
            self.table[bucket * self.n_heads + head]
        };
        (0..self.n_heads * n).map(value).collect()
    }
}

/// The bucket of a distance, among `n_buckets`. Half of them hold a single distance each. Computed in f32 as in the
/// reference, since the bounds of wide buckets may be integers, where rounding decides.
fn bucket(distance: usize, n_buckets: usize, max_distance: usize) -> usize {
    let n_exact = n_buckets / 2;
    if distance < n_exact {
        return distance;
    }
    let span = (max_distance as f64 / n_exact as f64).ln() as f32;
    let share = (distance as f32 / n_exact as f32).ln() / span;
    let beyond = (share * (n_buckets - n_exact) as f32) as usize;
    (n_exact + beyond).min(n_buckets - 1)
}

/// The matrices for sequences, a set for each length.
pub struct BothWays {
    lengths: Vec<usize>,
    matrices: BTreeMap<usize, Vec<f32>>,
}

impl ScoreBias for BothWays {
    fn kind(&self, sequence: usize) -> usize {
        self.lengths.get(sequence).copied().unwrap_or(0)
    }

    fn of(&self, length: usize, head: usize) -> Option<&[f32]> {
        let size = length * score_stride(length);
        self.matrices.get(&length)?.get(head * size..(head + 1) * size)
    }
}
