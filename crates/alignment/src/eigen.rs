//! Leading eigenpairs of symmetric matrices.

use crate::AlignmentError;
use faer::{Mat, Side};

/// Eigenvalues in descending order, and their eigenvectors as columns.
#[derive(Debug, Clone)]
pub(crate) struct Eigenpairs {
    pub(crate) values: Vec<f64>,
    pub(crate) vectors: Mat<f64>,
}

/// All eigenpairs of a symmetric matrix; only its lower half is read.
pub(crate) fn all_eigenpairs(matrix: &Mat<f64>) -> Result<Eigenpairs, AlignmentError> {
    leading_eigenpairs(matrix, matrix.nrows())
}

/// The `count` leading eigenpairs of a symmetric matrix (all of them if it has fewer).
pub(crate) fn leading_eigenpairs(
    matrix: &Mat<f64>,
    count: usize,
) -> Result<Eigenpairs, AlignmentError> {
    let n = matrix.nrows();
    let count = count.min(n);
    if n == 0 {
        return Ok(Eigenpairs {
            values: Vec::new(),
            vectors: Mat::zeros(0, 0),
        });
    }
    let all = matrix
        .self_adjoint_eigen(Side::Lower)
        .map_err(|_| AlignmentError::NoConvergence { n })?;
    let (values, vectors) = (all.S().column_vector(), all.U());
    Ok(Eigenpairs {
        values: (0..count).map(|place| values[n - 1 - place]).collect(),
        vectors: Mat::from_fn(n, count, |row, place| vectors[(row, n - 1 - place)]),
    })
}
