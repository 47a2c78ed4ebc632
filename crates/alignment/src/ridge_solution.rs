//! The reduced-rank ridge solution of one fit, for one regularisation and every rank.
//!
//! With X = U S V_x' (z-scored training rows), h = s^2 / (s^2 + alpha), D = diag(sqrt h) and M = U'
//! (Y Y') U, the eigenpairs D M D = L Lambda L' give the eigenpairs of C' W_alpha: the eigenvalues
//! are the same, and the eigenvectors are V = Y' U D L Lambda^(-1/2). Since W_alpha' R W_alpha is V
//! Lambda V' on the leading space, a readout of the rank-k coordinates with the same alpha is
//! W_alpha V_k V_k': the basis that it induces in the target space is V_k itself. No matrix of
//! features by features or of voxels by voxels is formed, and nothing is solved.

use crate::AlignmentError;
use crate::eigen::leading_eigenpairs;
use crate::product::{lower_product, product, scale_columns, scale_rows};
use crate::source::SourceFit;
use crate::target::TargetFit;
use faer::Mat;

/// Coordinates whose eigenvalue is this share of the first, or less, are dropped,
const LEAST_SHARE: f64 = 1e-10;

/// and so are those whose eigenvalue is no more than this: a source or a target without variance.
const LEAST_EIGENVALUE: f64 = 1e-20;

/// The lower half of M = U' (Y Y') U.
pub(crate) fn crossed(source: &SourceFit, target: &TargetFit) -> Mat<f64> {
    let turned = product(target.gram.as_ref(), source.left.as_ref());
    lower_product(source.left.transpose(), turned.as_ref())
}

/// The leading part of the solution for one alpha.
pub(crate) struct RidgeSolution {
    /// Predictive strengths: the leading eigenvalues of C' W_alpha.
    pub(crate) strengths: Vec<f64>,
    /// V: voxels x rank, orthonormal.
    pub(crate) loadings: Mat<f64>,
    /// (S^2 + alpha)^(-1) U' Y V: components x rank. Times U S^2 it predicts training coordinates,
    /// times (X_out V_x) S those of other rows.
    pub(crate) coefficients: Mat<f64>,
}

impl RidgeSolution {
    /// The solution up to rank `max_rank`, or the last rank whose eigenvalue is not dropped.
    pub(crate) fn new(
        source: &SourceFit,
        target: &TargetFit,
        crossed: &Mat<f64>,
        alpha: f64,
        max_rank: usize,
    ) -> Result<Self, AlignmentError> {
        let squares = &source.squares;
        let shrinkage: Vec<f64> = squares
            .iter()
            .map(|s2| (s2 / (s2 + alpha)).sqrt())
            .collect();
        let n = shrinkage.len();
        let mut shrunk = Mat::zeros(n, n);
        for column in 0..n {
            let lower = crossed.col_as_slice(column)[column..].iter();
            let lower = lower.zip(&shrinkage[column..]);
            let shrunk = shrunk.col_as_slice_mut(column)[column..].iter_mut();
            for (value, (crossed, factor)) in shrunk.zip(lower) {
                *value = crossed * factor * shrinkage[column];
            }
        }
        let mut pairs = leading_eigenpairs(&shrunk, max_rank)?;
        let first = pairs.values.first().copied().unwrap_or(0.0);
        let rank = pairs
            .values
            .iter()
            .take_while(|&&value| value > LEAST_EIGENVALUE && value > LEAST_SHARE * first)
            .count();
        pairs.values.truncate(rank);
        let vectors = pairs.vectors.get(.., ..rank).to_owned();
        let roots: Vec<f64> = pairs.values.iter().map(|value| value.sqrt()).collect();

        let mut turned = vectors.clone();
        scale_rows(&mut turned, &shrinkage);
        let turned = product(source.left.as_ref(), turned.as_ref());
        let mut loadings = product(target.responses.transpose(), turned.as_ref());
        let inverse_roots: Vec<f64> = roots.iter().map(|root| 1.0 / root).collect();
        scale_columns(&mut loadings, &inverse_roots);

        // U' Y V = D^(-1) L Lambda^(1/2), and 1 / (d (s^2 + alpha)) = 1 / (s sqrt(s^2 + alpha)).
        let mut coefficients = vectors;
        scale_columns(&mut coefficients, &roots);
        let weights: Vec<f64> = squares
            .iter()
            .map(|s2| 1.0 / (s2 * (s2 + alpha)).sqrt())
            .collect();
        scale_rows(&mut coefficients, &weights);
        Ok(RidgeSolution {
            strengths: pairs.values,
            loadings,
            coefficients,
        })
    }
}
