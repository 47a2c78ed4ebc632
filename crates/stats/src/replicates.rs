//! The ordered values of resamples: all of them, or only those that an interval needs.

use crate::quantile::quantile_of_sorted;
use multiversion::multiversion;

/// The values of a statistic over the resamples that have one, in ascending order.
pub struct Replicates(pub Vec<f64>);

impl Replicates {
    pub fn of(mut values: Vec<f64>) -> Self {
        values.sort_unstable_by(f64::total_cmp);
        Replicates(values)
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The `q`-quantile of at least one value.
    pub(crate) fn quantile(&self, q: f64) -> f64 {
        quantile_of_sorted(&self.0, q)
    }

    /// The numbers of values below a value, and of values not above it.
    pub(crate) fn n_below_and_up_to(&self, value: f64) -> (usize, usize) {
        let below = self.0.iter().filter(|&&own| own < value).count();
        let up_to = self.0.iter().filter(|&&own| own <= value).count();
        (below, up_to)
    }
}

/// Twice the smaller share of differences on one side of zero, never 0; `None` without differences.
pub(crate) fn two_sided_p(differences: &[f64]) -> Option<f64> {
    if differences.is_empty() {
        return None;
    }
    let at_most_zero = differences.iter().filter(|&&d| d <= 0.0).count();
    let at_least_zero = differences.iter().filter(|&&d| d >= 0.0).count();
    let smaller = at_most_zero.min(at_least_zero) as f64;
    Some((2.0 * (1.0 + smaller) / (1.0 + differences.len() as f64)).min(1.0))
}

/// Approximate values with a known error bound. The few that decide are computed exactly, so results equal those of all
/// exact values to the bit.
///
/// An order statistic changes by no more than the values do. So the k-th smallest value is within the error of the k-th
/// smallest approximation, and only values whose approximations are close to it are candidates.
pub struct Near<F> {
    /// The approximation of each resample; infinite for one without a value.
    values: Vec<f32>,
    n_without: usize,
    /// The error bound of the approximations.
    error: f32,
    exact: F,
}

impl<F: Fn(u64) -> Option<f64>> Near<F> {
    /// Takes one approximation for each resample, in any unit, and NaN for one that may have no value; `exact` computes
    /// the value of a resample, if it has one.
    ///
    /// `None` if a value is not approximated.
    pub fn new(mut values: Vec<f32>, error: f32, exact: F) -> Option<Self> {
        let mut n_without = 0;
        if n_of(&values, |value| !value.is_finite()) > 0 {
            for (resample, value) in (0..).zip(&mut values).filter(|(_, value)| !value.is_finite()) {
                if value.is_infinite() || exact(resample).is_some() {
                    return None;
                }
                *value = f32::INFINITY;
                n_without += 1;
            }
        }
        error.is_finite().then_some(Near {
            values,
            n_without,
            error,
            exact,
        })
    }

    pub fn n_values(&self) -> usize {
        self.values.len() - self.n_without
    }

    /// The value that exceeds this many others, if all are different.
    pub fn nth(&self, place: usize) -> f64 {
        let near = order_statistic(&self.values, place);
        // The error counts once for the approximation, once for the end, and once for the rounding of both.
        let (low, high) = (near - 3.0 * self.error, near + 3.0 * self.error);
        let n_below = n_of(&self.values, |value| value < low);
        let mut exact: Vec<f64> = between(&self.values, low, high).filter_map(|(r, _)| (self.exact)(r)).collect();
        exact.sort_unstable_by(f64::total_cmp);
        exact[place - n_below]
    }
}

/// The value that exceeds this many others, if all are different. No value is NaN.
///
/// A selection among all values reads them many times. A sample gives two bounds that very likely enclose the value, and
/// counts narrow them until few others are between.
pub fn order_statistic(values: &[f32], place: usize) -> f32 {
    const EVERY: usize = 16;
    const FEW: usize = 32;
    let nth = |mut values: Vec<f32>, place: usize| *values.select_nth_unstable_by(place, f32::total_cmp).1;
    let sample: Vec<f32> = values.iter().step_by(EVERY).copied().collect();
    // Four standard deviations of the rank in the sample, plus a margin.
    let rank = place / EVERY;
    let margin = 4 + 4 * rank.min(sample.len() - rank).isqrt();
    let mut high = match rank + margin < sample.len() {
        true => nth(sample.clone(), rank + margin),
        false => f32::INFINITY,
    };
    let mut low = rank.checked_sub(margin).map_or(f32::NEG_INFINITY, |low| nth(sample, low));
    let mut n_below = n_of(values, |value| value < low);
    let mut n_between = n_of(values, |value| value <= high).saturating_sub(n_below);
    while n_between > FEW {
        let middle = low + 0.5 * (high - low);
        if !(low < middle && middle < high) {
            break;
        }
        // The value is not below the middle if so many are.
        let n_lower = n_of(values, |value| value < middle);
        if n_lower <= place {
            n_between -= n_lower - n_below;
            (low, n_below) = (middle, n_lower);
        } else {
            (high, n_between) = (middle, n_lower - n_below);
        }
    }
    let some: Vec<f32> = between(values, low, high).map(|(_, value)| value).collect();
    match place.checked_sub(n_below) {
        Some(place) if place < some.len() => nth(some, place),
        _ => nth(values.to_vec(), place),
    }
}

/// The values from `low` to `high`, with their places.
fn between(values: &[f32], low: f32, high: f32) -> impl Iterator<Item = (u64, f32)> {
    const BLOCK: usize = 64;
    let is_between = move |value: f32| low <= value && value <= high;
    // Most blocks have none, which is found without a branch for each value.
    let blocks = values.chunks(BLOCK).enumerate().filter(move |(_, block)| n_of(block, is_between) > 0);
    let places = blocks.flat_map(|(block, values)| ((block * BLOCK) as u64..).zip(values.iter().copied()));
    places.filter(move |(_, value)| is_between(*value))
}

#[multiversion(targets("x86_64+avx512f+avx512vl+avx512bw", "x86_64+avx2"))]
fn n_of(values: &[f32], is_so: impl Fn(f32) -> bool) -> usize {
    // Without a check of each addition, which would be one at a time.
    values.iter().fold(0_u32, |n, &value| n.wrapping_add(u32::from(is_so(value)))) as usize
}
