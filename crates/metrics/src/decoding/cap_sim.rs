//! Caption similarity.

use crate::MetricError;
use crate::cosine::cosine;
use crate::error::check_same_length;
use neurogauge_core::{FeatureValue, Outcome, Side, Undefined};
use serde::{Deserialize, Serialize};

/// How several reference captions of one stimulus give one score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum References {
    /// The mean of the similarities with each reference.
    #[default]
    Mean,
    /// The similarity with the most similar reference.
    Max,
    /// The similarity with the first reference; the others are ignored.
    First,
}

/// Cap-Sim: cosine similarity a·b / (‖a‖‖b‖) of the sentence embedding of the reconstruction's
/// caption with that of the stimulus' caption, or with each of its captions, combined by `how`.
///
/// - Shapes: one vector of `n_features` values for the reconstruction, one or more for the stimulus.
/// - Range: -1 to 1, higher is better; unrelated captions are a little above 0.
/// - Conventions: `cap-sim-references` (several captions: their mean, unless asked otherwise).
///   Embeddings are divided by their norms here, so vectors that a user brings need not be of unit
///   length; for those that are, this is SEED's dot product.
/// - Undefined: no reference, an embedding that is empty or all zeros (`Empty`), or one with a non-finite value. One
///   such reference leaves the mean and the maximum undefined.
/// - Errors: vectors of different lengths.
/// - Reference: `sentence_transformers.util.cos_sim` to 1e-6 (it computes in `f32`, this function in `f64`).
///
/// ```
/// use neurogauge_metrics::decoding::cap_sim::{References, cap_sim};
/// let references: [&[f32]; 2] = [&[1.0, 0.0], &[0.0, 2.0]];
/// let score = |how| cap_sim(&references, &[0.6, 0.8], how).unwrap().unwrap();
/// assert!((score(References::Mean) - 0.7).abs() < 1e-7);
/// assert!((score(References::Max) - 0.8).abs() < 1e-7);
/// assert!((score(References::First) - 0.6).abs() < 1e-7);
/// ```
pub fn cap_sim<T: FeatureValue>(references: &[&[T]], caption: &[T], how: References) -> Result<Outcome, MetricError> {
    let references = match how {
        References::First => &references[..references.len().min(1)],
        References::Mean | References::Max => references,
    };
    let mut similarities = Vec::with_capacity(references.len());
    for reference in references {
        check_same_length(reference, caption)?;
        match cosine(reference, caption) {
            Ok(similarity) => similarities.push(similarity),
            undefined => return Ok(undefined),
        }
    }
    let n = similarities.len() as f64;
    Ok(match how {
        _ if similarities.is_empty() => Err(Undefined::Empty(Side::Gt)),
        References::Mean | References::First => Ok(similarities.iter().sum::<f64>() / n),
        References::Max => Ok(similarities.iter().copied().fold(-1.0, f64::max)),
    })
}
