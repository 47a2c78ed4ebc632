//! The share of the variance of mean responses that repeats to the same stimuli reproduce.

use crate::{AlignmentError, Matrix, Partitions, Trials};
use serde::{Deserialize, Serialize};

/// How the reliability of the mean response is estimated from repeats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CeilingMethod {
    /// By the variances of signal and noise, as NSD's noise ceiling SNR.
    #[default]
    Ncsnr,
    /// By the correlation of halves of the repeats, stepped up to all of them (Spearman and Brown).
    SplitHalf,
}

/// The reliability of each voxel's mean response: the largest R² that a model of its signal reaches, whose root is the
/// largest r.
///
/// With σ²_n the mean over stimuli of the variance of their trials (divisor n_i − 1), σ²_t that of all trials (divisor
/// n − 1), σ²_s = σ²_t − σ²_n and c the mean of 1/n_i,
///
/// reliability = σ²_s / (σ²_s + c σ²_n),   ncsnr = √max(σ²_s, 0) / σ_n   (Allen et al., 2022).
///
/// With equal n_i this is what Hsu et al. (2004) and Schoppe et al. (2016) divide r² by, and Lage-Castellanos et al.
/// (2019) call the squared noise ceiling, but for terms of 1/n_stimuli. `SplitHalf` is the mean over partitions of
/// 2r/(1 + r).
///
/// Noise makes the reliability of a voxel without signal negative as often as positive, so that means over voxels are
/// right; a noise ceiling is at least 0.
///
/// - Undefined: NaN for a voxel that is constant.
#[derive(Debug, Clone)]
pub enum NoiseCeilings {
    /// The reliability of each voxel, without any uncertainty.
    Given(Vec<f64>),
    Repeats(Repeats),
}

/// What reliabilities are estimated from.
#[derive(Debug, Clone)]
pub struct Repeats {
    /// Number of trials of each stimulus.
    repeats: Vec<f64>,
    /// For each voxel and stimulus the mean and the sum of squared deviations from it.
    means: Matrix,
    squares: Matrix,
    /// The means of both halves, for each partition; empty for `Ncsnr`.
    halves: Vec<[Matrix; 2]>,
}

impl NoiseCeilings {
    /// From trials with at least two of each stimulus. `partitions` divide them for split halves.
    ///
    /// - Errors: a stimulus with a single trial.
    pub fn new(trials: &Trials, method: CeilingMethod, partitions: &Partitions) -> Result<Self, AlignmentError> {
        let repeats = trials.repeats();
        if let Some(stimulus) = repeats.iter().position(|own| own.len() < 2) {
            return Err(AlignmentError::too_few_repeats(trials.unit(), stimulus, repeats[stimulus].len()));
        }
        let (means, responses) = (trials.means(), trials.responses());
        let squares = Matrix::from_fn(repeats.len(), trials.n_voxels(), |stimulus, voxel| {
            let values = responses.column(voxel);
            repeats[stimulus].iter().map(|&trial| (values[trial] - means.get(stimulus, voxel)).powi(2)).sum()
        });
        let stimuli: Vec<usize> = (0..repeats.len()).collect();
        let half = |labels: &[u8], view: u8| trials.means_of(&stimuli, |trial| labels[trial] == view);
        let halves = match method {
            CeilingMethod::Ncsnr => Vec::new(),
            CeilingMethod::SplitHalf => {
                partitions.labels().iter().map(|labels| [half(labels, 0), half(labels, 1)]).collect()
            }
        };
        Ok(NoiseCeilings::Repeats(Repeats {
            repeats: repeats.iter().map(|own| own.len() as f64).collect(),
            means,
            squares,
            halves,
        }))
    }

    /// The reliability of each voxel, for a resample with this number of copies of each stimulus.
    pub fn reliability(&self, counts: &[u32]) -> Vec<f64> {
        let own = match self {
            NoiseCeilings::Given(reliability) => return reliability.clone(),
            NoiseCeilings::Repeats(own) => own,
        };
        let weights: Vec<f64> = counts.iter().map(|&count| f64::from(count)).collect();
        let of_voxel = |voxel: usize| {
            if own.halves.is_empty() {
                let [signal, _, of_mean] = own.variances(voxel, &weights);
                return signal / (signal + of_mean);
            }
            let stepped_up = own.halves.iter().map(|[one, other]| {
                let r = correlation(one.column(voxel), other.column(voxel), &weights);
                2.0 * r / (1.0 + r)
            });
            stepped_up.sum::<f64>() / own.halves.len() as f64
        };
        (0..own.means.n_columns()).map(of_voxel).collect()
    }

    /// The noise ceiling SNR of each voxel: the standard deviation of its signal over that of its noise; NaN for given
    /// ceilings.
    pub fn ncsnr(&self) -> Vec<f64> {
        match self {
            NoiseCeilings::Given(reliability) => vec![f64::NAN; reliability.len()],
            NoiseCeilings::Repeats(own) => {
                let weights = vec![1.0; own.repeats.len()];
                let of = |[signal, noise, _]: [f64; 3]| signal.max(0.0).sqrt() / noise.sqrt();
                (0..own.means.n_columns()).map(|voxel| of(own.variances(voxel, &weights))).collect()
            }
        }
    }
}

impl Repeats {
    /// The variances of the signal, of the noise of single trials, and of the noise of means.
    fn variances(&self, voxel: usize, weights: &[f64]) -> [f64; 3] {
        let (n, means, squares) = (&self.repeats, self.means.column(voxel), self.squares.column(voxel));
        let (n_stimuli, n_trials) = (weighted(weights, |_| 1.0), weighted(weights, |i| n[i]));
        let centre = weighted(weights, |i| n[i] * means[i]) / n_trials;
        let all = weighted(weights, |i| squares[i] + n[i] * (means[i] - centre).powi(2)) / (n_trials - 1.0);
        let noise = weighted(weights, |i| squares[i] / (n[i] - 1.0)) / n_stimuli;
        [all - noise, noise, noise * weighted(weights, |i| 1.0 / n[i]) / n_stimuli]
    }
}

/// The weighted sum of the values of stimuli.
pub(super) fn weighted(weights: &[f64], of: impl Fn(usize) -> f64) -> f64 {
    weights.iter().enumerate().map(|(stimulus, weight)| weight * of(stimulus)).sum()
}

/// Pearson's r of weighted pairs; NaN if a side is constant.
pub(super) fn correlation(x: &[f64], y: &[f64], weights: &[f64]) -> f64 {
    let total = weighted(weights, |_| 1.0);
    let [of_x, of_y] = [x, y].map(|own| weighted(weights, |i| own[i]) / total);
    let [xx, yy] = [(x, of_x), (y, of_y)].map(|(own, centre)| weighted(weights, |i| (own[i] - centre).powi(2)));
    // The deviations of a constant are rounding.
    let least = |squares: f64, centre: f64| squares > 1e-24 * total * centre.abs().max(1e-6).powi(2);
    match least(xx, of_x) && least(yy, of_y) {
        true => weighted(weights, |i| (x[i] - of_x) * (y[i] - of_y)) / (xx * yy).sqrt(),
        false => f64::NAN,
    }
}
