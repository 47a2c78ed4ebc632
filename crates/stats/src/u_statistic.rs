//! Means over pairs that are each other's distractors.
//!
//! Such a mean is a U-statistic: every stimulus contributes as a target and as a distractor of all others, so the
//! outcomes of pairs are not independent, and their spread reflects only half of the variability over stimuli. The
//! delete-one jackknife removes a stimulus from both roles at once.

use crate::distributions::{beta_quantile, normal_quantile, t_exceeded_with};
use crate::mean_of_means::{MeanOfMeans, NO_SPREAD};
pub use crate::stimuli::of_stimuli;
use crate::stimuli::{are_distinct, values_of_stimuli};
use crate::summation::sum;
use crate::{BootstrapOptions, MeanInterval, StatsError, estimate, estimate_over_stimuli, standard_deviation};
use neurogauge_core::{Estimate, Outcome};
use std::collections::{BTreeMap, BTreeSet};

/// With fewer stimuli, nothing is left to compare after removing one.
pub const FEWEST_STIMULI: usize = 3;

/// Jackknife pseudo-values p_k = θ + (n − 1)(m − θ₍₋ₖ₎), where θ₍₋ₖ₎ is the estimate without item k and m is the mean
/// of the θ₍₋ₖ₎.
///
/// Their mean is θ, and their variance over n is the jackknife's variance of θ: for a U-statistic, it covers all roles
/// of an item and their covariance (Arvesen, 1969). The differences of two estimates' pseudo-values over the same items
/// are the pseudo-values of the estimates' difference, so any method for one value per item works with these too.
///
/// - Shapes: `without` holds θ₍₋ₖ₎ for each of n items.
/// - Undefined: nothing.
/// - Reference: NumPy, leaving out every item in turn, and the structural components of Sen (1960) and DeLong et al.
///   (1988), to 1e-12.
///
/// ```
/// use neurogauge_stats::u_statistic::pseudo_values;
/// // Of a mean they are the values themselves: 1, 2 and 6 have the mean 3, and 4, 3.5 and 1.5 without one of them.
/// assert_eq!(pseudo_values(3.0, &[4.0, 3.5, 1.5]), [1.0, 2.0, 6.0]);
/// ```
pub fn pseudo_values(estimate: f64, without: &[f64]) -> Vec<f64> {
    let n = without.len() as f64;
    let mean = sum(without) / n;
    without.iter().map(|without: &f64| estimate + (n - 1.0) * (mean - without)).collect()
}

/// A statistic θ of n items with the interval of the jackknife: that of the mean of its pseudo-values.
///
/// - Shapes: `without` has θ with each of the n items left out.
/// - Undefined: no interval in the cases of [`estimate`], which computes it.
///
/// ```
/// use neurogauge_stats::u_statistic::jackknifed;
/// let found = jackknifed(3.0, &[4.0, 3.5, 1.5], &Default::default()).unwrap();
/// assert_eq!((found.value, found.n), (Ok(3.0), 3));
/// ```
pub fn jackknifed(value: f64, without: &[f64], options: &BootstrapOptions) -> Result<Estimate, StatsError> {
    let pseudo: Vec<Outcome> = pseudo_values(value, without).into_iter().map(Ok).collect();
    Ok(Estimate {
        value: Ok(value),
        ..estimate(&[&pseudo], options)?
    })
}

/// The interval of a U-statistic of values between 0 and 1, from its pseudo-values.
///
/// Near 1, few items account for the whole loss ℓ = 1 − θ, and the mean is far from normal. The interval is that of Fay
/// and Feuer (1997) for a weighted sum of rare events, with beta instead of gamma distributions, since ℓ is at most 1.
/// Each distribution is given by its mean m and variance u, as B(m, u) = beta(m·e, (1 − m)·e) with e = m(1 − m)/u:
///
/// - ℓ is at least the α/2 quantile of B(ℓ, v);
/// - ℓ is at most the 1 − α/2 quantile of B(ℓ + w, v + w²), as if one more event of size w had been observed,
///   w = (1 − 2ℓ)²·max_k(1 − p_k)/n.
///
/// v is the jackknife's variance times (t/z)², t and z being the quantiles of Student's distribution with n − 1 degrees
/// of freedom and of the normal one (Korn and Graubard, 1998). The factor of w is 0 at one half, where nothing is rare.
/// Below one half, θ takes the place of ℓ. If ℓ is 0, 1 − θ is at most 1 − (α/2)^(1/n), the exact bound of a share
/// (Clopper and Pearson): a mean loss above p needs at least a share p of items with any loss.
///
/// - Shapes: `mean` is θ, `pseudo` holds a value for each of n independent items.
/// - Range: within 0 to 1.
/// - Undefined: `None` below [`FEWEST_STIMULI`] items, and if all pseudo-values are equal although θ is neither 0
///   nor 1.
/// - Reference: `scipy.stats.beta.ppf` 1.17.1 on the same parameters, to 1e-9; `docs/pages/project/calibration.md` has
///   the coverage.
///
/// ```
/// use neurogauge_stats::u_statistic::interval;
/// // Nobody of thirty is mistaken: 1 − 0.025^(1/30) is the largest share that may have been missed.
/// let (low, high) = interval(1.0, &[1.0; 30], 0.95).unwrap();
/// assert!((low - 0.8843).abs() < 1e-4 && high == 1.0);
/// // One of thirty loses a tenth.
/// let mut one = [1.0; 30];
/// one[0] = 0.9;
/// let (low, high) = interval(1.0 - 0.1 / 30.0, &one, 0.95).unwrap();
/// assert!((low - 0.9812).abs() < 1e-4 && high < 1.0);
/// ```
pub fn interval(mean: f64, pseudo: &[f64], level: f64) -> Option<(f64, f64)> {
    if pseudo.len() < FEWEST_STIMULI {
        return None;
    }
    if mean < 0.5 {
        return of_rare(mean, pseudo.iter().copied(), level);
    }
    let (low, high) = of_rare(1.0 - mean, pseudo.iter().map(|value| 1.0 - value), level)?;
    Some((1.0 - high, 1.0 - low))
}

/// The interval of a mean that is at most one half.
fn of_rare(mean: f64, pseudo: impl ExactSizeIterator<Item = f64>, level: f64) -> Option<(f64, f64)> {
    let pseudo: Vec<f64> = pseudo.collect();
    let (n, tail) = (pseudo.len() as f64, (1.0 - level) / 2.0);
    let centre = sum(&pseudo) / n;
    let squares: Vec<f64> = pseudo.iter().map(|p| (p - centre).powi(2)).collect();
    let variance = sum(&squares) / (n * (n - 1.0));
    if mean <= NO_SPREAD && variance.sqrt() <= NO_SPREAD {
        return Some((0.0, 1.0 - tail.powf(1.0 / n)));
    }
    if variance.sqrt() <= NO_SPREAD {
        return None;
    }
    let widened = t_exceeded_with(tail, n - 1.0) / normal_quantile(1.0 - tail);
    let variance = variance * widened * widened;
    let largest = pseudo.iter().copied().fold(f64::MIN, f64::max);
    let further = (1.0 - 2.0 * mean).powi(2) * largest / n;
    let low = quantile_with(mean, variance, tail);
    let high = quantile_with(mean + further, variance + further * further, 1.0 - tail);
    Some((low, high))
}

/// A quantile of the beta distribution of this mean and variance, in the sense of [`interval`].
fn quantile_with(mean: f64, variance: f64, probability: f64) -> f64 {
    if mean <= 0.0 || mean >= 1.0 {
        return mean.clamp(0.0, 1.0);
    }
    let size = mean * (1.0 - mean) / variance;
    beta_quantile(probability, mean * size, (1.0 - mean) * size)
}

/// The equivalent number of equal events, whose count would be as uncertain as the mean's distance to the nearer end, 0
/// or 1: ℓ²/v, in the notation of [`interval()`].
///
/// Below two, the worst event that may have been missed dominates the interval, which then covers the truth more often
/// than its level requires.
///
/// ```
/// use neurogauge_stats::u_statistic::n_events;
/// // Four of forty fail.
/// let pseudo: Vec<f64> = (0..40).map(|item| f64::from(item >= 4)).collect();
/// assert!((n_events(0.9, &pseudo) - 4.333).abs() < 1e-3);
/// ```
pub fn n_events(mean: f64, pseudo: &[f64]) -> f64 {
    let rare = mean.min(1.0 - mean);
    match standard_deviation(pseudo) {
        Some(sd) if rare > NO_SPREAD && sd > 0.0 => rare * rare * pseudo.len() as f64 / (sd * sd),
        _ => 0.0,
    }
}

/// The pseudo-value of each pair's stimulus if pairs are not each other's distractors: that of a mean, as in
/// [`estimate_over_stimuli`](crate::estimate_over_stimuli()). If every pair has a different stimulus, these are the
/// outcomes themselves.
///
/// ```
/// use neurogauge_stats::u_statistic::of_mean;
/// // Of the mean 0.5: three pairs of one stimulus give 0.5 + 2/4 · 0.6, and one of another 0.5 − 2/4 · 0.6.
/// let found = of_mean(&[Ok(0.8), Ok(0.7), Ok(0.6), Ok(-0.1)], &[0, 0, 0, 1]);
/// assert!((found[2].clone().unwrap() - 0.8).abs() < 1e-15 && (found[3].clone().unwrap() - 0.2).abs() < 1e-15);
/// ```
pub fn of_mean(outcomes: &[Outcome], stimuli: &[usize]) -> Vec<Outcome> {
    if are_distinct(stimuli) {
        return outcomes.to_vec();
    }
    let known = outcomes.iter().zip(stimuli);
    let known = known.filter_map(|(outcome, stimulus)| Some((outcome.as_ref().ok()?, stimulus)));
    let (values, of_known): (Vec<f64>, Vec<usize>) = known.unzip();
    let places: BTreeSet<usize> = of_known.iter().copied().collect();
    let values = values_of_stimuli(&values, &of_known);
    let of_stimulus: BTreeMap<usize, f64> = places.into_iter().zip(values).collect();
    let of_pair = |(outcome, stimulus): (&Outcome, &usize)| outcome.clone().map(|_| of_stimulus[stimulus]);
    outcomes.iter().zip(stimuli).map(of_pair).collect()
}

/// The scores of a system by a metric of identification.
#[derive(Debug, Clone, Copy)]
pub struct IdentificationScores<'a> {
    /// One for each pair.
    pub outcomes: &'a [Outcome],
    /// The jackknife's pseudo-value of each pair's stimulus.
    pub pseudo_values: &'a [Outcome],
    /// How far every value is below a share from 0 to 1, whose interval is used (convention `identification-own`).
    pub too_low_by: f64,
}

impl<'a> IdentificationScores<'a> {
    /// Scores that are shares from 0 to 1.
    pub fn of(outcomes: &'a [Outcome], pseudo_values: &'a [Outcome]) -> Self {
        IdentificationScores {
            outcomes,
            pseudo_values,
            too_low_by: 0.0,
        }
    }
}

/// The interval of a mean that is `shift` lower than a share, from one pseudo-value for each stimulus.
pub(crate) fn interval_of_stimuli(
    shift: f64,
    mean: f64,
    pseudo: &[f64],
    options: &BootstrapOptions,
) -> Result<Option<(f64, f64)>, StatsError> {
    let pseudo: Vec<f64> = pseudo.iter().map(|value| value + shift).collect();
    let found = match options.interval {
        MeanInterval::Studentized => interval(mean + shift, &pseudo, options.level),
        _ => MeanOfMeans::of_differences(pseudo).interval(options)?,
    };
    Ok(found.map(|(low, high)| (low - shift, high - shift)))
}

/// The mean over pairs that are each other's distractors, with an interval for new stimuli in both roles.
///
/// - Shapes: as in [`of_stimuli`].
/// - Interval: [`interval()`] of the pseudo-values, or, if another [`MeanInterval`] is requested, the interval of their
///   mean, clipped to `range`. Below [`FEWEST_STIMULI`] stimuli, it is that of [`estimate_over_stimuli`], which ignores
///   distractors.
/// - Undefined, errors: as for [`estimate_over_stimuli`].
pub fn estimate_of_stimuli(
    scores: IdentificationScores<'_>,
    stimuli: &[usize],
    range: (f64, f64),
    options: &BootstrapOptions,
) -> Result<Estimate, StatsError> {
    let found = estimate_over_stimuli(&[scores.outcomes], stimuli, range, options)?;
    let Ok(mean) = found.value else {
        return Ok(found);
    };
    let pseudo = of_stimuli(mean, scores.pseudo_values, stimuli);
    if pseudo.len() < FEWEST_STIMULI {
        return Ok(found);
    }
    let interval = interval_of_stimuli(scores.too_low_by, mean, &pseudo, options)?;
    Ok(Estimate { interval, ..found }.within(range))
}
