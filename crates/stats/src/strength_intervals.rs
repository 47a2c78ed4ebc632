//! Intervals of the strengths of items, which know whose choices are whose.

use crate::bradley_terry::{curvatures, pairs, probability, solved};
use crate::student_reach;
use neurogauge_core::stopping::stop_if_asked;
use neurogauge_core::{Choice, parallel};
use serde::Serialize;
use std::collections::BTreeMap;

/// With fewer raters, an interval says nothing.
const FEWEST_RATERS: usize = 3;

/// What intervals of strengths take as independent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StrengthUnit {
    Raters,
    /// The choices of a single rater.
    Choices,
}

/// The result of [`strength_intervals`].
#[derive(Debug, Clone, PartialEq)]
pub struct StrengthIntervals {
    pub unit: StrengthUnit,
    pub n_units: usize,
    /// One for each item.
    pub intervals: Vec<(f64, f64)>,
}

/// Intervals of [`bradley_terry`](crate::bradley_terry())'s strengths θ, for new raters of the same items: all choices of
/// a rater count as one. With a single rater they are for new choices of this rater.
///
/// Rater r moves the strengths by d_r = L⁺ Σₜ (yₜ − pₜ)(e_first − e_second), summed over r's choices t, where y is 1 for
/// the first item, 0 for the second and ½ for a tie, p is the fitted probability of the first, and L is the Laplacian of
/// p(1 − p). The variance of θ is R / (R − 1) Σᵣ d_r² for R raters (the infinitesimal jackknife, or cluster-robust
/// variance), and the interval is Student's with R − 1 degrees of freedom. Refitting to raters drawn with replacement
/// would cover too seldom with few raters, and fails where a draw leaves items without a limit.
///
/// - Shapes: a strength for each item; choices name items by their positions.
/// - Undefined: `None` for two raters, and for a single choice.
/// - Reference: the dense pseudo-inverse of NumPy 2.4.6, to 1e-9; coverage is in `docs/pages/project/calibration.md`.
///
/// ```
/// use neurogauge_core::{Choice, Preference};
/// use neurogauge_stats::{bradley_terry, strength_intervals};
/// // The first item is preferred in 30 of 40 choices of one person: the variance of the log odds is 1/30 + 1/10.
/// let preferred = |t| if t < 30 { Preference::First } else { Preference::Second };
/// let choices: Vec<Choice> = (0..40).map(|t| Choice { first: 0, second: 1, rater: 0, preferred: preferred(t) }).collect();
/// let strengths = bradley_terry(2, &choices).unwrap();
/// let (low, high) = strength_intervals(&strengths, &choices, 0.95).unwrap().intervals[0];
/// let error: f64 = (1.0_f64 / 30.0 + 1.0 / 10.0).sqrt() / 2.0 * (40.0_f64 / 39.0).sqrt();
/// assert!((high - low - 2.0 * 2.0227 * error).abs() < 1e-4);
/// ```
pub fn strength_intervals(strengths: &[f64], choices: &[Choice], level: f64) -> Option<StrengthIntervals> {
    let mut raters: BTreeMap<usize, Vec<&Choice>> = BTreeMap::new();
    choices.iter().for_each(|choice| raters.entry(choice.rater).or_default().push(choice));
    let (unit, units): (StrengthUnit, Vec<Vec<&Choice>>) = match raters.len() {
        0 | 1 => (StrengthUnit::Choices, choices.iter().map(|choice| vec![choice]).collect()),
        _ => (StrengthUnit::Raters, raters.into_values().collect()),
    };
    let n_units = units.len();
    let fewest = match unit {
        StrengthUnit::Raters => FEWEST_RATERS,
        StrengthUnit::Choices => 2,
    };
    if n_units < fewest {
        return None;
    }
    let rises = units.iter().map(|choices| {
        let rise = |choice: &&Choice| {
            let items = [choice.first, choice.second];
            (items, choice.preferred.of_first() - probability(items, strengths))
        };
        choices.iter().map(rise).collect()
    });
    let rises: Vec<Vec<([usize; 2], f64)>> = rises.collect();
    let pairs = pairs(choices);
    let weights = curvatures(&pairs, strengths);
    let reach = student_reach(n_units, level) * (n_units as f64 / (n_units as f64 - 1.0)).sqrt();
    let interval = |item: usize| {
        stop_if_asked();
        let mut side = vec![0.0; strengths.len()];
        side[item] = 1.0;
        let moved = solved(&pairs, &weights, side);
        let of_unit = |rises: &Vec<([usize; 2], f64)>| -> f64 {
            let moves = rises.iter().map(|([first, second], rise)| rise * (moved[*first] - moved[*second]));
            moves.sum::<f64>().powi(2)
        };
        let error = rises.iter().map(of_unit).sum::<f64>().sqrt();
        (strengths[item] - reach * error, strengths[item] + reach * error)
    };
    Some(StrengthIntervals {
        unit,
        n_units,
        intervals: parallel::map(strengths.len(), interval),
    })
}
