//! Krippendorff's alpha: agreement of raters, with ratings missing anywhere.

use crate::overflow_guard::divisor;
use crate::{Ratings, average_ranks, summation::sum};
use neurogauge_core::{Outcome, Side, Undefined};
use serde::{Deserialize, Serialize};

/// How two ratings differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Measurement {
    /// They are equal or not: δ² = 0 or 1.
    Nominal,
    /// By how many ratings are between them, including half of those at either end: δ² is the
    /// squared difference of their average ranks among all pairable ratings.
    Ordinal,
    /// By their squared difference.
    Interval,
}

/// Krippendorff's alpha, α = 1 − D_o / D_e: the disagreement between ratings of the same item,
/// relative to that between any two ratings.
///
/// - Shapes: any pattern of missing ratings. An item with a single rating has no pair and does not count.
/// - Range: at most 1 (no disagreement); 0 is chance level; below 0 raters disagree systematically.
/// - Undefined: no item has two ratings (`NoPairs`); all ratings that count are equal (`Constant`,
///   side `Gt`).
/// - Reference: the package `krippendorff` 0.9.0 to 1e-12 (it sums over pairs of values, here
///   over deviations from means, so ratings may be real numbers at no extra cost).
///
/// ```
/// use neurogauge_stats::{Measurement, Ratings, krippendorff_alpha};
/// let survey = [1, 1, 2, 2, 3, 3, 4, 3].map(|v| Some(f64::from(v)));
/// let ratings = Ratings::new(2, survey.to_vec()).unwrap();
/// // Among 8 ratings, 1 of 4 pairs differs; of any two ratings, 23 of 28 do.
/// let alpha = krippendorff_alpha(&ratings, Measurement::Nominal).unwrap();
/// assert!((alpha - (1.0 - (1.0 / 4.0) / (23.0 / 28.0))).abs() < 1e-15);
/// ```
pub fn krippendorff_alpha(ratings: &Ratings, measurement: Measurement) -> Outcome {
    let mut items: Vec<Vec<f64>> = ratings
        .items()
        .map(|item| item.iter().copied().flatten().collect::<Vec<f64>>())
        .filter(|item| item.len() > 1)
        .collect();
    if let Some(largest) = divisor(items.iter().flatten().copied()) {
        items.iter_mut().flatten().for_each(|rating| *rating /= largest);
    }
    let all = items.concat();
    let Some(first) = all.first() else {
        return Err(Undefined::NoPairs);
    };
    if all.iter().all(|value| value == first) {
        return Err(Undefined::Constant(Side::Gt));
    }
    let (observed, expected) = match measurement {
        Measurement::Nominal => disagreements(&items, &all, unequal_pairs),
        Measurement::Interval => disagreements(&items, &all, squared_differences),
        Measurement::Ordinal => {
            // The ratings are finite, so they have ranks.
            let ranks = average_ranks(&all).unwrap_or_default();
            let mut rest = ranks.as_slice();
            let items: Vec<Vec<f64>> = items
                .iter()
                .map(|item| {
                    let (ranks, after) = rest.split_at(item.len());
                    rest = after;
                    ranks.to_vec()
                })
                .collect();
            disagreements(&items, &ranks, squared_differences)
        }
    };
    Ok(1.0 - observed / expected)
}

/// Observed and expected disagreement; `total` adds up the differences of all ordered pairs.
fn disagreements(items: &[Vec<f64>], all: &[f64], total: fn(&[f64]) -> f64) -> (f64, f64) {
    let within: Vec<f64> = items.iter().map(|item| total(item) / (item.len() - 1) as f64).collect();
    (sum(&within), total(all) / (all.len() - 1) as f64)
}

fn squared_differences(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    // Values are taken relative to the first, so that the deviations of equal values are exactly zero.
    let from_first: Vec<f64> = values.iter().map(|v| v - values[0]).collect();
    let mean = sum(&from_first) / n;
    let squares: Vec<f64> = from_first.iter().map(|d| (d - mean) * (d - mean)).collect();
    2.0 * n * sum(&squares)
}

fn unequal_pairs(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let equal: usize = sorted.chunk_by(|a, b| a == b).map(|same| same.len() * same.len()).sum();
    (values.len() * values.len() - equal) as f64
}
