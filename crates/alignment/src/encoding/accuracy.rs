//! Accuracies of voxels and regions, raw and in units of the noise ceiling.

use super::noise_ceiling::correlation;
use super::{NoiseCeilings, RidgeReadout};
use crate::{AlignmentError, TwoFactorEstimate};
use neurogauge_core::{Outcome, Undefined};
use neurogauge_stats::{BootstrapOptions, resample};
use serde::Serialize;
use std::f64::consts::SQRT_2;

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
        let (mut r, mut r_squared) = (Vec::new(), Vec::new());
        for voxel in 0..readout.measured.n_columns() {
            let (predicted, measured) = (readout.predicted.column(voxel), readout.measured.column(voxel));
            let pairs = predicted.iter().zip(measured).zip(&weights);
            let (rest, total) = pairs.fold((0.0, 0.0), |(rest, total), ((predicted, value), weight)| {
                (rest + weight * (value - predicted).powi(2), total + weight * value * value)
            });
            let is_constant = total <= 0.0;
            let own = correlation(predicted, measured, &weights);
            r.push(if own.is_nan() && !is_constant { 0.0 } else { own });
            r_squared.push(if is_constant { f64::NAN } else { 1.0 - rest / total });
        }
        EncodingVoxels { r, r_squared }
    }
}

/// A mean over the voxels of a region, or a ratio of two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Quantity {
    R,
    /// r², whose mean is above 0 for a source without information.
    RSquared,
    /// The share of variance that predictions explain, R².
    Explained,
    /// The largest r: the root of the reliability, 0 if that is negative.
    RCeiling,
    /// The explainable share of the variance: the reliability.
    Explainable,
    RRelative,
    RSquaredRelative,
    ExplainedRelative,
}

impl Quantity {
    pub const ALL: [Quantity; 8] = [
        Quantity::R,
        Quantity::RSquared,
        Quantity::Explained,
        Quantity::RCeiling,
        Quantity::Explainable,
        Quantity::RRelative,
        Quantity::RSquaredRelative,
        Quantity::ExplainedRelative,
    ];
}

/// Every [`Quantity`] of a source, in the order of [`Quantity::ALL`].
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EncodingEstimates {
    pub quantities: Vec<(Quantity, TwoFactorEstimate)>,
}

impl EncodingEstimates {
    pub fn get(&self, quantity: Quantity) -> Option<&TwoFactorEstimate> {
        self.quantities.iter().find(|(own, _)| *own == quantity).map(|(_, found)| found)
    }
}

/// The sources in a region of several subjects.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EncodingRegion {
    pub sources: Vec<EncodingEstimates>,
    /// Positions of every two sources, and the difference of their mean r.
    pub differences: Vec<(usize, usize, TwoFactorEstimate)>,
}

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
) -> Result<EncodingRegion, AlignmentError> {
    options.check()?;
    let Some((_, readouts)) = subjects.first() else {
        return Err(AlignmentError::empty("subject"));
    };
    let (n_sources, n_stimuli) = (readouts.len(), readouts.first().map_or(0, |own| own.measured.n_rows()));
    let all = |counts: &[u32]| -> Vec<Vec<[f64; 8]>> {
        subjects.iter().map(|(ceilings, readouts)| of_sources(ceilings, readouts, counts)).collect()
    };
    let observed = all(&vec![1; n_stimuli]);
    let drawn = resample(n_stimuli, options, |drawn| {
        let mut counts = vec![0; n_stimuli];
        drawn.iter().for_each(|&stimulus| counts[stimulus as usize] += 1);
        all(&counts)
    })?;
    let estimate = |of: &dyn Fn(&[[f64; 8]]) -> f64| {
        let values = |all: &[Vec<[f64; 8]>]| all.iter().map(|own| of(own)).collect::<Vec<f64>>();
        let outcome = |value: f64| match value.is_finite() {
            true => Ok(value),
            false => Err(Undefined::Because("no voxel that varies has signal".into())),
        };
        let observed = values(&observed).into_iter().map(outcome).collect();
        let drawn = drawn.iter().map(|all| values(all)).filter(|own| own.iter().all(|value| value.is_finite()));
        with_dependent_folds(observed, &drawn.collect::<Vec<_>>(), n_stimuli, options.level)
    };
    let of_source = |source: usize| EncodingEstimates {
        quantities: (Quantity::ALL.into_iter().enumerate())
            .map(|(place, quantity)| {
                let mut found = estimate(&|own| own[source][place]);
                if quantity != Quantity::R {
                    found.p = None;
                }
                (quantity, found)
            })
            .collect(),
    };
    let mut sources: Vec<EncodingEstimates> = (0..n_sources).map(of_source).collect();
    TwoFactorEstimate::correct(sources.iter_mut().flat_map(|own| own.quantities.iter_mut().map(|(_, found)| found)))?;
    let pairs = (0..n_sources).flat_map(|a| (a + 1..n_sources).map(move |b| (a, b)));
    let mut differences: Vec<(usize, usize, TwoFactorEstimate)> =
        pairs.map(|(a, b)| (a, b, estimate(&|own| own[a][0] - own[b][0]))).collect();
    TwoFactorEstimate::correct(differences.iter_mut().map(|(.., found)| found))?;
    Ok(EncodingRegion { sources, differences })
}

/// An estimate whose p takes twice the variance: two stimuli of different folds are training and test of each other, so
/// what noise they share counts twice in a cross-validated accuracy and once in resamples of its stimuli.
fn with_dependent_folds(subjects: Vec<Outcome>, drawn: &[Vec<f64>], n_stimuli: usize, level: f64) -> TwoFactorEstimate {
    let found = TwoFactorEstimate::new(subjects.clone(), drawn, n_stimuli, level);
    let Ok(mean) = found.value else {
        return found;
    };
    let wider = |value: f64| mean + SQRT_2 * (value - mean);
    let subjects = subjects.into_iter().map(|value| value.map(wider)).collect();
    let drawn: Vec<Vec<f64>> = drawn.iter().map(|own| own.iter().map(|value| wider(*value)).collect()).collect();
    TwoFactorEstimate {
        p: TwoFactorEstimate::new(subjects, &drawn, n_stimuli, level).p,
        ..found
    }
}

/// Every quantity of each source in a unit.
fn of_sources(ceilings: &NoiseCeilings, readouts: &[RidgeReadout], counts: &[u32]) -> Vec<[f64; 8]> {
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
        let [r, r2, explained, r_ceiling, explainable] = sums.map(|sum| sum / n);
        let over = |value: f64, ceiling: f64| if ceiling > 0.0 { value / ceiling } else { f64::NAN };
        [
            r,
            r2,
            explained,
            r_ceiling,
            explainable,
            over(r, r_ceiling),
            over(r2, explainable),
            over(explained, explainable),
        ]
    };
    readouts.iter().map(of).collect()
}
