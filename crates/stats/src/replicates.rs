//! The ordered values of resamples: all of them, or only those that an interval needs.

use crate::quantile::quantile_of_sorted;
use multiversion::multiversion;

/// The values of a statistic over the resamples that have one, in ascending order.
pub(crate) struct Replicates(Vec<f64>);

impl Replicates {
    pub(crate) fn of(mut values: Vec<f64>) -> Self {
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
pub(crate) struct Near<F> {
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
    pub(crate) fn new(mut values: Vec<f32>, error: f32, exact: F) -> Option<Self> {
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

    pub(crate) fn len(&self) -> usize {
        self.values.len() - self.n_without
    }

    /// The value that exceeds this many others, if all are different.
    pub(crate) fn nth(&self, place: usize) -> f64 {
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
fn order_statistic(values: &[f32], place: usize) -> f32 {
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

#[cfg(test)]
mod tests {
    use super::*;
    use neurogauge_core::synthetic::Synthetic;

    /// Whole numbers make many values equal; approximations are off by up to `error`.
    #[test]
    fn what_is_nearly_known_gives_the_bits_of_what_is_known() {
        let noise = Synthetic::new("replicates", 0);
        let draw = |place: u64| f64::from(noise.uniform(place));
        for (n, error) in [(1, 0.5), (2, 0.0), (500, 1e-5), (501, 0.3), (77, 40.0), (3000, 0.1)] {
            // Approximations are in another unit: thirds.
            let thirds = |r: u64| (draw(r) * 60.0).floor();
            let exact = |r: u64| (r % 13 != 5).then(|| thirds(r) / 3.0);
            let near = |r: u64| match exact(r) {
                Some(_) => (thirds(r) + (2.0 * draw(r + 5000) - 1.0) * error) as f32,
                None => f32::NAN,
            };
            let Replicates(held) = Replicates::of((0..n).filter_map(exact).collect());
            let near = Near::new((0..n).map(near).collect(), error as f32, exact).unwrap();
            assert_eq!(near.len(), held.len());
            for (place, value) in held.iter().enumerate() {
                assert_eq!(near.nth(place), *value, "{n} {error} {place}");
            }
        }
    }

    #[test]
    fn few_values_are_computed_exactly() {
        let asked = std::cell::Cell::new(0);
        let value = |r: u64| (r * 7919 % 10_007) as f64;
        let exact = |r: u64| {
            asked.set(asked.get() + 1);
            Some(value(r))
        };
        let approximations = (0..10_007).map(|r| value(r) as f32).collect();
        let near = Near::new(approximations, 1e-6, exact).unwrap();
        assert_eq!(near.nth(2501), 2501.0);
        assert_eq!(asked.get(), 1);
    }

    /// Equal values, sorted values, an infinite one, and a place far from where a sample of every sixteenth value
    /// suggests.
    #[test]
    fn an_order_statistic_is_that_of_sorted_values() {
        let noise = Synthetic::new("places", 0);
        for n in [1, 2, 17, 300, 2000] {
            let drawn = |place: usize| noise.uniform(place as u64);
            let kinds: [&dyn Fn(usize) -> f32; 4] = [
                &drawn,
                &|place| (drawn(place) * 5.0).floor(),
                &|place| {
                    if place % 16 == 0 {
                        drawn(place) - 9.0
                    } else {
                        drawn(place)
                    }
                },
                &|place| {
                    if place % 3 == 0 { f32::INFINITY } else { place as f32 }
                },
            ];
            for kind in kinds {
                let values: Vec<f32> = (0..n).map(kind).collect();
                let mut sorted = values.clone();
                sorted.sort_unstable_by(f32::total_cmp);
                for (place, value) in sorted.iter().enumerate() {
                    assert_eq!(order_statistic(&values, place), *value, "{n} {place}");
                }
            }
        }
    }

    #[test]
    fn nothing_is_near_infinity() {
        assert!(Near::new(vec![1.0, f32::NAN], 0.1, |_| Some(1.0)).is_none());
        assert!(Near::new(vec![1.0, f32::INFINITY], 0.1, |_| None).is_none());
        assert!(Near::new(vec![1.0, 2.0], f32::NAN, |_| Some(1.0)).is_none());
    }
}
