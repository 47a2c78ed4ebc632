//! Leading eigenpairs of symmetric matrices.
//!
//! A fit needs about 20 of 250 pairs, thirty times. So a matrix is reduced to tridiagonal form, its leading eigenvalues
//! are bisected together, their vectors are found by inverse iteration, and only these are transformed back. The result
//! is verified; if it fails (which has not been observed), the full decomposition is used.

mod bisection;
mod inverse_iteration;
mod reflection;
mod tridiagonal;

use crate::product::scale_columns;
use crate::{AlignmentError, Matrix};
use faer::{Mat, Side};
use tridiagonal::Reduced;

/// Matrices below this size are decomposed in full.
const LEAST_SIZE: usize = 24;

/// Eigenvalues in descending order, and their eigenvectors as columns.
#[derive(Debug, Clone)]
pub struct Eigenpairs {
    pub values: Vec<f64>,
    pub vectors: Mat<f64>,
}

/// Eigenvalues of a symmetric matrix in descending order, and their eigenvectors as columns. Only the lower half is
/// read.
///
/// ```
/// use neurogauge_alignment::{Matrix, symmetric_eigenpairs};
/// let (values, vectors) = symmetric_eigenpairs(&Matrix::from_rows(2, 2, &[2.0, 1.0, 1.0, 2.0])?)?;
/// assert!((values[0] - 3.0).abs() < 1e-12 && (vectors.get(0, 0).abs() - 0.5_f64.sqrt()).abs() < 1e-12);
/// # Ok::<(), neurogauge_alignment::AlignmentError>(())
/// ```
pub fn symmetric_eigenpairs(matrix: &Matrix) -> Result<(Vec<f64>, Matrix), AlignmentError> {
    let found = all_eigenpairs(&matrix.as_ref().to_owned())?;
    Ok((found.values, found.vectors.into()))
}

/// All eigenpairs of a symmetric matrix; only its lower half is read.
pub fn all_eigenpairs(matrix: &Mat<f64>) -> Result<Eigenpairs, AlignmentError> {
    let n = matrix.nrows();
    if n == 0 {
        return Ok(Eigenpairs {
            values: Vec::new(),
            vectors: Mat::zeros(0, 0),
        });
    }
    let all = matrix.self_adjoint_eigen(Side::Lower).map_err(|_| AlignmentError::NoConvergence { n })?;
    let values = all.S().column_vector();
    Ok(Eigenpairs {
        values: (0..n).map(|place| values[n - 1 - place]).collect(),
        vectors: all.U().reverse_cols().to_owned(),
    })
}

/// The `count` leading eigenpairs of a symmetric matrix (all of them if it has fewer).
pub fn leading_eigenpairs(matrix: &Mat<f64>, count: usize) -> Result<Eigenpairs, AlignmentError> {
    let n = matrix.nrows();
    if n >= LEAST_SIZE
        && 3 * count <= n
        && let Some(pairs) = leading_by_reduction(matrix, count)
    {
        return Ok(pairs);
    }
    let mut pairs = all_eigenpairs(matrix)?;
    pairs.values.truncate(count);
    pairs.vectors = pairs.vectors.get(.., ..count.min(n)).to_owned();
    Ok(pairs)
}

/// The leading eigenpairs by reduction; `None` if the vectors of the tridiagonal matrix fail their verification.
pub fn leading_by_reduction(matrix: &Mat<f64>, count: usize) -> Option<Eigenpairs> {
    let reduced = Reduced::new(matrix);
    let values = bisection::leading_eigenvalues(&reduced.diagonal, &reduced.off_diagonal, count);
    let mut vectors = inverse_iteration::eigenvectors(&reduced.diagonal, &reduced.off_diagonal, &values)?;
    reduced.turn_back(&mut vectors);
    Some(Eigenpairs { values, vectors })
}

/// Reference weights up to this share of the first are zero except for rounding.
const LEAST_WEIGHT: f64 = 1e-10;

/// Eigenvalues of the sum of the stacked projectors, and the matrix that maps the stacked bases to its orthonormal
/// eigenvectors.
pub(crate) struct Turn {
    pub(crate) values: Vec<f64>,
    pub(crate) vectors: Mat<f64>,
}

/// The leading `count` eigenpairs, without those of weight zero.
pub(crate) fn leading_turn(overlaps: &Mat<f64>, count: usize) -> Result<Turn, AlignmentError> {
    let pairs = all_eigenpairs(overlaps)?;
    let least = LEAST_WEIGHT * pairs.values.first().copied().unwrap_or(0.0);
    let values: Vec<f64> =
        pairs.values.iter().copied().take(count).take_while(|&value| value > least && value > 0.0).collect();
    let mut vectors = pairs.vectors.get(.., ..values.len()).to_owned();
    let inverse_roots: Vec<f64> = values.iter().map(|value| 1.0 / value.sqrt()).collect();
    scale_columns(&mut vectors, &inverse_roots);
    Ok(Turn { values, vectors })
}
