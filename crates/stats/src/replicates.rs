//! The ordered values of resamples: all of them, or only those that an interval needs.

use crate::quantile::quantile_of_sorted;

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
    values: Vec<f64>,
    n_without: usize,
    /// The error bound of the approximations.
    error: f64,
    exact: F,
}

impl<F: Fn(u64) -> Option<f64>> Near<F> {
    /// Takes one approximation for each resample, NaN if unknown; `exact` computes the value of a resample, if it has
    /// one.
    ///
    /// `None` if an exact value is not finite, since then no approximation is close to it.
    pub(crate) fn new(mut values: Vec<f64>, error: f64, exact: F) -> Option<Self> {
        let mut n_without = 0;
        if n_of(&values, |value| !value.is_finite()) > 0 {
            for (resample, value) in (0..).zip(&mut values) {
                match *value {
                    near if near.is_finite() => {}
                    near if near.is_infinite() => return None,
                    _ => match exact(resample) {
                        Some(exact) if exact.is_finite() => *value = exact,
                        Some(_) => return None,
                        None => {
                            *value = f64::INFINITY;
                            n_without += 1;
                        }
                    },
                }
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
        let between = (0..).zip(&self.values).filter(|(_, near)| (low..=high).contains(*near));
        let mut exact: Vec<f64> = between.filter_map(|(r, _)| (self.exact)(r)).collect();
        exact.sort_unstable_by(f64::total_cmp);
        exact[place - n_below]
    }
}

/// The value that exceeds this many others, if all are different. No value is NaN.
///
/// A selection among all values reads them many times. A sample gives two bounds that very likely enclose the value and
/// few others.
fn order_statistic(values: &[f64], place: usize) -> f64 {
    const EVERY: usize = 16;
    let nth = |mut values: Vec<f64>, place: usize| *values.select_nth_unstable_by(place, f64::total_cmp).1;
    let mut sample: Vec<f64> = values.iter().step_by(EVERY).copied().collect();
    // Four standard deviations of the rank in the sample, plus a margin.
    let margin = 4 + 2 * sample.len().isqrt();
    let mut high = f64::INFINITY;
    if place / EVERY + margin < sample.len() {
        let (below, &mut found, _) = sample.select_nth_unstable_by(place / EVERY + margin, f64::total_cmp);
        high = found;
        let n_below = below.len();
        sample.truncate(n_below);
    }
    let low = (place / EVERY).checked_sub(margin);
    let low = low.map_or(f64::NEG_INFINITY, |low| nth(sample, low));
    let n_below = n_of(values, |value| value < low);
    // The next value overwrites one that is not between the bounds.
    let (mut between, mut n_between) = (vec![0.0; values.len() + 1], 0);
    for &value in values {
        between[n_between] = value;
        n_between += usize::from(low <= value && value <= high);
    }
    between.truncate(n_between);
    match place.checked_sub(n_below) {
        Some(place) if place < between.len() => nth(between, place),
        _ => nth(values.to_vec(), place),
    }
}

fn n_of(values: &[f64], is_so: impl Fn(f64) -> bool) -> usize {
    values.iter().map(|&value| usize::from(is_so(value))).sum()
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
        for (n, error) in [(1, 0.5), (2, 0.0), (500, 1e-9), (501, 0.3), (77, 40.0)] {
            let exact = |r: u64| (r % 13 != 5).then(|| (draw(r) * 60.0).floor() / 3.0);
            let near: Vec<f64> = (0..n)
                .map(|r| match exact(r) {
                    Some(value) if r % 7 != 3 => value + (2.0 * draw(r + 1000) - 1.0) * error,
                    _ => f64::NAN,
                })
                .collect();
            let Replicates(held) = Replicates::of((0..n).filter_map(exact).collect());
            let near = Near::new(near, error, exact).unwrap();
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
        let approximations: Vec<f64> = (0..10_007).map(value).collect();
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
            let drawn = |place: usize| f64::from(noise.uniform(place as u64));
            let kinds: [&dyn Fn(usize) -> f64; 4] = [
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
                    if place % 3 == 0 { f64::INFINITY } else { place as f64 }
                },
            ];
            for kind in kinds {
                let values: Vec<f64> = (0..n).map(kind).collect();
                let Replicates(sorted) = Replicates::of(values.clone());
                for (place, value) in sorted.iter().enumerate() {
                    assert_eq!(order_statistic(&values, place), *value, "{n} {place}");
                }
            }
        }
    }

    #[test]
    fn nothing_is_near_infinity() {
        assert!(Near::new(vec![1.0, f64::NAN], 0.1, |_| Some(f64::INFINITY)).is_none());
        assert!(Near::new(vec![1.0, 2.0], f64::NAN, |_| Some(1.0)).is_none());
    }
}
