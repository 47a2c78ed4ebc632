//! Reduction of a symmetric matrix to a tridiagonal one by Householder reflections, in panels.

use super::lanes::dot;
use faer::linalg::matmul::matmul;
use faer::linalg::matmul::triangular::{self, BlockStructure};
use faer::{Accum, Mat, MatMut, MatRef, Par};
use multiversion::multiversion;

/// Columns that are reduced before the rest of the matrix is brought up to date.
const PANEL: usize = 24;

/// A = Q T Q', T being tridiagonal.
pub(super) struct Reduced {
    pub(super) diagonal: Vec<f64>,
    pub(super) off_diagonal: Vec<f64>,
    n: usize,
    /// Column j holds, from row j + 1 on, the vector of reflection j, its leading 1 included; above
    /// are zeros.
    reflections: Vec<f64>,
    /// Reflection j is I - factor v v'.
    factors: Vec<f64>,
}

impl Reduced {
    /// Only the lower half of the matrix is read.
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
            reduced.reduce_panel(start, end);
            start = end;
        }
        reduced.diagonal[n - 1] = reduced.reflections[n * n - 1];
        reduced
    }

    /// Reduces columns `start..end`, and updates the rest: A - V W' - W V'.
    fn reduce_panel(&mut self, start: usize, end: usize) {
        let n = self.n;
        let mut updates = vec![0.0; n * (end - start)];
        for j in start..end {
            let (done, rest) = updates.split_at_mut((j - start) * n);
            let (vectors, a) = self.reflections.split_at_mut(j * n);
            let vectors = &vectors[start * n..];
            let (column, trailing) = a.split_at_mut(n);
            subtract_updates(&mut column[j..], j, n, vectors, done);
            self.diagonal[j] = column[j];
            column[..=j].fill(0.0);
            let (beta, factor) = reflect(&mut column[j + 1..]);
            self.off_diagonal[j] = beta;
            self.factors[j] = factor;
            let v = &column[j + 1..];
            let w = &mut rest[j + 1..n];
            multiply_symmetric(&trailing[j + 1..], n, v, w);
            correct(w, v, j + 1, n, vectors, done);
            let dot = dot(w, v) * factor;
            for (w, v) in w.iter_mut().zip(v) {
                *w = factor * (*w - 0.5 * dot * v);
            }
        }
        let (head, tail) = self.reflections.split_at_mut(end * n);
        let width = end - start;
        let vectors = MatRef::from_column_major_slice(&head[start * n..], n, width);
        let updates = MatRef::from_column_major_slice(&updates, n, width);
        let rest = MatMut::from_column_major_slice_mut(tail, n, n - end);
        let mut rest = rest.subrows_mut(end, n - end);
        let (v, w) = (vectors.subrows(end, n - end), updates.subrows(end, n - end));
        for (left, right) in [(v, w), (w, v)] {
            triangular::matmul(
                &mut rest,
                BlockStructure::TriangularLower,
                Accum::Add,
                left,
                BlockStructure::Rectangular,
                right.transpose(),
                BlockStructure::Rectangular,
                -1.0,
                Par::Seq,
            );
        }
    }

    /// Turns vectors of T into vectors of A: Q times each column.
    ///
    /// The reflections of a panel together are I - V F V', F being triangular.
    pub(super) fn turn_back(&self, vectors: &mut Mat<f64>) {
        let n = self.n;
        let starts: Vec<usize> = (0..n - 1).step_by(PANEL).collect();
        for &start in starts.iter().rev() {
            let end = (start + PANEL).min(n - 1);
            let width = end - start;
            let v =
                MatRef::from_column_major_slice(&self.reflections[start * n..end * n], n, width);
            let v = v.subrows(start + 1, n - start - 1);
            let mut products = Mat::<f64>::zeros(width, width);
            matmul(
                &mut products,
                Accum::Replace,
                v.transpose(),
                v,
                1.0,
                Par::Seq,
            );
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
            matmul(
                &mut projected,
                Accum::Replace,
                v.transpose(),
                &below,
                1.0,
                Par::Seq,
            );
            let mut turned = Mat::<f64>::zeros(width, count);
            matmul(
                &mut turned,
                Accum::Replace,
                &factor,
                &projected,
                1.0,
                Par::Seq,
            );
            matmul(&mut below, Accum::Add, v, &turned, -1.0, Par::Seq);
        }
    }
}

/// Turns `x` into the vector v (leading 1) of the reflection I - factor v v' that leaves of it only
/// its first entry, beta.
#[multiversion(targets("x86_64+avx512f+avx512vl+fma", "x86_64+avx2+fma"))]
fn reflect(x: &mut [f64]) -> (f64, f64) {
    let first = x[0];
    let rest = dot(&x[1..], &x[1..]);
    x[0] = 1.0;
    if rest == 0.0 {
        return (first, 0.0);
    }
    let beta = -(first * first + rest).sqrt().copysign(first);
    let scale = 1.0 / (first - beta);
    x[1..].iter_mut().for_each(|x| *x *= scale);
    (beta, (beta - first) / beta)
}

/// From the column of which `column` holds rows `row..n`, what the panel's reflections have changed
/// in it: V W' + W V', row `row` of either being the weights.
#[multiversion(targets("x86_64+avx512f+avx512vl+fma", "x86_64+avx2+fma"))]
fn subtract_updates(column: &mut [f64], row: usize, n: usize, vectors: &[f64], updates: &[f64]) {
    let pairs = vectors.chunks_exact(n).zip(updates.chunks_exact(n));
    for (v, w) in pairs {
        let (of_v, of_w) = (w[row], v[row]);
        for (value, (v, w)) in column.iter_mut().zip(v[row..].iter().zip(&w[row..])) {
            *value -= of_v * v + of_w * w;
        }
    }
}

/// `result` = A v, of A only the lower half being read: `a` starts at its first diagonal entry, and
/// a column is `stride` after the one before.
#[multiversion(targets("x86_64+avx512f+avx512vl+fma", "x86_64+avx2+fma"))]
fn multiply_symmetric(a: &[f64], stride: usize, v: &[f64], result: &mut [f64]) {
    const WIDTH: usize = 4;
    let m = v.len();
    result.fill(0.0);
    let mut first = 0;
    while first + WIDTH <= m {
        // The triangle on the diagonal, entry by entry.
        for column in first..first + WIDTH {
            let values = &a[column * stride..];
            result[column] += values[column] * v[column];
            for row in column + 1..first + WIDTH {
                result[row] += values[row] * v[column];
                result[column] += values[row] * v[row];
            }
        }
        let from = first + WIDTH;
        let columns: [&[f64]; WIDTH] =
            std::array::from_fn(|k| &a[(first + k) * stride + from..(first + k) * stride + m]);
        let weights: [f64; WIDTH] = std::array::from_fn(|k| v[first + k]);
        let (own, others) = result.split_at_mut(from);
        for (k, column) in columns.iter().enumerate() {
            own[first + k] += dot(column, &v[from..]);
        }
        let [a, b, c, d] = columns;
        let columns = a.iter().zip(b).zip(c).zip(d);
        for (result, (((a, b), c), d)) in others.iter_mut().zip(columns) {
            let pairs = (a * weights[0] + b * weights[1]) + (c * weights[2] + d * weights[3]);
            *result += pairs;
        }
        first = from;
    }
    for column in first..m {
        let values = &a[column * stride..];
        result[column] += values[column] * v[column];
        for row in column + 1..m {
            result[row] += values[row] * v[column];
            result[column] += values[row] * v[row];
        }
    }
}

/// `result` - V (W' x) - W (V' x), over the rows from `row` on.
#[multiversion(targets("x86_64+avx512f+avx512vl+fma", "x86_64+avx2+fma"))]
fn correct(result: &mut [f64], x: &[f64], row: usize, n: usize, vectors: &[f64], updates: &[f64]) {
    for (v, w) in vectors.chunks_exact(n).zip(updates.chunks_exact(n)) {
        let (v, w) = (&v[row..], &w[row..]);
        let (of_v, of_w) = (dot(w, x), dot(v, x));
        for (result, (v, w)) in result.iter_mut().zip(v.iter().zip(w)) {
            *result -= of_v * v + of_w * w;
        }
    }
}
