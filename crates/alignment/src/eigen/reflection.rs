//! One Householder reflection: its vector, and what it changes in the matrix.

use crate::simd_sums::{add_scaled, dot, dots};
use pulp::{Simd, WithSimd};

/// Rows and columns of each square along the diagonal that is kept in full; of the rest, only the lower half is.
/// It is a multiple of the length of the processor's vectors, so no column has a remainder.
pub(super) const TILE: usize = 8;

/// One step of the reduction. Reading and writing the matrix takes longest, so the updates of two reflections,
/// A - v w' - w v', are made together, while it is multiplied by the vector of a third.
pub(super) struct Step<'a> {
    pub(super) j: usize,
    /// The matrix without the pending updates; its columns are as long as v and w.
    pub(super) a: &'a mut [f64],
    /// v and w of the last reflection, or of the last two, with zeros above row j. Updates of two are made.
    pub(super) pending: &'a mut [[Vec<f64>; 2]],
    /// v and w of this reflection: the result.
    pub(super) now: &'a mut [Vec<f64>; 2],
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
        let (j, a, pending, [x, product]) = (self.j, self.a, self.pending, self.now);
        let (n, start) = (x.len(), j / TILE * TILE);
        let column = &mut a[j * n..(j + 1) * n];
        for [v, w] in pending.iter_mut() {
            add_scaled(simd, &mut column[start..], [&v[start..], &w[start..]], [-w[j], -v[j]]);
            // Row and column j are done.
            (v[j], w[j]) = (0.0, 0.0);
        }
        let diagonal = column[j];
        column[..=j].fill(0.0);
        let (off_diagonal, factor) = reflect(simd, &mut column[start..], j + 1 - start);
        x.copy_from_slice(column);

        product.fill(0.0);
        if let [[v, w], [r, s]] = pending {
            update_and_multiply(simd, a, j, [v, w, r, s], x, product);
        } else {
            update_and_multiply(simd, a, j, [], x, product);
            for [v, w] in pending {
                let pair = [&v[start..], &w[start..]];
                let [of_v, of_w] = dots(simd, pair, &x[start..]);
                add_scaled(simd, &mut product[start..], pair, [-of_w, -of_v]);
            }
        }
        product[..=j].fill(0.0);
        let (x, w) = (&x[start..], &mut product[start..]);
        let half = -0.5 * factor * dot(simd, w, x);
        add_scaled(simd, w, [x], [half]);
        w.iter_mut().for_each(|value| *value *= factor);
        Entries {
            diagonal,
            off_diagonal,
            factor,
        }
    }
}

/// Turns `x`, whose first entry is at `first`, into the vector v (leading 1) of the reflection I - factor v v' that maps
/// it to only its first entry, beta.
#[inline(always)]
fn reflect<S: Simd>(simd: S, x: &mut [f64], first: usize) -> (f64, f64) {
    let leading = std::mem::replace(&mut x[first], 0.0);
    let rest = dot(simd, x, x);
    if rest == 0.0 {
        x[first] = 1.0;
        return (leading, 0.0);
    }
    let beta = -(leading * leading + rest).sqrt().copysign(leading);
    let scale = 1.0 / (leading - beta);
    x.iter_mut().for_each(|x| *x *= scale);
    x[first] = 1.0;
    (beta, (beta - leading) / beta)
}

/// Subtracts v w' + w v' of each pair of neighbouring vectors, and adds to `product` the matrix times x. Columns up to j
/// are left out.
#[inline(always)]
fn update_and_multiply<S: Simd, const N: usize>(
    simd: S,
    a: &mut [f64],
    j: usize,
    vectors: [&[f64]; N],
    x: &[f64],
    product: &mut [f64],
) {
    let n = x.len();
    for first in (j.div_ceil(2) * 2..n).step_by(2) {
        let tile = first / TILE * TILE;
        let (left, right) = a[first * n..(first + 2) * n].split_at_mut(n);
        let mut weights = [[0.0; N]; 2];
        for k in 0..N {
            weights[0][k] = -vectors[k ^ 1][first];
            weights[1][k] = -vectors[k ^ 1][first + 1];
        }
        let mut sums = [0.0; 2];
        // The first rows are those of the square: all its entries are added by columns.
        for rows in [tile..tile + TILE, tile + TILE..n] {
            let mut of_rows = vectors;
            for vector in &mut of_rows {
                *vector = &vector[rows.clone()];
            }
            let columns = [&mut left[rows.clone()], &mut right[rows.clone()]];
            let entries = [x[first], x[first + 1]];
            sums = of_two_columns(simd, columns, of_rows, weights, &x[rows.clone()], entries, &mut product[rows]);
        }
        product[first] += sums[0];
        product[first + 1] += sums[1];
    }
}

/// Adds to each of two columns the vectors times its weights, and to `product` the columns times their entries of x;
/// returns the inner products of the columns with x.
#[inline(always)]
fn of_two_columns<S: Simd, const N: usize>(
    simd: S,
    [a, b]: [&mut [f64]; 2],
    vectors: [&[f64]; N],
    weights: [[f64; N]; 2],
    x: &[f64],
    entries: [f64; 2],
    product: &mut [f64],
) -> [f64; 2] {
    let ((a, _), (b, _), (product, _)) = (S::as_mut_simd_f64s(a), S::as_mut_simd_f64s(b), S::as_mut_simd_f64s(product));
    let (x, _) = S::as_simd_f64s(x);
    let n = x.len();
    let (a, b, product) = (&mut a[..n], &mut b[..n], &mut product[..n]);
    let zero = simd.splat_f64s(0.0);
    let mut columns: [&[S::f64s]; N] = [&[]; N];
    let (mut of_a, mut of_b) = ([zero; N], [zero; N]);
    for k in 0..N {
        columns[k] = &S::as_simd_f64s(vectors[k]).0[..n];
        (of_a[k], of_b[k]) = (simd.splat_f64s(weights[0][k]), simd.splat_f64s(weights[1][k]));
    }
    let (x_a, x_b) = (simd.splat_f64s(entries[0]), simd.splat_f64s(entries[1]));
    let (mut sum_a, mut sum_b) = (zero, zero);
    for place in 0..n {
        let (mut in_a, mut in_b) = (a[place], b[place]);
        for k in 0..N {
            in_a = simd.mul_add_f64s(columns[k][place], of_a[k], in_a);
            in_b = simd.mul_add_f64s(columns[k][place], of_b[k], in_b);
        }
        if N > 0 {
            (a[place], b[place]) = (in_a, in_b);
        }
        product[place] = simd.mul_add_f64s(in_a, x_a, simd.mul_add_f64s(in_b, x_b, product[place]));
        sum_a = simd.mul_add_f64s(in_a, x[place], sum_a);
        sum_b = simd.mul_add_f64s(in_b, x[place], sum_b);
    }
    [simd.reduce_sum_f64s(sum_a), simd.reduce_sum_f64s(sum_b)]
}
