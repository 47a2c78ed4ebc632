//! CLIP-S and RefCLIP-S.

use crate::MetricError;
use crate::decoding::cap_sim::{References, cap_sim};
use neurogauge_core::{FeatureValue, Outcome};

/// The paper's factor, which spreads the scores over 0 to 1.
const WEIGHT: f64 = 2.5;

/// The prefix of every caption, decoded or human, in the paper's code.
pub const CAPTION_PREFIX: &str = "A photo depicts ";

/// CLIP-S (Hessel et al. 2021): 2.5 · max(cos(image, caption), 0) of CLIP's embeddings of the image and of
/// the decoded caption ("A photo depicts " before it, with ViT-B/32, in the paper).
///
/// - Shapes: two vectors of `n_features` values.
/// - Range: 0 to 2.5, mostly below 1; higher is better.
/// - Conventions: `clip-score-images`.
/// - Undefined: an embedding that is empty or all zeros, or holds a value that is not finite.
/// - Errors: vectors of different lengths.
/// - Reference: the equation in NumPy 2.4.6, in `f64`, to 1e-12 relative on random embeddings.
///
/// ```
/// use neurogauge_metrics::decoding::captioning::clip_score;
/// let score = clip_score(&[1.0, 0.0], &[3.0, 4.0]).unwrap().unwrap();
/// assert!((score - 1.5).abs() < 1e-12);
/// ```
pub fn clip_score<T: FeatureValue>(image: &[T], caption: &[T]) -> Result<Outcome, MetricError> {
    Ok(cap_sim(&[image], caption, References::First)?.map(|cosine| WEIGHT * cosine.max(0.0)))
}

/// RefCLIP-S (Hessel et al. 2021): the harmonic mean of CLIP-S and of the caption's cosine similarity with
/// the most similar reference caption (at least 0).
///
/// - Shapes: vectors of `n_features` values; one for the image, one for the decoded caption, one for each
///   reference.
/// - Range: 0 to 10/7, mostly below 1; higher is better.
/// - Conventions: `clip-score-images`, `clip-score-reference`.
/// - Undefined: as CLIP-S, and without any reference.
/// - Errors: vectors of different lengths.
/// - Reference: the equation in NumPy 2.4.6, in `f64`, to 1e-12 relative on random embeddings.
///
/// ```
/// use neurogauge_metrics::decoding::captioning::ref_clip_score;
/// let score = ref_clip_score(&[1.0, 0.0], &[3.0, 4.0], &[&[1.0, 0.0], &[0.0, 1.0]]);
/// // CLIP-S is 1.5, the better reference has 0.8.
/// assert!((score.unwrap().unwrap() - 2.4 / 2.3).abs() < 1e-12);
/// ```
pub fn ref_clip_score<T: FeatureValue>(
    image: &[T],
    caption: &[T],
    references: &[&[T]],
) -> Result<Outcome, MetricError> {
    let score = match clip_score(image, caption)? {
        Ok(score) => score,
        undefined => return Ok(undefined),
    };
    let nearest = cap_sim(references, caption, References::Max)?;
    Ok(nearest.map(|cosine| {
        let nearest = cosine.max(0.0);
        if score + nearest == 0.0 {
            return 0.0;
        }
        2.0 * score * nearest / (score + nearest)
    }))
}
