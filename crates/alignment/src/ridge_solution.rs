//! The reduced-rank ridge solution of one fit, for several regularisations and every rank.
//!
//! With X = U S V_x' (z-scored training rows), h = s^2 / (s^2 + alpha), D = diag(sqrt h) and M = U' (Y Y') U, the
//! eigenpairs D M D = L Lambda L' give the eigenpairs of C' W_alpha: the eigenvalues are the same, and the eigenvectors
//! are V = Y' U D L Lambda^(-1/2). Since W_alpha' R W_alpha is V Lambda V' on the leading space, a readout of the
//! rank-k coordinates with the same alpha is W_alpha V_k V_k': the basis that it induces in the target space is V_k
//! itself. No matrix of features by features or of voxels by voxels is formed, and no linear system is solved.

use crate::AlignmentError;
use crate::eigen::leading_eigenpairs;
use crate::product::{lower_product, product, scale_columns};
use crate::source::SourceFit;
use crate::target::TargetFit;
use faer::Mat;
use std::ops::Range;

/// Coordinates whose eigenvalue is at most this share of the first are dropped,
const LEAST_SHARE: f64 = 1e-10;

/// and so are those whose eigenvalue is at most this, for a source or a target without variance.
const LEAST_EIGENVALUE: f64 = 1e-20;

/// The lower half of M = U' (Y Y') U.
pub fn crossed(source: &SourceFit, target: &TargetFit) -> Mat<f64> {
    let turned = product(target.gram.as_ref(), source.left.as_ref());
    lower_product(source.left.transpose(), turned.as_ref())
}

/// The leading part of the solution for several alphas, concatenated so that one product computes all.
pub struct RidgeSolutions {
    /// For each alpha, the predictive strengths: the leading eigenvalues of C' W_alpha.
    pub(crate) strengths: Vec<Vec<f64>>,
    /// V for each alpha, concatenated: voxels x rank, orthonormal.
    pub loadings: Mat<f64>,
    /// (S^2 + alpha)^(-1) U' Y V: components x rank. Times U S^2 it predicts training coordinates,
    /// times (X_out V_x) S the coordinates of other rows.
    pub(crate) coefficients: Mat<f64>,
}

impl RidgeSolutions {
    /// The solutions up to rank `max_rank`, or up to the last rank whose eigenvalue is kept.
    pub fn new(
        source: &SourceFit,
        target: &TargetFit,
        crossed: &Mat<f64>,
        alphas: &[f64],
        max_rank: usize,
    ) -> Result<Self, AlignmentError> {
        let n = source.squares.len();
        let mut shrunk = Mat::zeros(n, n);
        let leading = alphas
            .iter()
            .map(|&alpha| {
                let shrinkage = source.shrinkage(alpha);
                for column in 0..n {
                    let lower = crossed.col_as_slice(column)[column..].iter().zip(&shrinkage[column..]);
                    let shrunk = shrunk.col_as_slice_mut(column)[column..].iter_mut();
                    for (value, (crossed, factor)) in shrunk.zip(lower) {
                        *value = crossed * factor * shrinkage[column];
                    }
                }
                let mut pairs = leading_eigenpairs(&shrunk, max_rank)?;
                let rank = rank_of(&pairs.values);
                pairs.values.truncate(rank);
                Ok((alpha, shrinkage, pairs))
            })
            .collect::<Result<Vec<_>, AlignmentError>>()?;

        let width = leading.iter().map(|(_, _, pairs)| pairs.values.len()).sum();
        let mut turned = Mat::zeros(n, width);
        let mut coefficients = Mat::zeros(n, width);
        let mut inverse_roots = Vec::with_capacity(width);
        for (alpha, shrinkage, pairs) in &leading {
            // U' Y V = D^(-1) L Lambda^(1/2), and 1 / (d (s^2 + alpha)) = 1 / (s sqrt(s^2 + alpha)).
            let weights: Vec<f64> = source.squares.iter().map(|s2| 1.0 / (s2 * (s2 + alpha)).sqrt()).collect();
            for (place, value) in pairs.values.iter().enumerate() {
                let (column, root) = (inverse_roots.len(), value.sqrt());
                let vector = pairs.vectors.col_as_slice(place);
                let turned = turned.col_as_slice_mut(column).iter_mut();
                for (turned, (entry, factor)) in turned.zip(vector.iter().zip(shrinkage)) {
                    *turned = entry * factor;
                }
                let coefficients = coefficients.col_as_slice_mut(column).iter_mut();
                for (coefficient, (entry, weight)) in coefficients.zip(vector.iter().zip(&weights)) {
                    *coefficient = entry * root * weight;
                }
                inverse_roots.push(1.0 / root);
            }
        }
        let turned = product(source.left.as_ref(), turned.as_ref());
        let mut loadings = product(target.responses.transpose(), turned.as_ref());
        scale_columns(&mut loadings, &inverse_roots);
        Ok(RidgeSolutions {
            strengths: leading.into_iter().map(|(_, _, pairs)| pairs.values).collect(),
            loadings,
            coefficients,
        })
    }

    /// The columns of each alpha.
    pub(crate) fn columns(&self) -> Vec<Range<usize>> {
        let ranks = self.strengths.iter().map(Vec::len);
        ranks
            .scan(0, |end, rank| {
                let start = *end;
                *end += rank;
                Some(start..*end)
            })
            .collect()
    }
}

/// The number of leading eigenvalues that are not dropped.
pub(crate) fn rank_of(values: &[f64]) -> usize {
    let first = values.first().copied().unwrap_or(0.0);
    let kept = |&&value: &&f64| value > LEAST_EIGENVALUE && value > LEAST_SHARE * first;
    values.iter().take_while(kept).count()
}
