//! Sums of values with random signs in single precision, with a bound of their error.
//!
//! Values are summed in whole numbers of small steps, so the order does not matter, and twice as many fit a vector as in
//! double precision.

use crate::flipped_sums::{FlippedSums, Signs};
use neurogauge_core::parallel;
use std::num::Wrapping;

/// The scales of systems that are summed in whole numbers.
pub struct Scales {
    n_pairs: usize,
    /// The sum of absolute values of each system.
    sizes: Vec<f64>,
    /// The largest size, which sums in single precision are divided by.
    pub unit: f64,
}

impl Scales {
    pub fn of(centred: &[Vec<f64>]) -> Self {
        let sizes = parallel::map_each(centred, |values| values.iter().map(|value| value.abs()).sum::<f64>());
        Scales {
            n_pairs: centred.first().map_or(0, Vec::len),
            unit: sizes.iter().fold(f64::MIN_POSITIVE, |most: f64, size| if *size <= most { most } else { *size }),
            sizes,
        }
    }

    /// With more pairs, errors of 32 bits would leave many flips open.
    fn are_few(&self) -> bool {
        self.n_pairs <= 8192
    }

    /// A system's values are rounded to multiples of this: its size divided by 2³⁰ or 2⁶⁰, so that no sum exceeds 32 or 64
    /// bits.
    fn step(&self, system: usize) -> f64 {
        let most = if self.are_few() { 1_u64 << 30 } else { 1_u64 << 60 };
        (self.sizes[system] / most as f64).max(f64::MIN_POSITIVE)
    }

    pub fn sums(&self, centred: &[Vec<f64>], systems: &[usize]) -> ScaledSums {
        let rows: Vec<&[f64]> = systems.iter().map(|&system| centred[system].as_slice()).collect();
        let steps: Vec<f64> = systems.iter().map(|&system| self.step(system)).collect();
        let whole = |row: usize, value: f64| (value / steps[row]).round();
        ScaledSums {
            whole: match self.are_few() {
                true => WholeSums::Of32(FlippedSums::of(&rows, |row, value| Wrapping(whole(row, value) as i32))),
                false => WholeSums::Of64(FlippedSums::of(&rows, |row, value| Wrapping(whole(row, value) as i64))),
            },
            factors: steps.iter().map(|step| step / self.unit).collect(),
            n_pairs: self.n_pairs,
        }
    }

    /// The error bound of the difference of two systems' sums, in units.
    ///
    /// n values are summed in some order with an error below (n − 1)·u·Σ|v|, u = ε/2, and the differences of the values
    /// are rounded; together these errors are less than (n + 4)·ε·(Σ|a| + Σ|b|). A whole number is off by half a step,
    /// and single precision rounds the sums, their difference and what it is compared with.
    pub fn error(&self, (a, b): (usize, usize)) -> f32 {
        let n = self.n_pairs as f64;
        let rounding = 2.0 * (n + 4.0) * f64::EPSILON + 4.0 * f64::from(f32::EPSILON);
        let steps = 0.51 * n * (self.step(a) + self.step(b));
        ((rounding * (self.sizes[a] + self.sizes[b]) + steps) / self.unit) as f32 + f32::MIN_POSITIVE
    }
}

/// Sums of systems in single precision, divided by the unit of their [`Scales`].
pub struct ScaledSums {
    whole: WholeSums,
    factors: Vec<f64>,
    pub(crate) n_pairs: usize,
}

enum WholeSums {
    Of32(FlippedSums<Wrapping<i32>, 32>),
    Of64(FlippedSums<Wrapping<i64>, 16>),
}

impl ScaledSums {
    /// For each system, the sum with the signs of each flip.
    pub fn sums(&self, signs: &Signs) -> Vec<f32> {
        match &self.whole {
            WholeSums::Of32(whole) => self.scaled(&whole.sums(signs), |sum| f64::from(sum.0)),
            WholeSums::Of64(whole) => self.scaled(&whole.sums(signs), |sum| sum.0 as f64),
        }
    }

    fn scaled<T: Copy>(&self, sums: &[T], to: impl Fn(T) -> f64) -> Vec<f32> {
        let mut scaled = Vec::with_capacity(sums.len());
        for (sums, factor) in sums.chunks_exact((sums.len() / self.n_systems().max(1)).max(1)).zip(&self.factors) {
            scaled.extend(sums.iter().map(|&sum| (to(sum) * factor) as f32));
        }
        scaled
    }

    pub(crate) fn n_systems(&self) -> usize {
        self.factors.len()
    }
}
