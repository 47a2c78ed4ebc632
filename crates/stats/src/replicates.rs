//! The ordered values of resamples: all of them, or only those that an interval needs.

use crate::quantile::quantile_of_sorted;

/// The values of a statistic over the resamples that have one, in ascending order.
pub(crate) struct Replicates(Vec<f64>);

impl Replicates {
    pub(crate) fn of(mut values: Vec<f64>) -> Self {
        values.sort_unstable_by(f64::total_cmp);
        Replicates(values)
    }

    /// Resamples that have a value.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Their `q`-quantile; there is at least one.
    pub(crate) fn quantile(&self, q: f64) -> f64 {
        quantile_of_sorted(&self.0, q)
    }

    /// How many are below a value, and how many are not above it.
    pub(crate) fn n_below_and_up_to(&self, value: f64) -> (usize, usize) {
        let below = self.0.iter().filter(|&&own| own < value).count();
        let up_to = self.0.iter().filter(|&&own| own <= value).count();
        (below, up_to)
    }
}

/// Values that are known to within an error, and the few that decide computed exactly: to the bit what all of them give.
///
/// An order statistic changes by no more than the values do. So the k-th smallest value is within the error of the k-th
/// smallest approximation, and only values whose approximations are close to that can be it.
pub(crate) struct Near<F> {
    /// The approximations of resamples that have a value.
    values: Vec<f64>,
    /// Their resamples.
    resamples: Vec<u64>,
    /// The error bound of the approximations.
    error: f64,
    exact: F,
}

impl<F: Fn(u64) -> Option<f64>> Near<F> {
    /// One approximation for each resample, NaN if unknown; `exact` computes the value of a resample, if it has one.
    ///
    /// `None` if an exact value is not finite, since then no approximation is close to it.
    pub(crate) fn new(approximations: &[f64], error: f64, exact: F) -> Option<Self> {
        let (mut values, mut resamples) = (Vec::new(), Vec::new());
        for (resample, &near) in (0..).zip(approximations) {
            let value = match near.is_nan() {
                true => exact(resample),
                false => Some(near),
            };
            if let Some(value) = value {
                values.push(value);
                resamples.push(resample);
            }
        }
        let are_finite = error.is_finite() && values.iter().all(|value| value.is_finite());
        are_finite.then_some(Near {
            values,
            resamples,
            error,
            exact,
        })
    }

    /// Resamples that have a value.
    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }

    /// The value that exceeds so many others, if all are different.
    pub(crate) fn nth(&self, place: usize) -> f64 {
        let mut values = self.values.clone();
        let (_, &mut near, _) = values.select_nth_unstable_by(place, f64::total_cmp);
        // Once for the approximation, once for the end, and once for the rounding of both.
        let (low, high) = (near - 3.0 * self.error, near + 3.0 * self.error);
        let n_below = self.values.iter().filter(|&&near| near < low).count();
        let between = self.values.iter().zip(&self.resamples);
        let between = between.filter(|(near, _)| (low..=high).contains(*near));
        let mut exact: Vec<f64> = between.filter_map(|(_, &r)| (self.exact)(r)).collect();
        exact.sort_unstable_by(f64::total_cmp);
        exact[place - n_below]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use neurogauge_core::synthetic::Synthetic;

    /// Whole numbers, so that many are equal; their approximations are off by up to `error`.
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
            let near = Near::new(&near, error, exact).unwrap();
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
        let near = Near::new(&approximations, 1e-6, exact).unwrap();
        assert_eq!(near.nth(2501), 2501.0);
        assert_eq!(asked.get(), 1);
    }

    #[test]
    fn nothing_is_near_infinity() {
        assert!(Near::new(&[1.0, f64::NAN], 0.1, |_| Some(f64::INFINITY)).is_none());
        assert!(Near::new(&[1.0, 2.0], f64::NAN, |_| Some(1.0)).is_none());
    }
}
