//! Encodes texts in batches: each distinct text once, texts of similar length together, on all threads.

use crate::ModelError;
use neurogauge_core::parallel;
use neurogauge_kernels::blocks::Sequences;
use neurogauge_kernels::blocks::device::{Batches, Placement};
use std::collections::HashMap;

/// Tokens in one pass on the CPU: enough to keep the matrix product busy, few enough to stay in the cache.
const BATCH_TOKENS: usize = 512;
/// Tokens in one pass on a device.
const DEVICE_TOKENS: usize = 1 << 14;

/// The batch sizes in tokens for a network with this placement.
pub(crate) fn text_batches(placement: &Placement) -> Batches {
    placement.batches(BATCH_TOKENS, DEVICE_TOKENS)
}

/// One vector of unit length for each text, row-major, shape (`texts.len()`, `n_features`).
///
/// Texts are read in batches of `at_once` tokens. `token_ids` returns the tokens of a text, whose index it gets for
/// messages. `vectors` returns one vector, of any length except zero, for each of several concatenated sequences.
/// `progress` is called with the number of texts finished since the last call.
pub(crate) fn unit_vectors(
    texts: &[&str],
    n_features: usize,
    at_once: Batches,
    token_ids: impl Fn(usize, &str) -> Result<Vec<u32>, ModelError> + Sync,
    vectors: impl Fn(&[u32], &Sequences) -> Result<Vec<f32>, ModelError> + Sync,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Vec<f32>, ModelError> {
    let distinct = Distinct::new(texts);
    let ids = parallel::try_map(distinct.texts.len(), |index| token_ids(index, distinct.texts[index]))?;
    let batches = batches(&ids, at_once.size());
    let batches: Vec<&[usize]> = batches.iter().map(Vec::as_slice).collect();
    let rows = at_once.run(&batches, |batch| {
        let sequences = Sequences::new(batch.iter().map(|&i| ids[i].len()));
        let tokens: Vec<u32> = batch.iter().flat_map(|&i| &ids[i]).copied().collect();
        let mut rows = vectors(&tokens, &sequences)?;
        rows.chunks_exact_mut(n_features).for_each(normalise);
        progress(batch.iter().map(|&i| distinct.n_copies[i]).sum());
        Ok::<_, ModelError>(rows)
    })?;

    let mut of_distinct: Vec<&[f32]> = vec![&[]; ids.len()];
    let rows = rows.iter().flat_map(|rows| rows.chunks_exact(n_features));
    for (&i, row) in batches.concat().iter().zip(rows) {
        of_distinct[i] = row;
    }
    let of_texts = distinct.of_text.iter().flat_map(|&i| of_distinct[i]);
    Ok(of_texts.copied().collect())
}

/// Divides by the Euclidean norm, or by 1e-12 if that is larger, like sentence-transformers.
fn normalise(vector: &mut [f32]) {
    let norm = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
    let norm = norm.max(1e-12);
    for value in vector {
        *value /= norm;
    }
}

/// A list of texts without its repetitions.
struct Distinct<'a> {
    texts: Vec<&'a str>,
    /// How often each text occurs.
    n_copies: Vec<usize>,
    /// For each text of the original list, its index in `texts`.
    of_text: Vec<usize>,
}

impl<'a> Distinct<'a> {
    fn new(all: &[&'a str]) -> Self {
        let mut distinct = Distinct {
            texts: Vec::new(),
            n_copies: Vec::new(),
            of_text: Vec::with_capacity(all.len()),
        };
        let mut index_of = HashMap::with_capacity(all.len());
        for &text in all {
            let index = *index_of.entry(text).or_insert_with(|| {
                distinct.texts.push(text);
                distinct.n_copies.push(0);
                distinct.texts.len() - 1
            });
            distinct.n_copies[index] += 1;
            distinct.of_text.push(index);
        }
        distinct
    }
}

/// Batches of texts, longest first, so that short ones run last.
fn batches(ids: &[Vec<u32>], most: usize) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..ids.len()).collect();
    order.sort_by_key(|&i| std::cmp::Reverse(ids[i].len()));
    let mut batches: Vec<Vec<usize>> = Vec::new();
    let mut n_tokens = most;
    for i in order {
        n_tokens += ids[i].len();
        match batches.last_mut() {
            Some(batch) if n_tokens <= most => batch.push(i),
            _ => {
                batches.push(vec![i]);
                n_tokens = ids[i].len();
            }
        }
    }
    batches
}
