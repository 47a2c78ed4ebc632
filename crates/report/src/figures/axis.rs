//! Maps values to pixels: ranges, ticks and their labels.

use super::scene::{Anchor, Scene, Xy};
use super::style::{GRID, QUIET, TICK, widest, words};
use crate::number::fixed;

/// Share of the range that is added at either end.
const PADDING: f64 = 0.05;
/// A range narrower than this share of its values is widened, since labels would not show the difference.
const NARROWEST: f64 = 1e-9;
/// Space between two labels, in pixels.
const BETWEEN: f64 = 7.0;
/// Values closer together than this count as equal, and values closer to zero as zero.
const SMALLEST: f64 = 1e-250;

/// A range of values with its ticks.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    pub low: f64,
    pub high: f64,
    pub ticks: Vec<f64>,
    pub labels: Vec<String>,
}

/// The smallest and largest of the finite values, or (0, 1) if there are none.
pub(super) fn ends(values: impl IntoIterator<Item = f64>) -> (f64, f64) {
    let ends = values.into_iter().fold(None, |ends, value| match ends {
        None => Some((value, value)),
        Some((low, high)) => Some((value.min(low), value.max(high))),
    });
    ends.unwrap_or((0.0, 1.0))
}

/// These ends, widened if they are nearly equal.
fn widened((low, high): (f64, f64)) -> (f64, f64) {
    let largest = low.abs().max(high.abs());
    if high - low > NARROWEST * largest && high - low > SMALLEST {
        return (low, high);
    }
    let half = if largest > SMALLEST { 0.1 * largest } else { 0.5 };
    (low - half, high + half)
}

impl Axis {
    /// A range around values, with some space at its ends and about `n_ticks` ticks.
    pub fn around(values: impl IntoIterator<Item = f64>, n_ticks: usize) -> Self {
        let (low, high) = widened(ends(values));
        let room = PADDING * (high - low);
        Axis::ticked(low - room, high + room, n_ticks)
    }

    /// A range exactly from the smallest value to the largest.
    pub fn exactly(values: impl IntoIterator<Item = f64>, n_ticks: usize) -> Self {
        let (low, high) = widened(ends(values));
        Axis::ticked(low, high, n_ticks)
    }

    fn ticked(low: f64, high: f64, n_ticks: usize) -> Self {
        let (ticks, step) = round_ticks(low, high, n_ticks);
        let labels = labels(&ticks, step);
        Axis {
            low,
            high,
            ticks,
            labels,
        }
    }

    /// The same range with as many ticks as have space for their labels in `width`, but at most `n_ticks`.
    pub fn fitted(&self, width: f64, n_ticks: usize) -> Self {
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

    /// The axis with only its integer ticks.
    pub(super) fn whole(mut self) -> Self {
        self.ticks.retain(|tick| tick.fract() == 0.0);
        self.labels = labels(&self.ticks, 1.0);
        self
    }

    /// Draws the lines of a grid over `(left, width)`, each with its number at the left.
    pub(super) fn draw_upright(&self, scene: &mut Scene, (left, wide): Xy, y_of: impl Fn(f64) -> f64) {
        for (tick, label) in self.ticks.iter().zip(&self.labels) {
            let y = y_of(*tick);
            scene.line(&[(left, y), (left + wide, y)], GRID, 1.0);
            words(scene, label, (left - 6.0, y), TICK, Anchor::End, QUIET);
        }
    }

    /// The relative position of a value in the range, from 0 to 1.
    pub fn share(&self, value: f64) -> f64 {
        (value - self.low) / (self.high - self.low)
    }
}

/// Multiples of 1, 2 or 5 times a power of ten within a range, as close together as possible but at most `n_most` and
/// at least two, and the step between them.
fn round_ticks(low: f64, high: f64, n_most: usize) -> (Vec<f64>, f64) {
    let power = ((high - low) / n_most.max(2) as f64).log10().floor() as i32;
    let multiples = |(factor, power): (f64, i32)| -> (Vec<f64>, f64) {
        // For steps below one, divide by an integer, so that ticks are exactly the decimals in their labels.
        let times = |count: f64| match power {
            0.. => count * factor * 10_f64.powi(power),
            // In two steps, since a subnormal power of ten has no finite inverse.
            ..-300 => count * factor / 1e300 / 10_f64.powi(-power - 300),
            _ => count * factor / 10_f64.powi(-power),
        };
        let step = times(1.0);
        let (first, last) = ((low / step).ceil(), (high / step).floor());
        let n = (last - first).max(-1.0) as usize + 1;
        // Limits the count, regardless of the range.
        let counts = (0..n.min(100)).map(|count| times(first + count as f64));
        (counts.filter(|tick| (low..=high).contains(tick)).collect(), step)
    };
    let steps = (power - 1..=power + 2).flat_map(|power| [1.0, 2.0, 5.0].map(|factor| (factor, power)));
    let mut finer = (Vec::new(), high - low);
    for (ticks, step) in steps.map(multiples) {
        if ticks.len() < 2 {
            break;
        }
        if ticks.len() <= n_most {
            return (ticks, step);
        }
        finer = (ticks, step);
    }
    // No step gives few enough ticks: keep the first and the last of the finer ones.
    let (ticks, step) = finer;
    ([ticks.first(), ticks.last()].into_iter().flatten().copied().collect(), step)
}

/// With as many decimals as the step needs, or as powers of ten.
fn labels(ticks: &[f64], step: f64) -> Vec<String> {
    let largest = ticks.iter().fold(0.0, |m: f64, t| m.max(t.abs()));
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
    ticks.iter().map(|tick| minus(&fixed(*tick, decimals))).collect()
}

/// The smallest number of decimals that represents a step.
fn decimals_of(step: f64) -> usize {
    let is_written = |decimals: &usize| {
        let scaled = step * 10_f64.powi(*decimals as i32);
        (scaled - scaled.round()).abs() < 1e-6 * scaled && scaled.round() > 0.0
    };
    (0..12).find(is_written).unwrap_or(12)
}

/// Replaces the hyphen by a minus sign, which is as wide as a plus sign.
pub(super) fn minus(number: &str) -> String {
    number.replace('-', "−")
}
