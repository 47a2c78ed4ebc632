//! Reduction of a symmetric matrix to tridiagonal form by Householder reflections.

use super::reflection::{Step, TILE};
use faer::linalg::matmul::matmul;
use faer::{Accum, Mat, MatRef, Par};
use neurogauge_core::stopping::stop_if_asked;
use pulp::Arch;

/// Reflections that are applied together to vectors.
const PANEL: usize = 24;

/// A = Q T Q', where T is tridiagonal.
pub(super) struct Reduced {
    pub(super) diagonal: Vec<f64>,
    pub(super) off_diagonal: Vec<f64>,
    /// Column j holds, from row j + 1 on, the vector of reflection j, including its leading 1; other entries are zeros.
    /// Columns are `stride` long.
    reflections: Vec<f64>,
    stride: usize,
    /// Reflection j is I - factor v v'.
    factors: Vec<f64>,
}

impl Reduced {
    /// Reduces a matrix. Only its lower half is read.
    pub(super) fn new(matrix: &Mat<f64>) -> Self {
        let n = matrix.nrows();
        let stride = n.next_multiple_of(TILE);
        let mut a = vec![0.0; stride * stride];
        for (column, values) in a.chunks_exact_mut(stride).take(n).enumerate() {
            values[column..n].copy_from_slice(&matrix.col_as_slice(column)[column..]);
            for row in column / TILE * TILE..column {
                values[row] = matrix[(column, row)];
            }
        }
        let arch = Arch::new();
        let [mut diagonal, mut off_diagonal, mut factors] = [const { Vec::new() }; 3];
        let mut pairs = [[(); 2]; 3].map(|pair| pair.map(|()| vec![0.0; stride]));
        let mut n_pending = 1;
        for j in 0..n - 1 {
            stop_if_asked();
            let (pending, now) = pairs.split_at_mut(2);
            let entries = arch.dispatch(Step {
                j,
                a: &mut a,
                pending: &mut pending[..n_pending],
                now: &mut now[0],
            });
            pairs.swap(2 - n_pending, 2);
            n_pending = 3 - n_pending;
            diagonal.push(entries.diagonal);
            off_diagonal.push(entries.off_diagonal);
            factors.push(entries.factor);
        }
        let updates = pairs[..n_pending].iter().map(|[v, w]| 2.0 * v[n - 1] * w[n - 1]);
        diagonal.push(a[(n - 1) * (stride + 1)] - updates.sum::<f64>());
        Reduced {
            diagonal,
            off_diagonal,
            reflections: a,
            stride,
            factors,
        }
    }

    /// Transforms vectors of T into vectors of A: Q times each column.
    ///
    /// The product of a panel's reflections is I - V F V', where F is triangular.
    pub(super) fn turn_back(&self, vectors: &mut Mat<f64>) {
        let (n, stride) = (self.diagonal.len(), self.stride);
        let starts: Vec<usize> = (0..n - 1).step_by(PANEL).collect();
        for &start in starts.iter().rev() {
            let end = (start + PANEL).min(n - 1);
            let width = end - start;
            let v = MatRef::from_column_major_slice(&self.reflections[start * stride..end * stride], stride, width);
            let v = v.subrows(start + 1, n - start - 1);
            let mut products = Mat::<f64>::zeros(width, width);
            matmul(&mut products, Accum::Replace, v.transpose(), v, 1.0, Par::Seq);
            let mut factor = Mat::<f64>::zeros(width, width);
            let mut column = vec![0.0; width];
            for j in 0..width {
                let own = self.factors[start + j];
                column.fill(0.0);
                for (k, product) in products.col_as_slice(j)[..j].iter().enumerate() {
                    let known = &factor.col_as_slice(k)[..=k];
                    for (sum, factor) in column.iter_mut().zip(known) {
                        *sum -= own * product * factor;
                    }
                }
                column[j] = own;
                factor.col_as_slice_mut(j).copy_from_slice(&column);
            }
            let count = vectors.ncols();
            let mut below = vectors.as_mut().subrows_mut(start + 1, n - start - 1);
            let mut projected = Mat::<f64>::zeros(width, count);
            matmul(&mut projected, Accum::Replace, v.transpose(), &below, 1.0, Par::Seq);
            let mut turned = Mat::<f64>::zeros(width, count);
            matmul(&mut turned, Accum::Replace, &factor, &projected, 1.0, Par::Seq);
            matmul(&mut below, Accum::Add, v, &turned, -1.0, Par::Seq);
        }
    }
}
