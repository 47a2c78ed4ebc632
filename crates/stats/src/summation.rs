//! Sums with a fixed order.
//!
//! Floating-point addition is not associative: a sum in the order of the processor's vector width has different last
//! bits on different machines. Here the order is part of the definition. Blocks of [`BLOCK`] terms are added one after
//! another; within a block, term `i` goes to lane `i % LANES`, and the lanes are added from first to last. Any vector
//! unit of up to eight lanes can do that at full speed, and the blocks keep the rounding error near that of pairwise
//! summation.

use multiversion::multiversion;

/// Independent partial sums within a block.
pub const LANES: usize = 8;

/// Terms in a block.
pub const BLOCK: usize = 4096;

/// The sum of `term(x_i, y_i)` over the positions of two samples. Surplus values of the longer sample are ignored.
///
/// ```
/// use neurogauge_stats::summation::sum_over_pairs;
/// assert_eq!(sum_over_pairs(&[1.0, 2.0], &[3.0, 4.0], |x, y| x * y), 11.0);
/// ```
#[inline(always)]
pub fn sum_over_pairs<T: Copy>(x: &[T], y: &[T], term: impl Fn(T, T) -> f64) -> f64 {
    let n = x.len().min(y.len());
    let mut total = 0.0;
    for (x, y) in x[..n].chunks(BLOCK).zip(y[..n].chunks(BLOCK)) {
        let mut lanes = [0.0; LANES];
        let (x_groups, x_rest) = x.as_chunks::<LANES>();
        let (y_groups, y_rest) = y.as_chunks::<LANES>();
        for (x, y) in x_groups.iter().zip(y_groups) {
            for lane in 0..LANES {
                lanes[lane] += term(x[lane], y[lane]);
            }
        }
        for (lane, (&x, &y)) in lanes.iter_mut().zip(x_rest.iter().zip(y_rest)) {
            *lane += term(x, y);
        }
        total += lanes.iter().sum::<f64>();
    }
    total
}

/// The sum of `term(x_i)` over a sample.
///
/// ```
/// use neurogauge_stats::summation::sum_over;
/// assert_eq!(sum_over(&[1.0, 2.0], |x| x * x), 5.0);
/// ```
#[inline(always)]
pub fn sum_over<T: Copy>(x: &[T], term: impl Fn(T) -> f64) -> f64 {
    sum_over_pairs(x, x, |x, _| term(x))
}

/// The sum of the values.
///
/// ```
/// assert_eq!(neurogauge_stats::summation::sum(&[0.5, 0.25, 4.0]), 4.75);
/// ```
#[multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2"))]
pub fn sum(values: &[f64]) -> f64 {
    sum_over(values, |value| value)
}
