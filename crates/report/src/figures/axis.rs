//! From values to pixels: ranges, ticks and their labels.

use super::style::{TICK, widest};
use crate::number::fixed;
use plotters::coord::ranged1d::Ranged;
use plotters::coord::types::RangedCoordf64;

/// Share of the range that is left free at either end.
const PADDING: f64 = 0.05;
/// A range narrower than this share of its values is no range: their digits would not tell.
const NARROWEST: f64 = 1e-9;
/// Room between two labels in pixels.
const BETWEEN: f64 = 7.0;
/// Values closer together than this, or closer to zero, are taken for equal, or for zero.
const SMALLEST: f64 = 1e-250;

/// A range of values with its ticks.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Axis {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) ticks: Vec<f64>,
    pub(super) labels: Vec<String>,
}

/// The ends of finite values, or (0, 1) where there is none.
pub(super) fn ends(values: impl IntoIterator<Item = f64>) -> (f64, f64) {
    let ends = values.into_iter().fold(None, |ends, value| match ends {
        None => Some((value, value)),
        Some((low, high)) => Some((value.min(low), value.max(high))),
    });
    ends.unwrap_or((0.0, 1.0))
}

/// The same, made wider where they are all but equal.
fn widened((low, high): (f64, f64)) -> (f64, f64) {
    let largest = low.abs().max(high.abs());
    if high - low > NARROWEST * largest && high - low > SMALLEST {
        return (low, high);
    }
    let half = if largest > SMALLEST {
        0.1 * largest
    } else {
        0.5
    };
    (low - half, high + half)
}

impl Axis {
    /// A range around values, with some room at its ends and about `n_ticks` ticks.
    pub(super) fn around(values: impl IntoIterator<Item = f64>, n_ticks: usize) -> Self {
        let (low, high) = widened(ends(values));
        let room = PADDING * (high - low);
        Axis::ticked(low - room, high + room, n_ticks)
    }

    /// Exactly from the lowest of the values to the highest.
    pub(super) fn exactly(values: impl IntoIterator<Item = f64>, n_ticks: usize) -> Self {
        let (low, high) = widened(ends(values));
        Axis::ticked(low, high, n_ticks)
    }

    fn ticked(low: f64, high: f64, n_ticks: usize) -> Self {
        let ticks: Vec<f64> = RangedCoordf64::from(low..high).key_points(n_ticks);
        let labels = labels(&ticks);
        Axis {
            low,
            high,
            ticks,
            labels,
        }
    }

    /// The same range with as many ticks (at most `n_ticks`) as have room for their labels in
    /// `width`.
    pub(super) fn fitted(&self, width: f64, n_ticks: usize) -> Self {
        let mut fewer = (2..=n_ticks.max(2)).rev();
        let fits = |axis: &Axis| {
            let each = widest(&axis.labels, TICK) + BETWEEN;
            axis.ticks.len() as f64 * each <= width
        };
        fewer
            .by_ref()
            .map(|n| Axis::ticked(self.low, self.high, n))
            .find(fits)
            .unwrap_or_else(|| Axis::ticked(self.low, self.high, 2))
    }

    /// How far along the range a value lies, from 0 to 1.
    pub(super) fn share(&self, value: f64) -> f64 {
        (value - self.low) / (self.high - self.low)
    }
}

/// With the decimals that their steps need, or in powers of ten.
fn labels(ticks: &[f64]) -> Vec<String> {
    let largest = ticks.iter().fold(0.0, |m: f64, t| m.max(t.abs()));
    let step = ticks
        .windows(2)
        .map(|two| two[1] - two[0])
        .fold(f64::INFINITY, f64::min);
    let step = if step.is_finite() { step } else { largest };
    if largest >= 1e6 || (largest > 0.0 && largest < 1e-4) {
        let digits = (largest.log10().floor() - step.log10().floor()).clamp(0.0, 12.0) as usize;
        return ticks
            .iter()
            .map(|tick| {
                let small = tick.abs() < step * 1e-6;
                if small {
                    "0".to_owned()
                } else {
                    minus(&format!("{tick:.digits$e}"))
                }
            })
            .collect();
    }
    let decimals = decimals_of(step);
    ticks
        .iter()
        .map(|tick| minus(&fixed(*tick, decimals)))
        .collect()
}

/// The fewest decimals that write a step down.
fn decimals_of(step: f64) -> usize {
    let is_written = |decimals: &usize| {
        let scaled = step * 10_f64.powi(*decimals as i32);
        (scaled - scaled.round()).abs() < 1e-6 * scaled && scaled.round() > 0.0
    };
    (0..12).find(is_written).unwrap_or(12)
}

/// With a minus sign as wide as a plus sign.
pub(super) fn minus(number: &str) -> String {
    number.replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_within_the_range() {
        let axis = Axis::around([0.0, 1.0], 6);
        assert_eq!(axis.labels, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert!((axis.share(0.5) - 0.5).abs() < 1e-12);
        for ends in [[-3.0, 7.0], [0.123, 0.1234], [1e-7, 3e-7], [-2e9, 5e8]] {
            let axis = Axis::around(ends, 6);
            assert!((2..=6).contains(&axis.ticks.len()), "{ends:?} {axis:?}");
            let inside = |tick: &f64| (axis.low..=axis.high).contains(tick);
            assert!(axis.ticks.iter().all(inside), "{axis:?}");
            let mut labels = axis.labels.clone();
            labels.dedup();
            assert_eq!(labels, axis.labels);
        }
    }

    #[test]
    fn equal_values_get_a_range_around_them() {
        for value in [0.0, 5.0, -1e-12, 1e12] {
            let axis = Axis::around([value, value], 5);
            assert!(axis.low < value && value < axis.high, "{value}: {axis:?}");
            assert!(!axis.ticks.is_empty());
        }
        let almost = Axis::around([1e16, 1e16 + 2.0], 5);
        assert!(almost.ticks.len() <= 5);
        assert_eq!(Axis::around([], 5), Axis::around([0.0, 1.0], 5));
    }

    #[test]
    fn wide_labels_leave_room_for_fewer_ticks() {
        let axis = Axis::around([123_456.0, 123_457.0], 8);
        assert!(axis.fitted(90.0, 8).ticks.len() < axis.ticks.len());
    }
}
