//! Accuracies of voxels and regions, raw and in units of the noise ceiling.

use super::noise_ceiling::{correlation, weighted};
use super::{NoiseCeilings, RidgeReadout};
use crate::region_estimates::estimate_region;
use crate::{AlignmentError, Quantity, RegionEstimates};
use neurogauge_core::{Outcome, Undefined};
use neurogauge_stats::BootstrapOptions;

/// The accuracies of one source in the voxels of one unit.
#[derive(Debug, Clone, PartialEq)]
pub struct EncodingVoxels {
    /// Pearson's r of predicted and measured responses over all stimuli; 0 for a constant prediction, NaN for a constant
    /// response.
    pub r: Vec<f64>,
    /// 1 − Σ(y − ŷ)² / Σy², with y in z-scores by the training stimuli: 0 for the prediction of their mean, below 0 for a
    /// worse one.
    pub r_squared: Vec<f64>,
}

impl EncodingVoxels {
    /// The accuracies over a resample with this number of copies of each stimulus.
    pub fn of(readout: &RidgeReadout, counts: &[u32]) -> Self {
        let weights: Vec<f64> = counts.iter().map(|&count| f64::from(count)).collect();
        let of_voxel = |voxel: usize| {
            let (predicted, measured) = (readout.predicted.column(voxel), readout.measured.column(voxel));
            let rest = weighted(&weights, |i| (measured[i] - predicted[i]).powi(2));
            let total = weighted(&weights, |i| measured[i] * measured[i]);
            let r = correlation(predicted, measured, &weights);
            match total <= 0.0 {
                true => (r, f64::NAN),
                false => (if r.is_nan() { 0.0 } else { r }, 1.0 - rest / total),
            }
        };
        let (r, r_squared) = (0..readout.measured.n_columns()).map(of_voxel).unzip();
        EncodingVoxels { r, r_squared }
    }
}

/// What is estimated of a source; p only of r.
const QUANTITIES: [(Quantity, bool); 8] = [
    (Quantity::R, true),
    (Quantity::RSquared, false),
    (Quantity::Explained, false),
    (Quantity::RCeiling, false),
    (Quantity::Explainable, false),
    (Quantity::RRelative, false),
    (Quantity::RSquaredRelative, false),
    (Quantity::ExplainedRelative, false),
];

/// The accuracies of sources in a region, with intervals for new subjects and new stimuli, for the fitted models.
///
/// Values are means over all voxels that vary. Relative ones are the mean accuracy over the mean ceiling of the same
/// voxels and stimuli, so no voxel has to be left out, and the interval includes the uncertainty of the ceiling, which
/// every resample of stimuli computes again. p, of a mean r of 0 and of equal sources, takes twice the variance, since
/// stimuli are training and test of each other: otherwise 11 to 14% of sources without information had p ≤ 0.05.
///
/// - Shapes: `subjects` holds for each subject its ceilings and, in the order of sources, its readouts.
/// - Undefined: no voxel varies; relative values, if the mean ceiling is not above 0.
/// - Errors: no subject, options out of range.
pub fn evaluate_encoding(
    subjects: &[(NoiseCeilings, Vec<RidgeReadout>)],
    options: &BootstrapOptions,
) -> Result<RegionEstimates, AlignmentError> {
    let (_, readouts) = subjects.first().ok_or_else(|| AlignmentError::empty("subject"))?;
    let n_stimuli = readouts.first().map_or(0, |own| own.measured.n_rows());
    // Two stimuli of different folds are training and test of each other, so what noise they share counts twice in a
    // cross-validated accuracy and once in resamples of its stimuli.
    let variances = 2.0;
    estimate_region(&QUANTITIES, (n_stimuli, n_stimuli), (options, variances), |counts| {
        subjects.iter().map(|(ceilings, own)| of_sources(ceilings, own, counts)).collect()
    })
}

/// Every quantity of each source in a unit.
fn of_sources(ceilings: &NoiseCeilings, readouts: &[RidgeReadout], counts: &[u32]) -> Vec<Vec<Outcome>> {
    let reliability = ceilings.reliability(counts);
    let of = |readout: &RidgeReadout| {
        let found = EncodingVoxels::of(readout, counts);
        let (mut n, mut sums) = (0.0, [0.0; 5]);
        for ((&r, &explained), &reliability) in found.r.iter().zip(&found.r_squared).zip(&reliability) {
            if r.is_nan() || reliability.is_nan() {
                continue;
            }
            n += 1.0;
            let own = [r, r * r, explained, reliability.max(0.0).sqrt(), reliability];
            sums.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
        }
        let means = sums.map(|sum| sum / n);
        let [r, r2, explained, r_ceiling, explainable] = means;
        let relative = [(r, r_ceiling), (r2, explainable), (explained, explainable)];
        let relative = relative.map(|(value, ceiling)| if ceiling > 0.0 { value / ceiling } else { f64::NAN });
        let outcome = |value: f64| match value.is_finite() {
            true => Ok(value),
            false => Err(Undefined::Because("no voxel that varies has signal".into())),
        };
        means.into_iter().chain(relative).map(outcome).collect()
    };
    readouts.iter().map(of).collect()
}
