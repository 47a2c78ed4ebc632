//! Reduction of a symmetric matrix to a tridiagonal one by Householder reflections, in panels.

use crate::lanes::{add_scaled, add_scaled_and_dots, dot, dots};
use faer::linalg::matmul::matmul;
use faer::linalg::matmul::triangular::{self, BlockStructure};
use faer::{Accum, Mat, MatMut, MatRef, Par};
use neurogauge_core::stopping::stop_if_asked;
use pulp::{Arch, Simd, WithSimd};

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
        // Both products in one.
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

/// One step of the reduction, from the column's own part of the panel to its update.
struct Step<'a> {
    n: usize,
    /// Position of the column.
    j: usize,
    column: &'a mut [f64],
    /// The columns after it.
    trailing: &'a [f64],
    /// Vectors and updates of the panel's reflections before it.
    vectors: &'a [f64],
    updates: &'a [f64],
    /// Its own update.
    update: &'a mut [f64],
}

/// What a step leaves in the tridiagonal matrix, and the factor of its reflection.
struct Entries {
    diagonal: f64,
    off_diagonal: f64,
    factor: f64,
}

impl WithSimd for Step<'_> {
    type Output = Entries;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Entries {
        let (n, j) = (self.n, self.j);
        subtract_updates(
            simd,
            &mut self.column[j..],
            j,
            n,
            self.vectors,
            self.updates,
        );
        let diagonal = self.column[j];
        self.column[..=j].fill(0.0);
        let v = &mut self.column[j + 1..];
        let (off_diagonal, factor) = reflect(simd, v);
        let w = &mut self.update[j + 1..n];
        multiply_symmetric(simd, &self.trailing[j + 1..], n, v, w);
        let pairs = (self.vectors, self.updates);
        complete(simd, w, v, factor, j + 1, n, pairs);
        Entries {
            diagonal,
            off_diagonal,
            factor,
        }
    }
}

/// Turns `x` into the vector v (leading 1) of the reflection I - factor v v' that leaves of it only
/// its first entry, beta.
#[inline(always)]
fn reflect<S: Simd>(simd: S, x: &mut [f64]) -> (f64, f64) {
    let first = x[0];
    let rest = dot(simd, &x[1..], &x[1..]);
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
#[inline(always)]
fn subtract_updates<S: Simd>(
    simd: S,
    column: &mut [f64],
    row: usize,
    n: usize,
    vectors: &[f64],
    updates: &[f64],
) {
    let mut pairs = vectors.chunks_exact(n).zip(updates.chunks_exact(n));
    while let Some((v, w)) = pairs.next() {
        if let Some((x, y)) = pairs.next() {
            let columns = [&v[row..], &w[row..], &x[row..], &y[row..]];
            add_scaled(simd, column, columns, [-w[row], -v[row], -y[row], -x[row]]);
        } else {
            add_scaled(simd, column, [&v[row..], &w[row..]], [-w[row], -v[row]]);
        }
    }
}

/// `result` = A v, of A only the lower half being there and the upper one zeros: `a` starts at its
/// first diagonal entry, and a column is `stride` after the one before.
#[inline(always)]
fn multiply_symmetric<S: Simd>(simd: S, a: &[f64], stride: usize, v: &[f64], result: &mut [f64]) {
    const WIDTH: usize = 4;
    let m = v.len();
    result.fill(0.0);
    let mut first = 0;
    while first + WIDTH <= m {
        let start = first * stride;
        let columns = [
            &a[start + first..start + m],
            &a[start + stride + first..start + stride + m],
            &a[start + 2 * stride + first..start + 2 * stride + m],
            &a[start + 3 * stride + first..start + 3 * stride + m],
        ];
        let weights = [v[first], v[first + 1], v[first + 2], v[first + 3]];
        let result = &mut result[first..];
        let sums = add_scaled_and_dots(simd, result, columns, weights, &v[first..]);
        for k in 0..WIDTH {
            // The diagonal entry is in both.
            result[k] += sums[k] - columns[k][k] * weights[k];
        }
        first += WIDTH;
    }
    for column in first..m {
        let values = &a[column * stride + column..column * stride + m];
        let result = &mut result[column..];
        let [sum] = add_scaled_and_dots(simd, result, [values], [v[column]], &v[column..]);
        result[0] += sum - values[0] * v[column];
    }
}

/// Completes `result`, which holds A v as the panel found A, to the update of one reflection: less
/// V (W' v) + W (V' v) over the rows from `row` on, then w = factor (result - factor/2 (result' v) v).
#[inline(always)]
fn complete<S: Simd>(
    simd: S,
    result: &mut [f64],
    v: &[f64],
    factor: f64,
    row: usize,
    n: usize,
    (vectors, updates): (&[f64], &[f64]),
) {
    let mut pairs = vectors.chunks_exact(n).zip(updates.chunks_exact(n));
    while let Some((a, b)) = pairs.next() {
        if let Some((c, d)) = pairs.next() {
            let columns = [&a[row..], &b[row..], &c[row..], &d[row..]];
            let [of_b, of_a, of_d, of_c] = dots(simd, columns, v);
            add_scaled(simd, result, columns, [-of_a, -of_b, -of_c, -of_d]);
        } else {
            let columns = [&a[row..], &b[row..]];
            let [of_b, of_a] = dots(simd, columns, v);
            add_scaled(simd, result, columns, [-of_a, -of_b]);
        }
    }
    let half = -0.5 * factor * dot(simd, result, v);
    add_scaled(simd, result, [v], [half]);
    result.iter_mut().for_each(|value| *value *= factor);
}
