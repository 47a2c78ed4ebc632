//! The part of a source that supports the recovered dimensions.

use crate::error::check_space;
use crate::product::{product, scale_columns, scale_rows};
use crate::reference::entropy_rank;
use crate::subspace::orthonormal;
use crate::{AlignmentError, Matrix, PreparedSource, Subspace};
use std::ops::Range;

/// Orthonormal bases of the source directions of a fit.
#[derive(Debug, Clone, PartialEq)]
pub struct SourceBasis {
    /// Q for the z-scored features: (n_features, rank).
    pub standardised: Matrix,
    /// orth(D^-1 Q), where D are the training deviations of the features: (n_features, rank).
    pub original: Matrix,
}

impl SourceBasis {
    /// The bases of a fit.
    ///
    /// - Shapes: `features` (n_stimuli, n_features), the matrix that the source was prepared from.
    pub fn new(source: &PreparedSource, features: &Matrix, subspace: &Subspace) -> Result<Self, AlignmentError> {
        let z = source.training_scores(features)?;
        let fit = &source.fits.outer;
        let mut turned = subspace.directions.clone();
        let inverse_roots: Vec<f64> = fit.squares.iter().map(|s2| 1.0 / s2.sqrt()).collect();
        scale_rows(&mut turned, &inverse_roots);
        let turned = product(fit.left.as_ref(), turned.as_ref());
        let standardised = product(z.as_ref().transpose(), turned.as_ref());
        let mut original = standardised.clone();
        let inverse: Vec<f64> = source.scale.deviations().iter().map(|sd| 1.0 / sd).collect();
        scale_rows(&mut original, &inverse);
        // Columns get equal lengths, so that the rank of the basis does not depend on their scale.
        let lengths: Vec<f64> = (0..original.ncols()).map(|column| 1.0 / original.col(column).norm_l2()).collect();
        scale_columns(&mut original, &lengths);
        Ok(SourceBasis {
            standardised: standardised.into(),
            original: orthonormal(&original).into(),
        })
    }

    /// BlockUse of each block of features (a layer): its share of the squared entries of the basis
    /// in original coordinates. `None` for a fit without dimensions.
    ///
    /// This is descriptive: it depends on the scale of the features and on correlations across blocks.
    pub fn block_use(&self, blocks: &[Range<usize>]) -> Result<Option<Vec<f64>>, AlignmentError> {
        let n_features = self.original.n_rows();
        if let Some(block) = blocks.iter().find(|block| block.start > block.end || block.end > n_features) {
            return Err(AlignmentError::option(
                "block of features",
                format!("{block:?}"),
                "positions of features, counted from 0",
            ));
        }
        let squares = |rows: Range<usize>| -> f64 {
            (0..self.original.n_columns())
                .flat_map(|column| &self.original.column(column)[rows.clone()])
                .map(|value| value * value)
                .sum()
        };
        let total = squares(0..n_features);
        Ok((total > 0.0).then(|| blocks.iter().map(|block| squares(block.clone()) / total).collect()))
    }

    /// SourceStability between the fits of two outer folds: tr(P P') / sqrt(tr(P) tr(P')) of the
    /// projectors in original coordinates. 1 for the same subspace, 0 for orthogonal ones, `None`
    /// for a fit without dimensions.
    pub fn stability(&self, other: &Self) -> Result<Option<f64>, AlignmentError> {
        let (own, other) = (&self.original, &other.original);
        check_space("the other source basis", other.n_rows(), own.n_rows())?;
        let shared = product(own.as_ref().transpose(), other.as_ref()).squared_norm_l2();
        let ranks = own.n_columns() * other.n_columns();
        Ok((ranks > 0).then(|| shared / (ranks as f64).sqrt()))
    }
}

/// Entropy effective rank of a fit's predictive strengths; `None` for a fit without dimensions.
pub fn source_effective_rank(subspace: &Subspace) -> Option<f64> {
    entropy_rank(&subspace.strengths)
}
