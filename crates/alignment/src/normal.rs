//! Normal random numbers.

use crate::Matrix;
use rand::Rng;

/// By Box and Muller, using one value of each pair.
pub(crate) fn standard_normal(rng: &mut impl Rng) -> f64 {
    let mut uniform = || (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
    // 1 - u is never 0.
    let radius = (-2.0 * (1.0 - uniform()).ln()).sqrt();
    radius * (std::f64::consts::TAU * uniform()).cos()
}

/// Independent normal values; column j has standard deviation `strengths[j]`.
pub(crate) fn normal(n_rows: usize, strengths: &[f64], rng: &mut impl Rng) -> Matrix {
    Matrix::from_fn(n_rows, strengths.len(), |_, column| strengths[column] * standard_normal(rng))
}
