//! The predictive subspace that a source induces in a target's response space.

use crate::pool_fits::PoolFits;
use crate::product::{product, scale_rows};
use crate::ridge_solution::{RidgeSolutions, crossed};
use crate::selection::{CandidateScores, Selection};
use crate::source::SourceFit;
use crate::target::TargetFit;
use crate::{AlignmentError, Matrix, PreparedSource, PreparedTarget};
use faer::Mat;
use serde::{Deserialize, Serialize};

/// The candidate ranks and regularisations.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SubspaceOptions {
    /// The highest rank; limited by the numbers of features, of voxels and half the number of training stimuli.
    pub max_rank: usize,
    /// Candidate regularisations, in ascending order.
    pub alphas: Vec<f64>,
}

impl Default for SubspaceOptions {
    fn default() -> Self {
        SubspaceOptions {
            max_rank: 20,
            alphas: (1..=6).map(|power| 10f64.powi(power)).collect(),
        }
    }
}

impl SubspaceOptions {
    pub fn check(&self) -> Result<(), AlignmentError> {
        if self.max_rank == 0 {
            return Err(AlignmentError::option("max_rank", "0", "at least 1"));
        }
        check_alphas("alphas", &self.alphas)
    }

    /// min(max_rank, p, q, n / 2), and at least 1.
    pub fn rank_limit(&self, n_features: usize, n_voxels: usize, n_training: usize) -> usize {
        let data = n_features.min(n_voxels).min(n_training / 2);
        self.max_rank.min(data).max(1)
    }
}

/// Regularisations must be positive and ascending, so that "the smaller" is "the earlier".
pub(crate) fn check_alphas(option: &'static str, alphas: &[f64]) -> Result<(), AlignmentError> {
    let ascending = alphas.windows(2).all(|pair| pair[0] < pair[1]);
    let positive = alphas.iter().all(|&alpha| alpha > 0.0 && alpha.is_finite());
    if alphas.is_empty() || !ascending || !positive {
        return Err(AlignmentError::option(
            option,
            format!("{alphas:?}"),
            "one or more positive numbers in ascending order",
        ));
    }
    Ok(())
}

/// The predictive subspace of one source, target and outer fold.
///
/// The columns of `basis` are an orthonormal basis Q of the target response patterns that the fit
/// predicts; the fit is the reduced-rank ridge regression of Appendix B for the selected rank and
/// regularisation.
#[derive(Debug, Clone)]
pub struct Subspace {
    /// The selection of cross-validation.
    pub selection: Selection,
    /// Q: (n_voxels, rank). Fewer columns than the selected rank if the fit has fewer dimensions; no columns if nothing
    /// can be predicted.
    pub basis: Matrix,
    /// The leading eigenvalues of C' W, one per column of `basis`.
    pub strengths: Vec<f64>,
    /// An orthonormal basis of the source directions, in the coordinates of the right singular
    /// vectors of the source's training rows: components x rank.
    pub(crate) directions: Mat<f64>,
}

impl Subspace {
    pub fn rank(&self) -> usize {
        self.strengths.len()
    }

    /// U S Q: the training rows in source coordinates.
    pub(crate) fn training_coordinates(&self, source: &SourceFit) -> Mat<f64> {
        let mut scaled = self.directions.clone();
        let roots: Vec<f64> = source.squares.iter().map(|s2| s2.sqrt()).collect();
        scale_rows(&mut scaled, &roots);
        product(source.left.as_ref(), scaled.as_ref())
    }

    /// The rows in source coordinates whose inner products with the training rows, times U, are
    /// `crossed`.
    pub(crate) fn coordinates(&self, source: &SourceFit, crossed: &Mat<f64>) -> Mat<f64> {
        let mut scaled = self.directions.clone();
        let roots: Vec<f64> = source.squares.iter().map(|s2| 1.0 / s2.sqrt()).collect();
        scale_rows(&mut scaled, &roots);
        product(crossed.as_ref(), scaled.as_ref())
    }
}

/// Validation scores of all candidate ranks and regularisations of a source for a target: the mean
/// over voxels of Pearson's r on each inner fold.
///
/// The temporary readout has no intercept and the same alpha; a voxel with a constant response or prediction counts as
/// r = 0.
pub fn cross_validate(
    source: &PreparedSource,
    target: &PreparedTarget,
    options: &SubspaceOptions,
) -> Result<CandidateScores, AlignmentError> {
    check_folds(source, target)?;
    options.check()?;
    let n_training = source.fold.training.len();
    let max_rank = options.rank_limit(source.n_features, target.n_voxels, n_training);
    cross_validate_fits(&source.fits, &target.fits, options, max_rank)
}

/// The subspace for a selection, refitted to all training stimuli of the outer fold.
pub fn fit(
    source: &PreparedSource,
    target: &PreparedTarget,
    selection: &Selection,
) -> Result<Subspace, AlignmentError> {
    check_folds(source, target)?;
    fit_outer(&source.fits.outer, &target.fits.outer, selection)
}

pub(crate) fn check_folds(source: &PreparedSource, target: &PreparedTarget) -> Result<(), AlignmentError> {
    if source.fold == target.fold {
        return Ok(());
    }
    let (source, target) = (&source.name, &target.unit);
    Err(AlignmentError::Data(format!(
        "{source} was prepared over other folds than {target}; prepare both over the same"
    )))
}

pub(crate) fn cross_validate_fits(
    source: &PoolFits<SourceFit>,
    target: &PoolFits<TargetFit>,
    options: &SubspaceOptions,
    max_rank: usize,
) -> Result<CandidateScores, AlignmentError> {
    let mut scores = CandidateScores::new(&options.alphas, max_rank);
    for (source, target) in source.inner.iter().zip(&target.inner) {
        let crossed = crossed(source, target);
        let solutions = RidgeSolutions::new(source, target, &crossed, &options.alphas, max_rank)?;
        let predicted = product(source.held_out.as_ref(), solutions.coefficients.as_ref());
        let by_alpha =
            target
                .measured
                .scores_by_rank(predicted.as_ref(), solutions.loadings.as_ref(), &solutions.columns());
        scores.push_fold(&by_alpha);
    }
    Ok(scores)
}

pub(crate) fn fit_outer(
    source: &SourceFit,
    target: &TargetFit,
    selection: &Selection,
) -> Result<Subspace, AlignmentError> {
    let crossed = crossed(source, target);
    let mut solution = RidgeSolutions::new(source, target, &crossed, &[selection.alpha], selection.rank)?;
    let mut directions = solution.coefficients;
    let roots: Vec<f64> = source.squares.iter().map(|s2| s2.sqrt()).collect();
    scale_rows(&mut directions, &roots);
    Ok(Subspace {
        selection: selection.clone(),
        basis: orthonormal(&solution.loadings).into(),
        directions: orthonormal(&directions),
        strengths: solution.strengths.remove(0),
    })
}

/// Orthonormal columns with the same span as the columns of `matrix`, by QR decomposition.
pub fn orthonormal(matrix: &Mat<f64>) -> Mat<f64> {
    if matrix.ncols() == 0 {
        return matrix.clone();
    }
    matrix.qr().compute_thin_Q()
}
