//! Crossnobis distances: squared Mahalanobis distances between repeats.

use super::Dissimilarities;
use crate::product::{gram, lower_product, scale_columns};
use crate::{AlignmentError, Matrix, Trials};
use faer::linalg::triangular_solve::solve_lower_triangular_in_place;
use faer::{Mat, Par, Side};

/// Crossnobis distances of the responses to all pairs of stimuli.
///
/// With y the trials' responses whitened by the noise covariance Σ, and a and b different repeats,
/// d_ij = (⟨y_ia·y_ib⟩ + ⟨y_ja·y_jb⟩ − 2⟨y_ia·y_jb⟩) / n_voxels, where ⟨⟩ is the mean over all a ≠ b. Noise of separate
/// trials is taken to be independent. With equally many repeats of each stimulus this is the mean over folds that leave
/// out one repeat of every stimulus.
///
/// Σ is the covariance of the trials around the means of their stimuli, with n_trials − n_stimuli degrees of freedom,
/// shrunk towards its diagonal (Schäfer and Strimmer, 2005) as in rsatoolbox. Voxels without noise are left out.
///
/// - Errors: a stimulus with a single repeat, no voxel with noise, a covariance that cannot be inverted.
/// - Reference: rsatoolbox 0.3.2, `calc_rdm_crossnobis` with `prec_from_residuals`, to 1e-9.
pub(super) fn crossnobis(trials: &Trials) -> Result<Dissimilarities, AlignmentError> {
    let repeats = trials.repeats();
    if let Some(stimulus) = repeats.iter().position(|own| own.len() < 2) {
        return Err(AlignmentError::too_few_repeats(trials.unit(), stimulus, repeats[stimulus].len()));
    }
    let whitened = whitened(trials)?;
    let (n, n_voxels) = (repeats.len(), whitened.nrows());
    let most = repeats.iter().map(Vec::len).max().unwrap_or(0);
    let mut sums = Mat::<f64>::zeros(n, n_voxels);
    let mut same_repeat = Mat::<f64>::zeros(n, n);
    for place in 0..most {
        let of = |stimulus: usize, voxel| repeats[stimulus].get(place).map_or(0.0, |&trial| whitened[(voxel, trial)]);
        let own = Mat::from_fn(n, n_voxels, of);
        sums += &own;
        same_repeat += gram(own.as_ref());
    }
    let products = gram(sums.as_ref()) - same_repeat;
    let mean = |i: usize, j: usize| {
        let [of_i, of_j] = [i, j].map(|stimulus| repeats[stimulus].len());
        products[(i, j)] / (of_i * of_j - of_i.min(of_j)) as f64
    };
    let distance = |i, j| (mean(i, i) + mean(j, j) - 2.0 * mean(i, j)) / n_voxels as f64;
    Ok(Dissimilarities::from_fn(vec![true; n], distance))
}

/// The responses of trials, whitened: (n_voxels, n_trials), without the voxels that have no noise.
fn whitened(trials: &Trials) -> Result<Mat<f64>, AlignmentError> {
    let (responses, means) = (trials.responses(), trials.means());
    let mut stimuli = vec![0; trials.n_trials()];
    for (stimulus, own) in trials.repeats().iter().enumerate() {
        own.iter().for_each(|&trial| stimuli[trial] = stimulus);
    }
    let freedom = (trials.n_trials() - trials.n_stimuli()) as f64;
    let residual = |trial: usize, voxel: usize| responses.get(trial, voxel) - means.get(stimuli[trial], voxel);
    let all = Matrix::from_fn(trials.n_trials(), trials.n_voxels(), residual);
    let deviation = |voxel: usize| (all.column(voxel).iter().map(|r| r * r).sum::<f64>() / freedom).sqrt();
    let deviations: Vec<f64> = (0..trials.n_voxels()).map(deviation).collect();
    let noisy: Vec<usize> = (0..deviations.len()).filter(|&voxel| deviations[voxel] > 1e-12).collect();
    let refused = |reason: &str| AlignmentError::Data(format!("{}: {reason}", trials.unit()));
    if noisy.is_empty() {
        return Err(refused("all repeats of a stimulus are equal, so crossnobis has no noise to divide by"));
    }
    let scaled = |of: &Matrix| {
        Mat::from_fn(noisy.len(), trials.n_trials(), |own, trial| of.get(trial, noisy[own]) / deviations[noisy[own]])
    };
    let factor = shrunk_correlations(&scaled(&all), freedom)
        .llt(Side::Lower)
        .map_err(|_| refused("the noise covariance cannot be inverted; crossnobis needs more trials"))?;
    let mut rows = scaled(responses);
    solve_lower_triangular_in_place(factor.L(), rows.as_mut(), Par::Seq);
    Ok(rows)
}

/// The correlations of noise between voxels, shrunk towards zero by the intensity that Schäfer and Strimmer estimate;
/// `noise` (n_voxels, n_trials) has variance 1. Only the lower half is filled.
fn shrunk_correlations(noise: &Mat<f64>, freedom: f64) -> Mat<f64> {
    let (n_voxels, n_trials) = (noise.nrows(), noise.ncols() as f64);
    let mut correlations = lower_product(noise.as_ref(), noise.transpose());
    // Σ over pairs of voxels of the squared mean product, and of the mean squared product.
    let below = |column: usize| correlations.col_as_slice(column)[column + 1..].iter().map(|r| r * r).sum::<f64>();
    let squared_means = (0..n_voxels).map(|column| 2.0 * below(column)).sum::<f64>() / (n_trials - 1.0).powi(2);
    let mean_squares: f64 = (0..noise.ncols())
        .map(|trial| {
            let squares = || noise.col_as_slice(trial).iter().map(|value| value * value);
            squares().sum::<f64>().powi(2) - squares().map(|square| square * square).sum::<f64>()
        })
        .sum();
    let variance = n_trials / freedom.powi(2) * (mean_squares / (n_trials - 1.0) - squared_means);
    let intensity = match squared_means > 0.0 {
        true => (variance / squared_means).clamp(0.0, 1.0),
        false => 1.0,
    };
    scale_columns(&mut correlations, &vec![(1.0 - intensity) / freedom; n_voxels]);
    (0..n_voxels).for_each(|voxel| correlations[(voxel, voxel)] = 1.0);
    correlations
}
