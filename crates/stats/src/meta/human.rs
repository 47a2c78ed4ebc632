//! One score per item from many ratings.

use super::HumanScore;
use super::units::RaterWeights;
use crate::Ratings;
use crate::summation::sum;

/// One score for each item: the mean of its ratings, or of each rater's z-scores.
///
/// - Shapes: one score for each item of the survey; `None` for an item without a rating from a rater who counts.
/// - Conventions: `human-score`.
///
/// ```
/// use neurogauge_stats::Ratings;
/// use neurogauge_stats::meta::{HumanScore, human_scores};
/// // Rater 0 gives 1 and 3, rater 1 gives 30 and 10.
/// let ratings = Ratings::new(2, [1.0, 30.0, 3.0, 10.0].map(Some).to_vec()).unwrap();
/// assert_eq!(human_scores(&ratings, HumanScore::Mean), [Some(15.5), Some(6.5)]);
/// assert_eq!(human_scores(&ratings, HumanScore::ZScore), [Some(0.0), Some(0.0)]);
/// ```
pub fn human_scores(ratings: &Ratings, score: HumanScore) -> Vec<Option<f64>> {
    HumanScores::new(ratings, score).means(&RaterWeights::Once)
}

/// Whole numbers up to this one, and their sums, are exact.
const LARGEST_EXACT: f64 = 9_007_199_254_740_992.0;

/// Ratings with up to this number of decimals are averaged as whole numbers.
const MOST_DECIMALS: i32 = 6;

/// The ratings, ready to be averaged with any weights of the raters.
pub struct HumanScores {
    n_raters: usize,
    /// Item by item, standardised by rater if requested.
    values: Vec<Option<f64>>,
    /// Values are the ratings times this factor, which makes decimals whole numbers.
    scale: f64,
    /// Sum and number of each item's ratings, if the ratings are whole numbers whose sums are exact in any order.
    exact: Option<Vec<(f64, f64)>>,
    /// Raters who are left out because all their ratings are equal and cannot be standardised.
    pub n_raters_left_out: usize,
}

impl HumanScores {
    pub fn new(ratings: &Ratings, score: HumanScore) -> Self {
        let n_raters = ratings.n_raters();
        let mut scores = HumanScores {
            n_raters,
            values: ratings.items().flatten().copied().collect(),
            scale: 1.0,
            exact: None,
            n_raters_left_out: 0,
        };
        if score == HumanScore::ZScore {
            for rater in 0..n_raters {
                scores.standardise(rater);
            }
        }
        scores.count_in_decimals();
        scores.exact = scores.exact_sums();
        scores
    }

    /// Scales ratings with few decimals to whole numbers: 0.1 + 0.3 and 0.2 + 0.2 differ in their last bits, 1 + 3 and
    /// 2 + 2 do not.
    fn count_in_decimals(&mut self) {
        let is_decimal =
            |scale: &f64| self.values.iter().flatten().all(|value| (value * scale).round() / scale == *value);
        let mut scales = (0..=MOST_DECIMALS).map(|n| 10_f64.powi(n));
        if let Some(scale) = scales.find(is_decimal) {
            self.scale = scale;
            self.values.iter_mut().flatten().for_each(|value| *value = (*value * scale).round());
        }
    }

    fn exact_sums(&self) -> Option<Vec<(f64, f64)>> {
        let items = self.values.chunks_exact(self.n_raters).map(|item| {
            let (mut total, mut size, mut n) = (0.0, 0.0, 0.0);
            for value in item.iter().flatten() {
                if value.fract() != 0.0 {
                    return None;
                }
                total += value;
                size += value.abs();
                n += 1.0;
            }
            (size <= LARGEST_EXACT).then_some((total, n))
        });
        items.collect()
    }

    fn standardise(&mut self, rater: usize) {
        let places = rater..self.values.len();
        let own: Vec<f64> = places.step_by(self.n_raters).filter_map(|place| self.values[place]).collect();
        let varies = own.windows(2).any(|two| two[0] != two[1]);
        let n = own.len() as f64;
        let mean = sum(&own) / n;
        let squares: Vec<f64> = own.iter().map(|v| (v - mean) * (v - mean)).collect();
        let deviation = (sum(&squares) / n).sqrt();
        if !varies {
            self.n_raters_left_out += 1;
        }
        for value in self.values.iter_mut().skip(rater).step_by(self.n_raters) {
            *value = value.filter(|_| varies).map(|v| (v - mean) / deviation);
        }
    }

    pub(crate) fn n_items(&self) -> usize {
        self.values.len() / self.n_raters
    }

    pub(crate) fn n_raters(&self) -> usize {
        self.n_raters
    }

    /// The ratings of one rater.
    pub(crate) fn of_rater(&self, rater: usize) -> Vec<Option<f64>> {
        (rater..self.values.len()).step_by(self.n_raters).map(|place| self.values[place]).collect()
    }

    /// The raters of an item, with their ratings on the scale of the means.
    pub(crate) fn ratings(&self, item: usize) -> impl Iterator<Item = (usize, f64)> {
        let own = self.values[item * self.n_raters..][..self.n_raters].iter().enumerate();
        own.filter_map(|(rater, value)| Some((rater, (*value)? / self.scale)))
    }

    /// The weighted mean of each item's ratings; `None` if no rater with a weight rated it.
    ///
    /// Whole ratings and decimals add up exactly, and quotients are rounded correctly: items with the same mean get the
    /// same bits, so ties stay ties.
    pub fn means(&self, weights: &RaterWeights) -> Vec<Option<f64>> {
        match weights {
            RaterWeights::Once => self.means_of(|_| 1.0),
            RaterWeights::Without(rater) => match &self.exact {
                Some(sums) => self.means_without(*rater, sums),
                None => self.means_of(|other| f64::from(u8::from(other != *rater))),
            },
            RaterWeights::Drawn(weights) => self.means_of(|rater| f64::from(weights[rater])),
        }
    }

    fn means_of(&self, weight: impl Fn(usize) -> f64) -> Vec<Option<f64>> {
        let means = self.values.chunks_exact(self.n_raters).map(|item| {
            let (mut total, mut n) = (0.0, 0.0);
            for (rater, value) in item.iter().enumerate() {
                if let Some(value) = value {
                    let weight = weight(rater);
                    total += weight * value;
                    n += weight;
                }
            }
            (n > 0.0).then(|| total / (n * self.scale))
        });
        means.collect()
    }

    /// The means without one rater, subtracted from exact sums: the bits are those of adding the other raters, and the
    /// time does not grow with the number of raters.
    fn means_without(&self, rater: usize, sums: &[(f64, f64)]) -> Vec<Option<f64>> {
        let means = self.values.iter().skip(rater).step_by(self.n_raters).zip(sums).map(|(value, &(total, n))| {
            let (total, n) = value.map_or_else(|| (total, n), |value| (total - value, n - 1.0));
            (n > 0.0).then(|| total / (n * self.scale))
        });
        means.collect()
    }
}
