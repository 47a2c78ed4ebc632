//! How much the frames of a clip resemble each other.

use crate::cosine::cosine;
use neurogauge_core::{FeatureValue, Outcome, Undefined};

/// Which frames of a clip are compared with each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FramePairs {
    /// Each frame with the next.
    Adjacent,
    /// Each frame with every other.
    All,
}

/// Consistency of the frames of a clip: the mean cosine of the embeddings of its frames, over pairs of adjacent frames
/// or over all ordered pairs of different frames. The field computes it from CLIP and calls it "CLIP-pcc", though it is
/// not a correlation.
///
/// With e₁, ..., e_F the embeddings of F frames, (1 / (F − 1)) Σᵢ cos(eᵢ, eᵢ₊₁) for adjacent frames, and
/// (1 / (F (F − 1))) Σᵢ Σ_{j ≠ i} cos(eᵢ, eⱼ) for all.
///
/// **Shapes.** `frames`: F embeddings of one length, in the order of the frames, of one side.
///
/// **Range.** -1 to 1, higher is more consistent; 1 for a clip that is a still. It does not compare with the stimulus:
/// read it beside the stimulus's own (`stimulus_frame_consistency`). There is no chance level.
///
/// **Conventions.** `frame-consistency`, `frames`.
///
/// **Undefined.** Fewer than two frames; an embedding that is all zeros or not finite.
///
/// **Reference.** `sklearn.metrics.pairwise.cosine_similarity` 1.9.1 in f64, as NEURONS' released code and
/// Mind-Animator's average it, to 1e-12.
///
/// ```
/// use neurogauge_metrics::decoding::frame_consistency::{FramePairs, frame_consistency};
/// let frames: [&[f32]; 3] = [&[1.0, 0.0], &[1.0, 0.0], &[0.0, 1.0]];
/// assert_eq!(frame_consistency(&frames, FramePairs::Adjacent), Ok(0.5));
/// assert_eq!(frame_consistency(&frames, FramePairs::All), Ok(1.0 / 3.0));
/// assert!(frame_consistency(&frames[..1], FramePairs::All).is_err());
/// ```
pub fn frame_consistency<T: FeatureValue>(frames: &[&[T]], pairs: FramePairs) -> Outcome {
    // The cosine of two frames does not depend on their order.
    let later = |first: usize| match pairs {
        FramePairs::Adjacent => first + 1..(first + 2).min(frames.len()),
        FramePairs::All => first + 1..frames.len(),
    };
    let (mut sum, mut n) = (0.0, 0);
    for first in 0..frames.len() {
        for second in later(first) {
            sum += cosine(frames[first], frames[second])?;
            n += 1;
        }
    }
    match n {
        0 => Err(Undefined::Because("a clip of a single frame".into())),
        n => Ok(sum / f64::from(n)),
    }
}
