//! One Householder reflection of a panel: its vector, and its update of the rest.

use crate::simd_sums::{add_scaled, add_scaled_and_dots, dot, dots};
use pulp::{Simd, WithSimd};

/// One step of the reduction, from the column's part of the panel to its update.
pub(super) struct Step<'a> {
    pub(super) n: usize,
    pub(super) j: usize,
    pub(super) column: &'a mut [f64],
    /// The columns after the step's column.
    pub(super) trailing: &'a [f64],
    /// Vectors and updates of the panel's earlier reflections.
    pub(super) vectors: &'a [f64],
    pub(super) updates: &'a [f64],
    pub(super) update: &'a mut [f64],
}

/// The entries of the tridiagonal matrix from a step, and the factor of its reflection.
pub(super) struct Entries {
    pub(super) diagonal: f64,
    pub(super) off_diagonal: f64,
    pub(super) factor: f64,
}

impl WithSimd for Step<'_> {
    type Output = Entries;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Entries {
        let (n, j) = (self.n, self.j);
        subtract_updates(simd, &mut self.column[j..], j, n, self.vectors, self.updates);
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

/// Turns `x` into the vector v (leading 1) of the reflection I - factor v v' that maps it to only its first entry,
/// beta.
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

/// Subtracts from a column (`column` has its rows `row..n`) the changes of the panel's reflections: V W' + W V', with
/// row `row` of each as the weights.
#[inline(always)]
fn subtract_updates<S: Simd>(simd: S, column: &mut [f64], row: usize, n: usize, vectors: &[f64], updates: &[f64]) {
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

/// `result` = A v, where A has only its lower half, with zeros above: `a` starts at its first diagonal entry, and
/// columns are `stride` apart.
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
            // The diagonal entry is part of both sums.
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

/// Turns `result`, which is A v for A before the panel, into the update of one reflection: minus V (W' v) + W (V' v)
/// over the rows from `row` on, then w = factor (result - factor/2 (result' v) v).
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
