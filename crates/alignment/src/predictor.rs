//! Responses that a fitted source predicts for stimuli that it was not fitted to.

use crate::error::check_space;
use crate::pool_fits::check_matrix;
use crate::product::{product, scale_columns};
use crate::readout::Ridge;
use crate::subspace::check_folds;
use crate::{AlignmentError, Matrix, PreparedSource, PreparedTarget, SourceBasis, Standardisation, Subspace};

/// A fitted source as a map from features to responses:
/// ((x - means) / deviations) directions coefficients + offsets, in the units of the responses.
///
/// It is the readout of [`read_out`](crate::read_out) from the selected source coordinates, in an explicit form that
/// can be saved and applied to other stimuli.
#[derive(Debug, Clone, PartialEq)]
pub struct Predictor {
    /// Means of the features of the training stimuli.
    pub means: Vec<f64>,
    /// Their standard deviations; 1 for a constant feature.
    pub deviations: Vec<f64>,
    /// An orthonormal basis of the source directions: (n_features, rank).
    pub directions: Matrix,
    /// Maps source coordinates to responses: (rank, n_voxels).
    pub coefficients: Matrix,
    /// The responses to a stimulus whose coordinates are all 0, one per voxel.
    pub offsets: Vec<f64>,
}

impl Predictor {
    /// The map of a fit, with the regularisation `alpha` that its readout selected.
    ///
    /// - Shapes: `features` (n_stimuli, n_features) and `responses` (n_stimuli, n_voxels), the matrices that source and
    ///   target were prepared from.
    pub fn new(
        (source, features): (&PreparedSource, &Matrix),
        (target, responses): (&PreparedTarget, &Matrix),
        subspace: &Subspace,
        alpha: f64,
    ) -> Result<Self, AlignmentError> {
        check_folds(source, target)?;
        if alpha.is_nan() || alpha <= 0.0 {
            return Err(AlignmentError::option("the readout's alpha", alpha, "a positive number"));
        }
        check_space("the matrix of responses", responses.n_columns(), target.n_voxels)?;
        check_matrix(&target.unit.to_string(), responses, features.n_rows())?;
        let basis = SourceBasis::new(source, features, subspace)?;
        let training: Matrix = subspace.training_coordinates(&source.fits.outer).into();
        let ridge = Ridge::to_rows(&training, &target.fits.outer.responses)?;
        let scale = Standardisation::of(responses, &source.fold.training.stimuli);
        let mut coefficients = ridge.coefficients(alpha);
        scale_columns(&mut coefficients, scale.deviations());
        let zero = Matrix::from_fn(1, subspace.rank(), |_, _| 0.0);
        let at_zero = ridge.predicted(&zero, alpha);
        let at_zero = product(at_zero.as_ref(), ridge.loadings().transpose());
        let units = scale.means().iter().zip(scale.deviations()).enumerate();
        let offsets = units.map(|(voxel, (mean, sd))| mean + sd * at_zero[(0, voxel)]);
        Ok(Predictor {
            means: source.scale.means().to_vec(),
            deviations: source.scale.deviations().to_vec(),
            directions: basis.standardised,
            coefficients: coefficients.into(),
            offsets: offsets.collect(),
        })
    }

    /// The responses to stimuli with these features: (n_stimuli, n_voxels).
    pub fn predict(&self, features: &Matrix) -> Result<Matrix, AlignmentError> {
        check_space("the matrix of features", features.n_columns(), self.means.len())?;
        let z = Matrix::from_fn(features.n_rows(), features.n_columns(), |row, column| {
            let z = (features.get(row, column) - self.means[column]) / self.deviations[column];
            if z.is_finite() { z } else { 0.0 }
        });
        let coordinates = product(z.as_ref(), self.directions.as_ref());
        let mut responses = product(coordinates.as_ref(), self.coefficients.as_ref());
        for (voxel, offset) in self.offsets.iter().enumerate() {
            let values = responses.col_as_slice_mut(voxel);
            values.iter_mut().for_each(|value| *value += offset);
        }
        Ok(responses.into())
    }
}
