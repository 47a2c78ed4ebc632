//! Reduction of a symmetric matrix to tridiagonal form by Householder reflections, in panels.

use super::reflection::Step;
use faer::linalg::matmul::matmul;
use faer::linalg::matmul::triangular::{self, BlockStructure};
use faer::{Accum, Mat, MatMut, MatRef, Par};
use neurogauge_core::stopping::stop_if_asked;
use pulp::Arch;

/// Columns that are reduced before the rest of the matrix is updated.
const PANEL: usize = 24;

/// A = Q T Q', where T is tridiagonal.
pub(super) struct Reduced {
    pub(super) diagonal: Vec<f64>,
    pub(super) off_diagonal: Vec<f64>,
    n: usize,
    /// Column j holds, from row j + 1 on, the vector of reflection j, including its leading 1; above are zeros.
    reflections: Vec<f64>,
    /// Reflection j is I - factor v v'.
    factors: Vec<f64>,
}

impl Reduced {
    /// Reduces a matrix. Only its lower half is read.
    pub(super) fn new(matrix: &Mat<f64>) -> Self {
        let n = matrix.nrows();
        let mut a = vec![0.0; n * n];
        for (column, values) in a.chunks_exact_mut(n).enumerate() {
            values[column..].copy_from_slice(&matrix.col_as_slice(column)[column..]);
        }
        let mut reduced = Reduced {
            diagonal: vec![0.0; n],
            off_diagonal: vec![0.0; n - 1],
            n,
            reflections: a,
            factors: vec![0.0; n - 1],
        };
        let mut start = 0;
        while start < n - 1 {
            let end = (start + PANEL).min(n - 1);
            stop_if_asked();
            reduced.reduce_panel(start, end);
            start = end;
        }
        reduced.diagonal[n - 1] = reduced.reflections[n * n - 1];
        reduced
    }

    /// Reduces columns `start..end`, and updates the rest: A - V W' - W V'.
    fn reduce_panel(&mut self, start: usize, end: usize) {
        let n = self.n;
        let arch = Arch::new();
        let mut updates = vec![0.0; n * (end - start)];
        for j in start..end {
            let (done, rest) = updates.split_at_mut((j - start) * n);
            let (vectors, a) = self.reflections.split_at_mut(j * n);
            let vectors = &vectors[start * n..];
            let (column, trailing) = a.split_at_mut(n);
            let entries = arch.dispatch(Step {
                n,
                j,
                column,
                trailing,
                vectors,
                updates: done,
                update: &mut rest[..n],
            });
            self.diagonal[j] = entries.diagonal;
            self.off_diagonal[j] = entries.off_diagonal;
            self.factors[j] = entries.factor;
        }
        let (head, tail) = self.reflections.split_at_mut(end * n);
        let width = end - start;
        let vectors = MatRef::from_column_major_slice(&head[start * n..], n, width);
        let updates = MatRef::from_column_major_slice(&updates, n, width);
        let (v, w) = (vectors.subrows(end, n - end), updates.subrows(end, n - end));
        let rest = MatMut::from_column_major_slice_mut(tail, n, n - end);
        // Computes both products at once.
        let beside = |a: MatRef<'_, f64>, b: MatRef<'_, f64>| {
            let mut both = Mat::zeros(n - end, 2 * width);
            both.get_mut(.., ..width).copy_from(a);
            both.get_mut(.., width..).copy_from(b);
            both
        };
        triangular::matmul(
            rest.subrows_mut(end, n - end),
            BlockStructure::TriangularLower,
            Accum::Add,
            beside(v, w),
            BlockStructure::Rectangular,
            beside(w, v).transpose(),
            BlockStructure::Rectangular,
            -1.0,
            Par::Seq,
        );
    }

    /// Transforms vectors of T into vectors of A: Q times each column.
    ///
    /// The product of a panel's reflections is I - V F V', where F is triangular.
    pub(super) fn turn_back(&self, vectors: &mut Mat<f64>) {
        let n = self.n;
        let starts: Vec<usize> = (0..n - 1).step_by(PANEL).collect();
        for &start in starts.iter().rev() {
            let end = (start + PANEL).min(n - 1);
            let width = end - start;
            let v = MatRef::from_column_major_slice(&self.reflections[start * n..end * n], n, width);
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
