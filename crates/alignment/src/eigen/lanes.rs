//! Sums in eight lanes of fixed order.

pub(super) const LANES: usize = 8;

/// a b + c, lane by lane.
#[inline(always)]
pub(super) fn fuse(a: &[f64; LANES], b: &[f64; LANES], c: [f64; LANES]) -> [f64; LANES] {
    let mut result = c;
    for lane in 0..LANES {
        result[lane] = a[lane].mul_add(b[lane], result[lane]);
    }
    result
}

/// Inner product.
#[inline(always)]
pub(super) fn dot(x: &[f64], y: &[f64]) -> f64 {
    let mut sums = [0.0; LANES];
    let ((x, x_rest), (y, y_rest)) = (x.as_chunks::<LANES>(), y.as_chunks::<LANES>());
    for (x, y) in x.iter().zip(y) {
        sums = fuse(x, y, sums);
    }
    let mut sum = total(&sums);
    for (x, y) in x_rest.iter().zip(y_rest) {
        sum = x.mul_add(*y, sum);
    }
    sum
}

/// The sum of the lanes, in pairs.
#[inline(always)]
pub(super) fn total(sums: &[f64; LANES]) -> f64 {
    ((sums[0] + sums[4]) + (sums[1] + sums[5])) + ((sums[2] + sums[6]) + (sums[3] + sums[7]))
}
