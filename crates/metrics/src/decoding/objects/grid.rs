//! Averages over a grid of thresholds: the `official` and `paper` presets.

use super::Variant;
use super::matched::{MatchedCategory, Presence, recovered};
use neurogauge_core::{Outcome, Side, Undefined};

/// Number of thresholds in the authors' code.
const N_OFFICIAL: usize = 18;

/// Threshold `index` of the authors' code, with the rounding of its array `numpy.arange(0.05, 0.95, 0.05)`.
pub fn official_threshold(index: usize) -> f64 {
    0.05 + index as f64 * 0.05
}

/// The mean, over the official thresholds at which `side` has a category, of the share that the other side has too; 1
/// if there is no such threshold.
pub(super) fn official(matched: &[MatchedCategory<'_>], side: Side, variant: Variant) -> f64 {
    mean_share(matched, side, variant, (0..N_OFFICIAL).map(official_threshold)).unwrap_or(1.0)
}

/// The mean over the thresholds 0, 0.01, ... up to the highest score of `side`.
///
/// Threshold `i` is the f64 nearest to i / 100 (not `i * 0.01`, which misses 0.35 and nine others
/// that a detector's score may equal).
pub(super) fn paper(matched: &[MatchedCategory<'_>], side: Side, variant: Variant) -> Outcome {
    let highest = matched.iter().map(|category| category.seen_from(side).0.best).fold(f64::NEG_INFINITY, f64::max);
    let thresholds = (0..=100).map(|i| f64::from(i) / 100.0).take_while(|&threshold| threshold <= highest);
    mean_share(matched, side, variant, thresholds).ok_or(Undefined::NoCategories(side))
}

/// The mean of the shares at the ascending thresholds at which `side` has a category.
///
/// Plain left-to-right sums, then one division, to get the bits of the authors' `sum(x) / len(x)`.
fn mean_share(
    matched: &[MatchedCategory<'_>],
    side: Side,
    variant: Variant,
    thresholds: impl Iterator<Item = f64>,
) -> Option<f64> {
    let mut present: Vec<_> = matched.iter().map(|c| c.seen_from(side)).collect();
    let (mut sum, mut n_thresholds) = (0.0, 0_usize);
    for threshold in thresholds {
        // Categories below a threshold are also below all higher ones.
        present.retain(|(own, _)| own.best >= threshold);
        if present.is_empty() {
            break;
        }
        sum += share(&present, variant, threshold);
        n_thresholds += 1;
    }
    (n_thresholds > 0).then(|| sum / n_thresholds as f64)
}

/// Eq. 1 or 2 at one threshold, over the categories that the side has there.
fn share(present: &[(Presence<'_>, Presence<'_>)], variant: Variant, threshold: f64) -> f64 {
    let (mut whole, mut found) = (0.0, 0.0);
    for (own, other) in present {
        whole += own.weight;
        let is_found = other.best >= threshold;
        found += match variant {
            Variant::Number if is_found => {
                let count = |scores: &[f64]| scores.partition_point(|&s| s >= threshold);
                recovered(variant, count(own.scores), count(other.scores))
            }
            _ if is_found => own.weight,
            _ => 0.0,
        };
    }
    found / whole
}
