//! Matrix products on one thread.

use faer::linalg::matmul::{matmul, triangular};
use faer::{Accum, Mat, MatRef, Par};
use neurogauge_core::stopping::stop_if_asked;
use neurogauge_stats::summation::sum;
use triangular::BlockStructure::{Rectangular, TriangularLower};

/// `a b`.
pub(crate) fn product(a: MatRef<'_, f64>, b: MatRef<'_, f64>) -> Mat<f64> {
    stop_if_asked();
    let mut result = Mat::zeros(a.nrows(), b.ncols());
    matmul(&mut result, Accum::Replace, a, b, 1.0, Par::Seq);
    result
}

/// The lower half of `a b`, which is known to be symmetric; the upper half is zero.
pub(crate) fn lower_product(a: MatRef<'_, f64>, b: MatRef<'_, f64>) -> Mat<f64> {
    stop_if_asked();
    let n = a.nrows();
    let mut result = Mat::zeros(n, n);
    triangular::matmul(&mut result, TriangularLower, Accum::Replace, a, Rectangular, b, Rectangular, 1.0, Par::Seq);
    result
}

/// `a a'`.
pub(crate) fn gram(a: MatRef<'_, f64>) -> Mat<f64> {
    let mut result = lower_product(a, a.transpose());
    let n = result.nrows();
    for column in 0..n {
        let lower = result.col_as_slice(column)[column..].to_vec();
        for (row, value) in (column..n).zip(lower) {
            result.col_as_slice_mut(row)[column] = value;
        }
    }
    result
}

/// Multiplies row i by `factors[i]`.
pub(crate) fn scale_rows(matrix: &mut Mat<f64>, factors: &[f64]) {
    for column in 0..matrix.ncols() {
        for (value, factor) in matrix.col_as_slice_mut(column).iter_mut().zip(factors) {
            *value *= factor;
        }
    }
}

/// Multiplies column j by `factors[j]`.
pub(crate) fn scale_columns(matrix: &mut Mat<f64>, factors: &[f64]) {
    for (column, factor) in factors.iter().enumerate() {
        for value in matrix.col_as_slice_mut(column) {
            *value *= factor;
        }
    }
}

/// Subtracts from each column its mean.
pub(crate) fn centre_columns(matrix: &mut Mat<f64>) {
    let n = matrix.nrows() as f64;
    for column in 0..matrix.ncols() {
        let values = matrix.col_as_slice_mut(column);
        let mean = sum(values) / n;
        values.iter_mut().for_each(|value| *value -= mean);
    }
}

pub(crate) fn leading(matrix: MatRef<'_, f64>, n_columns: usize) -> MatRef<'_, f64> {
    matrix.subcols(0, n_columns.min(matrix.ncols()))
}
