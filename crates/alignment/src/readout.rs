//! Prediction accuracy: a separate ridge readout from the selected source coordinates.

use crate::correlation::Measured;
use crate::eigen::all_eigenpairs;
use crate::product::{gram, product, scale_columns, scale_rows};
use crate::selection::{TIE, are_tied, mean};
use crate::subspace::{check_alphas, check_folds};
use crate::{AlignmentError, Matrix, PreparedSource, PreparedTarget, Standardisation, Subspace};
use faer::Mat;
use serde::{Deserialize, Serialize};

/// The paper's grid of readout regularisations.
pub const READOUT_ALPHAS: [f64; 10] = [1e-6, 1e-3, 1e-1, 1.0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6];

/// How well the readout predicts a target's held-out responses.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Readout {
    pub alpha: f64,
    /// Do all regularisations score the same? If so, the data do not determine the choice, and the smallest is used.
    /// This is always the case for a single coordinate: regularisation only scales the prediction, which does not
    /// change correlations.
    pub alpha_is_tied: bool,
    /// Mean over voxels of Pearson's r between predicted and measured test responses.
    pub accuracy: f64,
    /// Pearson's r of each voxel; 0 if the response or the prediction is constant.
    pub correlations: Vec<f64>,
}

/// Prediction accuracy of a fitted subspace on the test chunk.
///
/// The source basis is that of the outer fit. Coordinates and responses are z-scored again by the training rows of each
/// inner fold; the regularisation with the highest mean validation score is selected, scores within 1e-12 tie, and the
/// smallest wins. The readout is then refitted to all training stimuli. It does not change the subspace.
pub fn read_out(
    source: &PreparedSource,
    target: &PreparedTarget,
    subspace: &Subspace,
    alphas: &[f64],
) -> Result<Readout, AlignmentError> {
    check_folds(source, target)?;
    check_alphas("readout alphas", alphas)?;
    let fit = &source.fits.outer;
    let training: Matrix = subspace.training_coordinates(fit).into();
    let (alpha, alpha_is_tied) = select_alpha(&training, target, alphas)?;
    let test = subspace.coordinates(fit, &fit.held_out).into();
    let outer = &target.fits.outer;
    let ridge = Ridge::to_rows(&training, &outer.responses)?;
    let correlations = ridge.correlations(&test, alpha, &outer.measured);
    Ok(Readout {
        alpha,
        alpha_is_tied,
        accuracy: mean(&correlations),
        correlations,
    })
}

/// The regularisation with the highest mean score over the inner folds of the training pool, and whether all of them
/// tie.
fn select_alpha(coordinates: &Matrix, target: &PreparedTarget, alphas: &[f64]) -> Result<(f64, bool), AlignmentError> {
    let pool = &target.fold.training;
    let mut scores = vec![0.0; alphas.len()];
    for (fold, target) in target.fits.inner.iter().enumerate() {
        let (training, validation) = pool.inner_positions(fold);
        let ridge = Ridge::to_rows(&coordinates.rows(&training), &target.responses)?;
        let validation = coordinates.rows(&validation);
        for (score, &alpha) in scores.iter_mut().zip(alphas) {
            *score += mean(&ridge.correlations(&validation, alpha, &target.measured));
        }
    }
    scores.iter_mut().for_each(|score| *score /= pool.inner.len() as f64);
    Ok((smallest_of_best(&scores, alphas), are_tied(&scores)))
}

/// The first of the alphas whose score ties with the highest.
pub fn smallest_of_best(scores: &[f64], alphas: &[f64]) -> f64 {
    let best = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut candidates = scores.iter().zip(alphas);
    candidates.find(|(score, _)| **score >= best - TIE).map_or(alphas[0], |(_, &alpha)| alpha)
}

/// Ridge regression of z-scored responses on z-scored coordinates, for every regularisation.
pub(crate) struct Ridge {
    scale: Standardisation,
    /// Eigenvalues of Z'Z; its eigenvectors follow.
    strengths: Vec<f64>,
    turn: Mat<f64>,
    /// Y'Z in the eigenvectors' coordinates: voxels x coordinates.
    loadings: Mat<f64>,
}

impl Ridge {
    /// All rows of `coordinates` are training rows; those of `responses` are already z-scored.
    pub(crate) fn to_rows(coordinates: &Matrix, responses: &Mat<f64>) -> Result<Self, AlignmentError> {
        let rows: Vec<usize> = (0..coordinates.n_rows()).collect();
        let scale = Standardisation::of(coordinates, &rows);
        let z = scale.apply(coordinates, &rows);
        let pairs = all_eigenpairs(&gram(z.as_ref().transpose()))?;
        let turned = product(z.as_ref(), pairs.vectors.as_ref());
        Ok(Ridge {
            scale,
            strengths: pairs.values,
            turn: pairs.vectors,
            loadings: product(responses.transpose(), turned.as_ref()),
        })
    }

    /// Coordinates (of other rows) which, times `loadings` transposed, are the prediction.
    pub(crate) fn predicted(&self, coordinates: &Matrix, alpha: f64) -> Mat<f64> {
        let rows: Vec<usize> = (0..coordinates.n_rows()).collect();
        let z = self.scale.apply(coordinates, &rows);
        let mut turned = product(z.as_ref(), self.turn.as_ref());
        for (column, strength) in self.strengths.iter().enumerate() {
            let shrinkage = 1.0 / (strength.max(0.0) + alpha);
            for value in turned.col_as_slice_mut(column) {
                *value *= shrinkage;
            }
        }
        turned
    }

    /// The prediction's coefficient for each coordinate: (n_coordinates, n_voxels).
    pub(crate) fn coefficients(&self, alpha: f64) -> Mat<f64> {
        let mut shrunk = self.turn.clone();
        let factors = self.strengths.iter().map(|s| 1.0 / (s.max(0.0) + alpha));
        scale_columns(&mut shrunk, &factors.collect::<Vec<f64>>());
        let mut coefficients = product(shrunk.as_ref(), self.loadings.transpose());
        let inverse = self.scale.deviations().iter().map(|sd| 1.0 / sd);
        scale_rows(&mut coefficients, &inverse.collect::<Vec<f64>>());
        coefficients
    }

    /// Y'Z in the coordinates of [`Ridge::predicted`].
    pub(crate) fn loadings(&self) -> &Mat<f64> {
        &self.loadings
    }

    /// Pearson's r of each voxel.
    pub(crate) fn correlations(&self, coordinates: &Matrix, alpha: f64, measured: &Measured) -> Vec<f64> {
        let predicted = self.predicted(coordinates, alpha);
        measured.correlations(predicted.as_ref(), &self.loadings)
    }
}
