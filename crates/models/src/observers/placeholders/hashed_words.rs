//! A text encoder without weights.

use crate::{ModelError, TextEncoder};
use neurogauge_core::ModelIdentity;
use neurogauge_core::synthetic::Synthetic;
use std::sync::LazyLock;

const N_FEATURES: usize = 256;

/// **Its numbers mean nothing.** A placeholder for a real text encoder, for use without weights.
///
/// A bag of hashed words: each lower-case word adds 1 to the one of 256 entries that its hash selects, and the vector
/// is normalised to unit length. Texts that share words get similar vectors, regardless of their meaning: "a dog bites
/// a man" and "a man bites a dog" are the same, "dog" and "puppy" are unrelated. [`ModelIdentity::stand_in`] is true,
/// so that everything computed from it is marked.
///
/// ```
/// use neurogauge_models::{HashedWords, TextEncoder};
/// let encoder = HashedWords;
/// let vectors = encoder.encode(&["A red boat.", "a RED boat", "two dogs"], &|_| {})?;
/// let cosine = |a: usize, b: usize| -> f32 {
///     (0..256).map(|i| vectors[a * 256 + i] * vectors[b * 256 + i]).sum()
/// };
/// assert!((cosine(0, 1) - 1.0).abs() < 1e-6);
/// assert!((cosine(0, 2) - 0.288_675).abs() < 1e-6); // the start mark alone: 1 / (2 sqrt 3)
/// # Ok::<(), neurogauge_models::ModelError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct HashedWords;

impl HashedWords {
    pub const ID: &str = "hashed-words";
}

static IDENTITY: LazyLock<ModelIdentity> = LazyLock::new(|| ModelIdentity::placeholder(HashedWords::ID, "1"));

impl TextEncoder for HashedWords {
    fn identity(&self) -> &ModelIdentity {
        &IDENTITY
    }

    fn n_features(&self) -> usize {
        N_FEATURES
    }

    fn encode(&self, texts: &[&str], progress: &(dyn Fn(usize) + Sync)) -> Result<Vec<f32>, ModelError> {
        let mut vectors = Vec::with_capacity(texts.len() * N_FEATURES);
        for text in texts {
            vectors.extend_from_slice(&hashed_words(text));
        }
        progress(texts.len());
        Ok(vectors)
    }
}

fn hashed_words(text: &str) -> [f32; N_FEATURES] {
    let mut counts = [0.0_f32; N_FEATURES];
    // Every text has this entry, so that a text without words has a direction too.
    counts[0] = 1.0;
    let lower = text.to_lowercase();
    for word in lower.split(|c: char| !c.is_alphanumeric()) {
        if !word.is_empty() {
            counts[usize::from(Synthetic::new(word, 0).byte(0))] += 1.0;
        }
    }
    let norm = counts.iter().map(|count| count * count).sum::<f32>().sqrt();
    counts.map(|count| count / norm)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_has_unit_length_even_without_words() {
        for text in ["", "?!", "word", "the same word the same word"] {
            let norm: f32 = hashed_words(text).iter().map(|v| v * v).sum();
            assert!((norm - 1.0).abs() < 1e-6, "{text:?}: {norm}");
        }
    }

    #[test]
    fn it_says_that_it_is_a_placeholder() {
        assert!(HashedWords.identity().stand_in);
    }
}
