//! Means over subjects for new subjects and new stimuli, from resamples of stimuli.

use neurogauge_core::{Outcome, Undefined};
use neurogauge_stats::{FEWEST_SUBJECTS, StatsError, holm, student_exceeds, student_reach_of};
use serde::Serialize;

/// A mean over subjects.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TwoFactorEstimate {
    /// The mean of the subjects' values.
    #[serde(with = "neurogauge_core::recorded")]
    pub value: Outcome,
    /// For new subjects and new stimuli; with fewer than [`FEWEST_SUBJECTS`] for these and new stimuli.
    pub interval: Option<(f64, f64)>,
    /// Of a mean of 0, two-sided; `None` if that is no question.
    pub p: Option<f64>,
    /// Holm's correction of p over the estimates of one question.
    pub p_corrected: Option<f64>,
    /// The value of each subject.
    #[serde(with = "neurogauge_core::recorded::each")]
    pub subjects: Vec<Outcome>,
}

/// Largest relative difference that is put down to rounding.
const ROUNDING: f64 = 1e-12;

impl TwoFactorEstimate {
    /// The estimate of a quantity, from its value for each subject and those in each resample of the stimuli.
    ///
    /// Interval and p are Student's with the variance of [`two_factor_variance`], p with `variances` times it, and one
    /// degree of freedom fewer than there are subjects or stimuli, whichever are fewer; with too few subjects, than there
    /// are stimuli.
    ///
    /// - Undefined: the value of a subject is. There is no interval if nothing varies but by rounding.
    pub(crate) fn new(
        subjects: Vec<Outcome>,
        drawn: &[Vec<f64>],
        n_stimuli: usize,
        (level, variances): (f64, f64),
    ) -> Self {
        let values: Result<Vec<f64>, Undefined> = subjects.iter().cloned().collect();
        let mut found = TwoFactorEstimate {
            value: values.clone().map(|own| own.iter().sum::<f64>() / own.len() as f64),
            interval: None,
            p: None,
            p_corrected: None,
            subjects,
        };
        let (Ok(mean), Ok(values)) = (&found.value, values) else {
            return found;
        };
        let rounding = (ROUNDING * mean).powi(2);
        let variance = two_factor_variance(&values, drawn, n_stimuli).filter(|variance| *variance > rounding);
        let Some(variance) = variance else {
            return found;
        };
        let fewest = match values.len() {
            few if few < FEWEST_SUBJECTS => n_stimuli,
            n_subjects => n_subjects.min(n_stimuli),
        };
        let (freedom, deviation) = (fewest as f64 - 1.0, variance.sqrt());
        let reach = student_reach_of(freedom, level) * deviation;
        found.interval = Some((mean - reach, mean + reach));
        found.p = Some(2.0 * student_exceeds((mean / (variances.sqrt() * deviation)).abs(), freedom));
        found
    }

    /// Fills in Holm's correction over the estimates that have a p value.
    pub fn correct<'a>(estimates: impl Iterator<Item = &'a mut TwoFactorEstimate>) -> Result<(), StatsError> {
        let mut tested: Vec<&mut TwoFactorEstimate> = estimates.filter(|found| found.p.is_some()).collect();
        let p: Vec<f64> = tested.iter().filter_map(|found| found.p).collect();
        for (found, p) in tested.iter_mut().zip(holm(&p)?) {
            found.p_corrected = Some(p);
        }
        Ok(())
    }
}

/// The variance of a mean over subjects, for new subjects and new stimuli.
///
/// With S subjects, n stimuli, v_s and v_n the variances over resamples of subjects alone and of stimuli alone, and v_b
/// that over resamples of both, which counts the variance of single measurements three times,
///
/// V = S/(S−1) v_s + n/(n−1) v_n − S/(S−1) n/(n−1) (v_b − v_s − v_n),
///
/// at least the first and the second part, and at most S/(S−1) n/(n−1) v_b (Schütt et al., 2023). The variances over
/// resamples of subjects are those of infinitely many: the population variance over subjects divided by S. With fewer
/// than [`FEWEST_SUBJECTS`], who show too little of others, V is n/(n−1) v_n, for these subjects and new stimuli.
///
/// - Shapes: `observed` has a value for each subject; `resampled` has them for each resample of the stimuli.
/// - Undefined: `None` for fewer than two resamples, or two stimuli.
/// - Reference: rsatoolbox 0.3.2 (`_dual_bootstrap`), to 1e-12; its upper bound lacks the factors, which for few
///   subjects is below the variance over subjects.
///
/// ```
/// use neurogauge_alignment::two_factor_variance;
/// // Stimuli do not matter: Student's variance of the mean, 2.5 / 5.
/// let own = [1.0, 2.0, 3.0, 4.0, 5.0];
/// let found = two_factor_variance(&own, &[own.to_vec(), own.to_vec()], 10);
/// assert!((found.unwrap() - 0.5).abs() < 1e-15);
/// ```
pub fn two_factor_variance(observed: &[f64], resampled: &[Vec<f64>], n_stimuli: usize) -> Option<f64> {
    let (n_subjects, n_resamples) = (observed.len() as f64, resampled.len() as f64);
    if n_subjects == 0.0 || n_resamples < 2.0 || n_stimuli < 2 {
        return None;
    }
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let squares = |values: &[f64]| {
        let centre = mean(values);
        values.iter().map(|value| (value - centre).powi(2)).sum::<f64>()
    };
    let of_new = |n: f64| n / (n - 1.0);
    let means: Vec<f64> = resampled.iter().map(|values| mean(values)).collect();
    let by_stimuli = squares(&means) / (n_resamples - 1.0);
    let stimuli = of_new(n_stimuli as f64);
    if observed.len() < FEWEST_SUBJECTS {
        return Some(stimuli * by_stimuli);
    }
    let over_subjects = |values: &[f64]| squares(values) / n_subjects.powi(2);
    let by_subjects = over_subjects(observed);
    let both = by_stimuli + resampled.iter().map(|values| over_subjects(values)).sum::<f64>() / n_resamples;
    let subjects = of_new(n_subjects);
    let variance =
        subjects * by_subjects + stimuli * by_stimuli - subjects * stimuli * (both - by_subjects - by_stimuli);
    Some(variance.max(subjects * by_subjects).max(stimuli * by_stimuli).min(subjects * stimuli * both))
}
