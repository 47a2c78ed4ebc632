//! Statistics of pairs of items: accuracies and Kendall's correlations.

use super::stimuli::{OfStimulus, joint_of_stimuli, of_stimuli};
use crate::KendallCounts;
use crate::meta::Statistic;
use crate::summation::sum_over;
use neurogauge_core::stopping::stop_if_asked;
use rayon::prelude::*;

/// The relations of a pair: concordant, discordant, tied by the metric, by people, by both.
pub(super) const N_RELATIONS: usize = 5;

/// With more items, the pairs behind differences are not examined one by one: the correction is below a thousandth of
/// the variance.
const MOST_ITEMS: usize = 4096;

/// The contribution of each relation, and through it of each item, to a statistic of pairs.
pub(super) struct PairStatistic {
    /// The derivative of the statistic with respect to the share of pairs in each relation, minus its mean over pairs.
    of_relations: [f64; N_RELATIONS],
    /// The contribution of each unit: for an item, the mean over its pairs; for a stimulus, see [`of_stimuli`].
    of_units: Vec<f64>,
    /// Pairs of items over pairs of units.
    pairs_per_pair: f64,
}

impl PairStatistic {
    /// Computed from the pairs of each item, and from the pairs within each stimulus if some have several items. `None`
    /// for a statistic that does not use pairs, and if one side ties all pairs.
    pub(super) fn of(
        statistic: Statistic,
        of_items: &[KendallCounts],
        within: Option<&[OfStimulus]>,
        n_classes: usize,
    ) -> Option<Self> {
        let n = of_items.len() as f64;
        let mut totals = [0.0; N_RELATIONS];
        for item in of_items {
            for (total, count) in totals.iter_mut().zip(relations(item)) {
                *total += count / 2.0;
            }
        }
        let n_pairs = n * (n - 1.0) / 2.0;
        let shares = totals.map(|total| total / n_pairs);
        let derivative = derivative(statistic, shares, n, n_classes as f64)?;
        let mean: f64 = derivative.iter().zip(shares).map(|(d, s)| d * s).sum();
        let of_relations = derivative.map(|value| value - mean);
        if of_relations.iter().any(|value| !value.is_finite()) {
            return None;
        }
        let of_item = |counts: &KendallCounts| -> f64 {
            of_relations.iter().zip(relations(counts)).map(|(value, count)| value * count).sum::<f64>() / (n - 1.0)
        };
        let of_items: Vec<f64> = of_items.iter().map(of_item).collect();
        let of_units = match within {
            None => of_items,
            Some(stimuli) => of_stimuli(&of_items, stimuli, &of_relations),
        };
        let n_units = of_units.len() as f64;
        Some(PairStatistic {
            pairs_per_pair: n_pairs / (n_units * (n_units - 1.0) / 2.0),
            of_units,
            of_relations,
        })
    }

    pub(super) fn n(&self) -> f64 {
        self.of_units.len() as f64
    }

    /// The jackknife's standard error.
    pub(super) fn standard_error(&self) -> f64 {
        jackknife_variance(self.n(), sum_over(&self.of_units, |v| v * v)).sqrt()
    }

    /// Standard error and degrees of freedom of the difference from the same statistic of another metric.
    ///
    /// The variance of a mean over pairs is 4σ₁²/n + 2σ₂²/(n(n − 1)), where σ₁² is the variance of an item's
    /// contribution to its pairs and σ₂² that of the remainder of a pair. The jackknife counts the second part about
    /// twice. For one metric the first part dominates; for a difference between metrics it may be almost zero, so the
    /// surplus is subtracted. With stimuli, stimuli and their pairs replace items and pairs.
    pub(super) fn difference(&self, other: &Self, joint: Option<&Joint>) -> (f64, f64) {
        let n = self.n();
        let squares: Vec<f64> = self.of_units.iter().zip(&other.of_units).map(|(a, b)| (a - b) * (a - b)).collect();
        let squares = sum_over(&squares, |square| square);
        let mut variance = jackknife_variance(n, squares);
        if let Some(joint) = joint {
            let of_items = (n - 1.0) * (n - 1.0) / (n - 2.0) * squares;
            let rest = (self.sum_of_squares(other, joint) - of_items).max(0.0);
            let of_pairs = rest / (n * (n - 3.0) / 2.0);
            let surplus = of_pairs * (4.0 / (n * (n - 2.0)) - 2.0 / (n * (n - 1.0)));
            variance = (variance - surplus).max(variance / 2.0);
        }
        (variance.sqrt(), (n - 1.0) / 2.0)
    }

    /// The sum of squares of the contributions of all pairs of units to the difference.
    fn sum_of_squares(&self, other: &Self, joint: &Joint) -> f64 {
        let added: Vec<f64> = (0..N_CODES)
            .map(|code| {
                let [a, b] = relations_of(code);
                self.of_relations[a] - other.of_relations[b]
            })
            .collect();
        match joint {
            Joint::Items(counts) => {
                let mut total = 0.0;
                for (&count, added) in counts.iter().zip(&added) {
                    total += count as f64 * added * added;
                }
                total
            }
            Joint::Stimuli(products) => {
                let row = |row: &[u64; N_CODES]| -> f64 {
                    row.iter().zip(&added).map(|(&product, added)| product as f64 * added).sum()
                };
                let total: f64 = products.iter().zip(&added).map(|(products, added)| added * row(products)).sum();
                let scale = (self.n() - 1.0) * self.pairs_per_pair;
                total / (scale * scale)
            }
        }
    }
}

/// The jackknife's variance of a mean over the pairs of n items, from the sum of squared differences between each
/// item's mean and the overall mean.
fn jackknife_variance(n: f64, squares: f64) -> f64 {
    4.0 * (n - 1.0) / (n * (n - 2.0) * (n - 2.0)) * squares
}

pub(super) fn relations(counts: &KendallCounts) -> [f64; N_RELATIONS] {
    let KendallCounts {
        concordant,
        discordant,
        ties_x,
        ties_y,
        ties_both,
    } = *counts;
    [concordant, discordant, ties_x, ties_y, ties_both].map(|count| count as f64)
}

/// The derivative of a statistic with respect to the shares of the relations, at the observed shares.
fn derivative(
    statistic: Statistic,
    [concordant, discordant, ties_x, ties_y, _]: [f64; N_RELATIONS],
    n: f64,
    n_classes: f64,
) -> Option<[f64; N_RELATIONS]> {
    let ordered = concordant + discordant;
    Some(match statistic {
        Statistic::CalibratedAccuracy | Statistic::Accuracy => [1.0, 0.0, 0.0, 0.0, 1.0],
        Statistic::Tau23 => [1.0, -1.0, -1.0, -1.0, 1.0],
        Statistic::KendallTauC => {
            let factor = (n - 1.0) / n * n_classes / (n_classes - 1.0);
            [factor, -factor, 0.0, 0.0, 0.0]
        }
        Statistic::AccuracyOverUntied => {
            let untied = ordered + ties_x;
            let accuracy = concordant / untied;
            let wrong = -accuracy / untied;
            [(1.0 - accuracy) / untied, wrong, wrong, 0.0, 0.0]
        }
        Statistic::KendallTauB => {
            let (untied_x, untied_y) = (ordered + ties_y, ordered + ties_x);
            let scale = (untied_x * untied_y).sqrt();
            let tau = (concordant - discordant) / scale;
            let (less_x, less_y) = (tau / (2.0 * untied_x), tau / (2.0 * untied_y));
            let either = less_x + less_y;
            [1.0 / scale - either, -1.0 / scale - either, -less_y, -less_x, 0.0]
        }
        Statistic::Pearson | Statistic::Spearman => return None,
    })
}

/// The data needed to examine the pairs of a metric.
pub(super) struct PairedScores {
    pub(super) scores: Vec<f64>,
    pub(super) human: Vec<f64>,
    /// The calibrated tie threshold.
    pub(super) epsilon: f64,
    /// Positions of the items of each stimulus, if some have several.
    pub(super) stimuli: Option<Vec<Vec<u32>>>,
}

/// The ways in which two metrics and people order a pair: three each.
pub(super) const N_CODES: usize = 27;

/// Numbers of pairs by how they are ordered.
pub(super) type Counts = [u64; N_CODES];

/// Pairs of units by how two metrics and people order them.
pub(super) enum Joint {
    Items(Box<Counts>),
    /// For all pairs of stimuli, the products of any two [counts](joint_of_stimuli).
    Stimuli(Box<[Counts; N_CODES]>),
}

/// The joint relations of item pairs in two metrics; not computed for very many items.
pub(crate) struct JointPairs {
    plain: Option<Joint>,
    calibrated: Option<Joint>,
}

impl JointPairs {
    /// Relations of two metrics over the same items with the same human scores.
    pub(super) fn of(a: &PairedScores, b: &PairedScores) -> Self {
        let n = a.scores.len();
        if n > MOST_ITEMS {
            return JointPairs {
                plain: None,
                calibrated: None,
            };
        }
        let add = |[plain, calibrated]: &mut [Counts; 2], i: usize, j: usize| {
            let in_a = a.scores[j] - a.scores[i];
            let in_b = b.scores[j] - b.scores[i];
            let people = order(a.human[j] - a.human[i], 0.0);
            plain[code([order(in_a, 0.0), order(in_b, 0.0), people])] += 1;
            calibrated[code([order(in_a, a.epsilon), order(in_b, b.epsilon), people])] += 1;
        };
        let [plain, calibrated] = match &a.stimuli {
            None => joint_of_items(n, add).map(|counts| Joint::Items(Box::new(counts))),
            Some(stimuli) => joint_of_stimuli(stimuli, add).map(Joint::Stimuli),
        };
        JointPairs {
            plain: Some(plain),
            calibrated: Some(calibrated),
        }
    }

    pub(super) fn of_threshold(&self, is_calibrated: bool) -> Option<&Joint> {
        let joint = if is_calibrated { &self.calibrated } else { &self.plain };
        joint.as_ref()
    }
}

/// Counts over all pairs of items, at ε = 0 and at the calibrated thresholds.
fn joint_of_items(n: usize, add: impl Fn(&mut [Counts; 2], usize, usize) + Sync) -> [Counts; 2] {
    let of_item = |i: usize| {
        stop_if_asked();
        let mut counts = [[0; N_CODES]; 2];
        (i + 1..n).for_each(|j| add(&mut counts, i, j));
        counts
    };
    let none = || [[0; N_CODES]; 2];
    (0..n).into_par_iter().map(of_item).reduce(none, |mut sums, more| {
        for (sum, more) in sums.iter_mut().flatten().zip(more.iter().flatten()) {
            *sum += more;
        }
        sums
    })
}

/// The order of a pair: 0 below, 1 tied, 2 above.
fn order(difference: f64, epsilon: f64) -> usize {
    1 + usize::from(difference > epsilon) - usize::from(difference < -epsilon)
}

fn code([a, b, people]: [usize; 3]) -> usize {
    (a * 3 + b) * 3 + people
}

/// The relation of each of the two metrics to people.
fn relations_of(code: usize) -> [usize; 2] {
    [code / 9, code / 3 % 3].map(|metric| match (metric, code % 3) {
        (1, 1) => 4,
        (1, _) => 2,
        (_, 1) => 3,
        (metric, people) => usize::from(metric != people),
    })
}
