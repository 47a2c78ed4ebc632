//! Sums over long columns with the processor's vectors, several columns at a time: loaded values are used more than
//! once, and no sum waits for another.

use pulp::Simd;

/// Inner product.
#[inline(always)]
pub(crate) fn dot<S: Simd>(simd: S, x: &[f64], y: &[f64]) -> f64 {
    const CHAINS: usize = 4;
    let n = x.len().min(y.len());
    let ((x, x_rest), (y, y_rest)) = (S::as_simd_f64s(&x[..n]), S::as_simd_f64s(&y[..n]));
    let ((x, x_last), (y, y_last)) = (x.as_chunks::<CHAINS>(), y.as_chunks::<CHAINS>());
    let mut sums = [simd.splat_f64s(0.0); CHAINS];
    for (x, y) in x.iter().zip(y) {
        for chain in 0..CHAINS {
            sums[chain] = simd.mul_add_f64s(x[chain], y[chain], sums[chain]);
        }
    }
    for ((x, y), sum) in x_last.iter().zip(y_last).zip(&mut sums) {
        *sum = simd.mul_add_f64s(*x, *y, *sum);
    }
    let (x, y) = (simd.partial_load_f64s(x_rest), simd.partial_load_f64s(y_rest));
    let [first, second, third, fourth] = sums;
    let first = simd.mul_add_f64s(x, y, first);
    let pairs = [simd.add_f64s(first, second), simd.add_f64s(third, fourth)];
    simd.reduce_sum_f64s(simd.add_f64s(pairs[0], pairs[1]))
}

/// A column as SIMD vectors, and the remaining values.
type Vectors<'a, S> = (&'a [<S as Simd>::f64s], &'a [f64]);

// These are loops, because a closure that is not inlined would not be compiled with the SIMD instructions.

#[inline(always)]
fn vectors_of<'a, S: Simd, const N: usize>(columns: [&'a [f64]; N], n: usize) -> [Vectors<'a, S>; N] {
    let mut vectors: [Vectors<'a, S>; N] = [(&[], &[]); N];
    for k in 0..N {
        vectors[k] = S::as_simd_f64s(&columns[k][..n]);
    }
    vectors
}

/// Inner products of the columns with `x`; no column is shorter than `x`.
#[inline(always)]
pub(crate) fn dots<S: Simd, const N: usize>(simd: S, columns: [&[f64]; N], x: &[f64]) -> [f64; N] {
    let columns = vectors_of::<S, N>(columns, x.len());
    let (vectors, rest) = S::as_simd_f64s(x);
    let mut sums = [simd.splat_f64s(0.0); N];
    for (place, &x) in vectors.iter().enumerate() {
        for k in 0..N {
            sums[k] = simd.mul_add_f64s(columns[k].0[place], x, sums[k]);
        }
    }
    let rest = simd.partial_load_f64s(rest);
    let mut results = [0.0; N];
    for k in 0..N {
        let last = simd.partial_load_f64s(columns[k].1);
        results[k] = simd.reduce_sum_f64s(simd.mul_add_f64s(last, rest, sums[k]));
    }
    results
}

/// Adds to `result` each column times its weight; no column is shorter than `result`.
#[inline(always)]
pub(crate) fn add_scaled<S: Simd, const N: usize>(
    simd: S,
    result: &mut [f64],
    columns: [&[f64]; N],
    weights: [f64; N],
) {
    let columns = vectors_of::<S, N>(columns, result.len());
    let (vectors, rest) = S::as_mut_simd_f64s(result);
    let mut factors = [simd.splat_f64s(0.0); N];
    for k in 0..N {
        factors[k] = simd.splat_f64s(weights[k]);
    }
    for (place, result) in vectors.iter_mut().enumerate() {
        let mut sum = *result;
        for k in 0..N {
            sum = simd.mul_add_f64s(columns[k].0[place], factors[k], sum);
        }
        *result = sum;
    }
    let mut last = simd.partial_load_f64s(rest);
    for k in 0..N {
        last = simd.mul_add_f64s(simd.partial_load_f64s(columns[k].1), factors[k], last);
    }
    simd.partial_store_f64s(rest, last);
}

/// Subtracts from `x`, for each column, the column times the inner product of `x` with its dual, and adds these
/// products to `overlaps`: one Gram-Schmidt pass, in groups. Orthonormal columns are their own duals.
#[inline(always)]
pub(crate) fn remove_parts<S: Simd>(
    simd: S,
    x: &mut [f64],
    columns: &[&[f64]],
    duals: &[&[f64]],
    overlaps: &mut [f64],
) {
    let ((groups, rest), (of_duals, duals_rest)) = (columns.as_chunks::<4>(), duals.as_chunks::<4>());
    let (of_overlaps, overlaps_rest) = overlaps.as_chunks_mut::<4>();
    for ((group, duals), overlaps) in groups.iter().zip(of_duals).zip(of_overlaps) {
        let [a, b, c, d] = dots(simd, *duals, x);
        add_scaled(simd, x, *group, [-a, -b, -c, -d]);
        for (overlap, part) in overlaps.iter_mut().zip([a, b, c, d]) {
            *overlap += part;
        }
    }
    for ((column, dual), overlap) in rest.iter().zip(duals_rest).zip(overlaps_rest) {
        let [part] = dots(simd, [dual], x);
        add_scaled(simd, x, [column], [-part]);
        *overlap += part;
    }
}
