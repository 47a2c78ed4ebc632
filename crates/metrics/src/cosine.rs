//! The cosine of two embeddings.

use neurogauge_core::{FeatureValue, Outcome, Side, Undefined};
use neurogauge_stats::summation::{sum_over, sum_over_pairs};

/// a·b / (‖a‖‖b‖) in f64, undefined if a side is empty, zero throughout or not finite. Both must have the same length.
///
/// ```
/// use neurogauge_metrics::cosine;
/// assert_eq!(cosine(&[1.0, 0.0], &[3.0, 4.0]), Ok(0.6));
/// ```
pub fn cosine<T: FeatureValue>(gt: &[T], recon: &[T]) -> Outcome {
    let product = sum_over_pairs(gt, recon, |gt, recon| gt.into() * recon.into());
    let square = |value: T| value.into() * value.into();
    let squares = [(sum_over(gt, square), Side::Gt), (sum_over(recon, square), Side::Recon)];
    for (square, side) in squares {
        if !square.is_finite() {
            return Err(Undefined::NonFinite(side));
        }
    }
    for (square, side) in squares {
        if square == 0.0 {
            return Err(Undefined::Empty(side));
        }
    }
    Ok((product / squares[0].0.sqrt() / squares[1].0.sqrt()).clamp(-1.0, 1.0))
}
