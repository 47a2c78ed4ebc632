//! VQAScore: whether a reconstruction shows what the caption of its stimulus says, according to a vision-language
//! model.

use neurogauge_core::{Outcome, Undefined};

/// VQAScore of a stimulus and its reconstruction: the probability that a vision-language model answers "yes" when it is
/// shown the reconstruction and asked whether it shows what the caption of the stimulus says.
///
/// VQAScore = P("yes" | reconstruction, question(caption)), which the model gives; nothing is computed here.
///
/// - Shapes: one probability for each pair, or none.
/// - Range: 0 to 1, higher is better. Chance depends on the images, the captions and the model.
/// - Conventions: `vqa-score`.
/// - Undefined: if the model says neither yes nor no, or the stimulus has no caption.
/// - Errors: none.
/// - Reference: Lin et al. (2024), equation 1, with the question of their released code; `reference/vqa_score.py`,
///   1e-12.
///
/// ```
/// use neurogauge_metrics::decoding::vqa_score::vqa_score;
/// assert_eq!(vqa_score(Some(0.83)), Ok(0.83));
/// assert!(vqa_score(None).is_err());
/// ```
pub fn vqa_score(yes: Option<f64>) -> Outcome {
    yes.ok_or(Undefined::Because("no answer, yes or no, about the reconstruction".into()))
}
