//! Held-out prediction along single directions, and the share of a full readout that a subspace retains.

use crate::correlation::Measured;
use crate::error::check_space;
use crate::product::{leading, product, scale_columns};
use crate::readout::{Ridge, smallest_of_best};
use crate::selection::mean;
use crate::subspace::{check_alphas, check_folds};
use crate::{
    AlignmentError, CandidateScores, Matrix, PreparedSource, PreparedTarget, Readout, Selection, Subspace,
    SubspaceOptions, TargetReference, cross_validate, fit,
};
use faer::Mat;
use serde::{Deserialize, Serialize};

/// Pearson's r between predicted and measured test responses along each of the first `count` reference directions:
/// corr(Y^ u_j, Y u_j). This differs from coverage: a direction can be in the subspace and still be predicted badly.
///
/// The prediction is that of the readout behind the accuracy. r is 0 if either side is constant.
pub fn directional_prediction(
    source: &PreparedSource,
    target: &PreparedTarget,
    subspace: &Subspace,
    readout: &Readout,
    reference: &TargetReference,
    count: usize,
) -> Result<Vec<f64>, AlignmentError> {
    check_folds(source, target)?;
    check_space("the target", target.n_voxels, reference.n_voxels())?;
    let fit = &source.fits.outer;
    let training = subspace.training_coordinates(fit).into();
    let test = subspace.coordinates(fit, &fit.held_out).into();
    let ridge = Ridge::to_rows(&training, &target.fits.outer.responses)?;
    let predicted = ridge.predicted(&test, readout.alpha);
    let directions = leading(reference.directions.as_ref(), count);
    let measured = Measured::new(product(target.test.as_ref(), directions).as_ref());
    let loadings = product(directions.transpose(), ridge.loadings().as_ref());
    Ok(measured.correlations(predicted.as_ref(), &loadings))
}

/// A readout whose regularisation was selected on the reserved chunk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReservedReadout {
    pub alpha: f64,
    /// Scores of all candidates on the reserved chunk.
    pub reserved: Vec<f64>,
    /// Prediction accuracy on the test chunk.
    pub test: f64,
}

/// How much of the accuracy of all features the selected subspace retains (Figure 2D).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AuxiliaryReadouts {
    /// The selected rank (up to 32 in the paper) and regularisation of the subspace.
    pub selection: Selection,
    /// The readout from all features.
    pub full: ReservedReadout,
    /// The readout from the selected source coordinates.
    pub subspace: ReservedReadout,
    /// The readout from equally many principal components of the source.
    pub source_pca: ReservedReadout,
}

impl AuxiliaryReadouts {
    /// The options of the paper: ranks up to 32.
    pub fn options() -> SubspaceOptions {
        SubspaceOptions {
            max_rank: 32,
            ..SubspaceOptions::default()
        }
    }

    /// Fits the three readouts to the outer training stimuli; each selects its regularisation on
    /// the reserved chunk (scores within 1e-12 tie, the smallest wins).
    pub fn new(
        source: &PreparedSource,
        target: &PreparedTarget,
        options: &SubspaceOptions,
        alphas: &[f64],
    ) -> Result<Self, AlignmentError> {
        Self::of(source, target, &cross_validate(source, target, options)?, alphas)
    }

    /// The same, if the scores of all candidates are known.
    pub fn of(
        source: &PreparedSource,
        target: &PreparedTarget,
        scores: &CandidateScores,
        alphas: &[f64],
    ) -> Result<Self, AlignmentError> {
        check_alphas("readout alphas", alphas)?;
        let selection = scores.select()?;
        let subspace = fit(source, target, &selection)?;
        let fits = &source.fits.outer;
        let of = |coordinates: &dyn Fn(&Mat<f64>) -> Mat<f64>, training: Mat<f64>| {
            let ridge = Ridge::to_rows(&training.into(), &target.fits.outer.responses)?;
            let (reserved, test): (Matrix, Matrix) =
                (coordinates(&source.reserved).into(), coordinates(&fits.held_out).into());
            let score =
                |rows: &Matrix, alpha: f64, measured: &Measured| mean(&ridge.correlations(rows, alpha, measured));
            let scores = alphas.iter().map(|&a| score(&reserved, a, &target.reserved));
            Ok::<_, AlignmentError>(readout(scores.collect(), alphas, |alpha| {
                score(&test, alpha, &target.fits.outer.measured)
            }))
        };
        let roots: Vec<f64> = fits.squares.iter().map(|s2| s2.sqrt()).collect();
        let inverse_roots: Vec<f64> = roots.iter().map(|root| 1.0 / root).collect();
        let rank = subspace.rank();
        let component = |rows: &Mat<f64>, factors: &[f64]| {
            let mut components = leading(rows.as_ref(), rank).to_owned();
            scale_columns(&mut components, &factors[..rank.min(factors.len())]);
            components
        };
        Ok(AuxiliaryReadouts {
            full: full_readout(source, target, alphas),
            subspace: of(&|rows| subspace.coordinates(fits, rows), subspace.training_coordinates(fits))?,
            source_pca: of(&|rows| component(rows, &inverse_roots), component(&fits.left, &roots))?,
            selection,
        })
    }

    pub fn retained(&self) -> f64 {
        self.subspace.test / self.full.test
    }
}

/// Ridge regression on all z-scored features, through the singular vectors.
fn full_readout(source: &PreparedSource, target: &PreparedTarget, alphas: &[f64]) -> ReservedReadout {
    let fit = &source.fits.outer;
    let loadings = product(target.fits.outer.responses.transpose(), fit.left.as_ref());
    let score = |rows: &Mat<f64>, alpha: f64, measured: &Measured| {
        let mut predicted = rows.clone();
        let shrinkage: Vec<f64> = fit.squares.iter().map(|s2| 1.0 / (s2 + alpha)).collect();
        scale_columns(&mut predicted, &shrinkage);
        mean(&measured.correlations(predicted.as_ref(), &loadings))
    };
    let scores = alphas.iter().map(|&alpha| score(&source.reserved, alpha, &target.reserved));
    readout(scores.collect(), alphas, |alpha| score(&fit.held_out, alpha, &target.fits.outer.measured))
}

fn readout(reserved: Vec<f64>, alphas: &[f64], test: impl Fn(f64) -> f64) -> ReservedReadout {
    let alpha = smallest_of_best(&reserved, alphas);
    ReservedReadout {
        alpha,
        test: test(alpha),
        reserved,
    }
}
