//! Ridge regression of every voxel on all features of a source.

use crate::pool_fits::PoolFits;
use crate::product::product;
use crate::readout::smallest_of_best;
use crate::source::SourceFit;
use crate::subspace::check_alphas;
use crate::{AlignmentError, FoldPlan, Matrix, PreparedSource};
use faer::Mat;

/// Predictions for the test stimuli of every outer fold, in z-scores by its training stimuli.
#[derive(Debug, Clone)]
pub struct RidgeReadout {
    /// (n_stimuli, n_voxels): each stimulus as predicted by the fold that tests it; 0 is the mean of the training stimuli.
    pub predicted: Matrix,
    /// The measured responses, z-scored alike.
    pub measured: Matrix,
    /// For each fold, the regularisation of each voxel.
    pub alphas: Vec<Vec<f64>>,
}

/// Predicts responses from all features of a source, `sources` being the source prepared for each fold of the plan.
///
/// Features and responses are z-scored by the training stimuli, and each voxel has the coefficients
/// B = (X'X + αI)⁻¹ X'Y. Its α has the highest mean R² = 1 − Σ(y − ŷ)² / Σ(y − ȳ)² over the inner folds, z-scored by
/// their own training stimuli; of equal ones the smallest. No matrix of features by features is formed.
///
/// - Shapes: `responses` (n_stimuli, n_voxels).
/// - Reference: himalaya 0.4.11 (`Ridge` with an α for each target, `r2_score`) on the same folds, to 1e-8.
pub fn ridge_readout(
    sources: &[PreparedSource],
    responses: &Matrix,
    plan: &FoldPlan,
    alphas: &[f64],
) -> Result<RidgeReadout, AlignmentError> {
    check_alphas("ridge alphas", alphas)?;
    let (n, n_voxels) = (responses.n_rows(), responses.n_columns());
    if n != plan.n_stimuli {
        return Err(AlignmentError::stimulus_count("the matrix of responses", n, plan.n_stimuli));
    }
    let (mut predicted, mut measured) = (Mat::zeros(n, n_voxels), Mat::zeros(n, n_voxels));
    let mut selected = Vec::new();
    for (source, fold) in sources.iter().zip(&plan.folds) {
        let fits = PoolFits::new(responses, &fold.training, &fold.test.stimuli);
        let mut scores = vec![vec![0.0; alphas.len()]; n_voxels];
        for (source, target) in source.fits.inner.iter().zip(&fits.inner) {
            let loadings = product(source.left.transpose(), target.training.as_ref());
            for (place, &alpha) in alphas.iter().enumerate() {
                let found = predictions(source, &loadings, &vec![alpha; n_voxels]);
                for (voxel, scores) in scores.iter_mut().enumerate() {
                    scores[place] += r_squared(found.col_as_slice(voxel), target.held_out.column(voxel));
                }
            }
        }
        let own: Vec<f64> = scores.iter().map(|scores| smallest_of_best(scores, alphas)).collect();
        let source = &source.fits.outer;
        let loadings = product(source.left.transpose(), fits.outer.training.as_ref());
        let found = predictions(source, &loadings, &own);
        for (row, &stimulus) in fold.test.stimuli.iter().enumerate() {
            for voxel in 0..n_voxels {
                predicted[(stimulus, voxel)] = found[(row, voxel)];
                measured[(stimulus, voxel)] = fits.outer.held_out.get(row, voxel);
            }
        }
        selected.push(own);
    }
    Ok(RidgeReadout {
        predicted: predicted.into(),
        measured: measured.into(),
        alphas: selected,
    })
}

/// Predictions of the held-out rows, with an alpha for each voxel: (X_out V) S (S² + α)⁻¹ U'Y.
fn predictions(source: &SourceFit, loadings: &Mat<f64>, alphas: &[f64]) -> Mat<f64> {
    let shrunk = Mat::from_fn(loadings.nrows(), alphas.len(), |component, voxel| {
        loadings[(component, voxel)] / (source.squares[component] + alphas[voxel])
    });
    product(source.held_out.as_ref(), shrunk.as_ref())
}

/// 0 if the measured values are constant, which no alpha changes.
fn r_squared(predicted: &[f64], measured: &[f64]) -> f64 {
    let mean = measured.iter().sum::<f64>() / measured.len() as f64;
    let total: f64 = measured.iter().map(|value| (value - mean).powi(2)).sum();
    let rest: f64 = predicted.iter().zip(measured).map(|(predicted, value)| (value - predicted).powi(2)).sum();
    if total > 0.0 { 1.0 - rest / total } else { 0.0 }
}
