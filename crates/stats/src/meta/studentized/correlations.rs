//! Pearson's and Spearman's correlation, as Fisher's z with the jackknife over items.

use crate::distributions::{t_exceeded_with, t_two_sided};
use crate::meta::{IntervalNote, stimuli};
use crate::ranks::ascending;
use crate::summation::{sum, sum_over, sum_over_pairs};
use crate::{KendallCounts, StatsError, average_ranks, pearson, spearman};
use neurogauge_core::Undefined;
use neurogauge_core::parallel;
use neurogauge_core::stopping::stop_if_asked;

/// A correlation this close to 1 is perfect except for rounding.
const PERFECT: f64 = 1.0 - 1e-12;

/// If removing an item leaves less of a sample's variance than this, the correlation is computed again: subtracting
/// would leave rounding errors.
const KEPT_VARIANCE: f64 = 1e-3;

/// A correlation r as z = artanh r.
pub(super) struct FisherZ {
    z: f64,
    /// The jackknife's n·z − (n − 1)·z₍ᵢ₎, minus their mean.
    deviations: Vec<f64>,
    /// The mean of these: z corrected for bias.
    corrected: f64,
}

impl FisherZ {
    fn of(correlation: f64, without_each: &[Option<f64>]) -> Result<Self, IntervalNote> {
        if correlation.abs() >= PERFECT {
            return Err(IntervalNote::NoSpread);
        }
        let z = correlation.atanh();
        let n = without_each.len() as f64;
        let pseudo_values = without_each.iter().map(|without| {
            let without = without.filter(|r| r.abs() < PERFECT)?;
            Some(n * z - (n - 1.0) * without.atanh())
        });
        let pseudo_values = pseudo_values.collect::<Option<Vec<f64>>>().ok_or(IntervalNote::RestsOnOneItem)?;
        let corrected = sum(&pseudo_values) / n;
        Ok(FisherZ {
            z,
            deviations: pseudo_values.iter().map(|v| v - corrected).collect(),
            corrected,
        })
    }

    fn df(&self) -> f64 {
        self.deviations.len() as f64 - 1.0
    }

    fn standard_error(&self) -> f64 {
        let n = self.deviations.len() as f64;
        (sum_over(&self.deviations, |v| v * v) / (n * (n - 1.0))).sqrt()
    }

    pub(super) fn interval(&self, tail: f64) -> (f64, f64) {
        let reach = t_exceeded_with(tail, self.df()) * self.standard_error();
        ((self.corrected - reach).tanh(), (self.corrected + reach).tanh())
    }

    /// Zou's interval (2007) for the difference of two correlations, from the intervals of both and their covariance.
    /// Bias mostly cancels and is not corrected.
    pub(super) fn difference(&self, other: &Self, tail: f64) -> (f64, f64) {
        self.ends(other, t_exceeded_with(tail, self.df()))
    }

    /// One minus the level of the interval that ends at 0.
    pub(super) fn difference_p(&self, other: &Self) -> f64 {
        if self.z == other.z {
            return 1.0;
        }
        let reaches_zero = |factor: f64| {
            let (low, high) = self.ends(other, factor);
            low <= 0.0 && 0.0 <= high
        };
        let (mut short, mut far) = (0.0, 1.0);
        while !reaches_zero(far) && far < 1e6 {
            (short, far) = (far, 2.0 * far);
        }
        for _ in 0..60 {
            let middle = (short + far) / 2.0;
            if reaches_zero(middle) {
                far = middle;
            } else {
                short = middle;
            }
        }
        t_two_sided(far, self.df())
    }

    /// The ends of the interval if the intervals of both extend `factor` standard errors of z.
    fn ends(&self, other: &Self, factor: f64) -> (f64, f64) {
        let [own, others] = [self, other].map(|of| {
            let reach = factor * of.standard_error();
            let r = of.z.tanh();
            (r, r - (of.z - reach).tanh(), (of.z + reach).tanh() - r)
        });
        let together = sum_over_pairs(&self.deviations, &other.deviations, |a, b| a * b);
        let [alone, others_alone] = [self, other].map(|of| sum_over(&of.deviations, |v| v * v).sqrt());
        let between = together / alone / others_alone;
        let between = if between.is_finite() {
            between.clamp(-1.0, 1.0)
        } else {
            0.0
        };
        let reach = |a: f64, b: f64| (a * a + b * b - 2.0 * between * a * b).max(0.0).sqrt();
        let difference = own.0 - others.0;
        (difference - reach(own.1, others.2), difference + reach(own.2, others.1))
    }
}

/// Pearson's correlation, and its value without each item.
pub(super) fn pearson_without_each(x: &[f64], y: &[f64]) -> Result<Result<FisherZ, IntervalNote>, StatsError> {
    let Ok(all) = pearson(x, y)? else {
        return Ok(Err(IntervalNote::NoSpread));
    };
    let n = x.len() as f64;
    let centred = |sample: &[f64]| -> Vec<f64> {
        let first = sample[0];
        let mean = sum_over(sample, |v| v - first) / n;
        sample.iter().map(|v| (v - first) - mean).collect()
    };
    let (dx, dy) = (centred(x), centred(y));
    let [xx, yy] = [&dx, &dy].map(|d| sum_over(d, |v| v * v));
    let xy = sum_over_pairs(&dx, &dy, |a, b| a * b);
    let without = (0..x.len()).map(|item| {
        let factor = n / (n - 1.0);
        let left_x = xx - factor * dx[item] * dx[item];
        let left_y = yy - factor * dy[item] * dy[item];
        let keeps = |left: f64, of: f64| left > KEPT_VARIANCE * of && of.is_normal();
        if keeps(left_x, xx) && keeps(left_y, yy) {
            let left = xy - factor * dx[item] * dy[item];
            return Ok(Some(left / left_x.sqrt() / left_y.sqrt()));
        }
        stop_if_asked();
        let but = |sample: &[f64]| [&sample[..item], &sample[item + 1..]].concat();
        Ok(pearson(&but(x), &but(y))?.ok())
    });
    let without: Vec<Option<f64>> = without.collect::<Result<_, StatsError>>()?;
    Ok(FisherZ::of(all, &without))
}

/// Spearman's correlation, and its value without each item, in O(n log n).
///
/// Without item i, the rank of j is r_j − (1 + sign(x_j − x_i))/2, so the products of ranks of all others add up to
/// sums of ranks above and below i, and the concordant minus the discordant pairs of i.
pub(super) fn spearman_without_each(
    x: &[f64],
    y: &[f64],
    of_items: &[KendallCounts],
) -> Result<Result<FisherZ, IntervalNote>, StatsError> {
    let (ranks_x, ranks_y) = (average_ranks(x)?, average_ranks(y)?);
    let Ok(all) = pearson(&ranks_x, &ranks_y)? else {
        return Ok(Err(IntervalNote::NoSpread));
    };
    let n = x.len() as f64;
    let (ties_x, ties_y) = (Ties::of(x), Ties::of(y));
    let above_x = signed_sums(x, &ranks_y);
    let above_y = signed_sums(y, &ranks_x);
    let products = sum_over_pairs(&ranks_x, &ranks_y, |a, b| a * b);
    let ranks = n * (n + 1.0) / 2.0;
    let without = (0..x.len()).map(|item| {
        let (own_x, own_y) = (ranks_x[item], ranks_y[item]);
        let excess = of_items[item].excess();
        let left =
            products - own_x * own_y - (ranks - own_y + above_x[item]) / 2.0 - (ranks - own_x + above_y[item]) / 2.0
                + ((n - 1.0) + (n + 1.0 - 2.0 * own_x) + (n + 1.0 - 2.0 * own_y) + excess) / 4.0;
        // There are n − 1 ranks with mean n/2.
        let covariance = left - (n - 1.0) * n * n / 4.0;
        let (left_x, left_y) = (ties_x.without(item), ties_y.without(item));
        (left_x > 0.0 && left_y > 0.0).then(|| covariance / left_x.sqrt() / left_y.sqrt())
    });
    let without: Vec<Option<f64>> = without.collect();
    Ok(FisherZ::of(all, &without))
}

/// Both correlations, and their values with each stimulus left out.
pub(super) fn without_each_stimulus(
    x: &[f64],
    y: &[f64],
    stimuli: &[Vec<u32>],
) -> Result<[Result<FisherZ, IntervalNote>; 2], StatsError> {
    let both = |x: &[f64], y: &[f64]| Ok::<_, StatsError>([pearson(x, y)?, spearman(x, y)?]);
    let without = |places: &Vec<u32>| {
        stop_if_asked();
        let [kept_x, kept_y] = [x, y].map(|sample| stimuli::without(sample, places));
        Ok(both(&kept_x, &kept_y)?.map(Result::ok))
    };
    let without: Vec<[Option<f64>; 2]> = parallel::try_map_each(stimuli, without)?;
    let of = |all: Result<f64, Undefined>, place: usize| {
        let without: Vec<Option<f64>> = without.iter().map(|found| found[place]).collect();
        FisherZ::of(all.map_err(|_| IntervalNote::NoSpread)?, &without).map_err(|note| match note {
            IntervalNote::RestsOnOneItem => IntervalNote::RestsOnOneStimulus,
            other => other,
        })
    };
    let [pearson, spearman] = both(x, y)?;
    Ok([of(pearson, 0), of(spearman, 1)])
}

/// For each item, the sum of `values` above it in the order of `sample`, minus the sum below it.
fn signed_sums(sample: &[f64], values: &[f64]) -> Vec<f64> {
    let order = ascending(sample);
    let total = sum(values);
    let mut sums = vec![0.0; sample.len()];
    // Ranks are multiples of ½, so every sum is exact.
    let mut below = 0.0;
    for tied in order.chunk_by(|&a, &b| sample[a] == sample[b]) {
        let own: f64 = tied.iter().map(|&item| values[item]).sum();
        for &item in tied {
            sums[item] = total - own - 2.0 * below;
        }
        below += own;
    }
    sums
}

/// The number of items with each value of a sample.
struct Ties {
    of_items: Vec<f64>,
    /// Σ(t³ − t) over groups of t equal values.
    total: f64,
}

impl Ties {
    fn of(sample: &[f64]) -> Self {
        let mut of_items = vec![0.0; sample.len()];
        let mut total = 0.0;
        for tied in ascending(sample).chunk_by(|&a, &b| sample[a] == sample[b]) {
            let size = tied.len() as f64;
            total += size * size * size - size;
            tied.iter().for_each(|&item| of_items[item] = size);
        }
        Ties { of_items, total }
    }

    /// The sum of squared deviations of the ranks without one item.
    fn without(&self, item: usize) -> f64 {
        let cubic = |size: f64| size * size * size - size;
        let own = self.of_items[item];
        let total = self.total - cubic(own) + cubic(own - 1.0);
        (cubic(self.of_items.len() as f64 - 1.0) - total) / 12.0
    }
}
