//! Eigenvectors of a tridiagonal matrix from its eigenvalues.

use crate::simd_sums::{dot, remove_parts};
use faer::Mat;
use neurogauge_core::stopping::stop_if_asked;
use pulp::{Arch, Simd, WithSimd};

/// The most solves per vector.
const ATTEMPTS: usize = 6;

/// A residual that counts as converged, in units of the norm of the matrix.
const RESIDUAL: f64 = 1e-14;

/// A unit vector that retains this share of its length is orthogonal to the subtracted vectors.
const MUCH: f64 = 0.7;

/// An orthonormal set of eigenvectors, one column per eigenvalue; `None` if one does not converge.
///
/// Each starts from a fixed vector and repeatedly solves (T - lambda I) z = z, kept orthogonal to the previous ones, so
/// that tied or clustered eigenvalues get a basis of their space.
pub(super) fn eigenvectors(diagonal: &[f64], off_diagonal: &[f64], values: &[f64]) -> Option<Mat<f64>> {
    let arch = Arch::new();
    let n = diagonal.len();
    let norm = diagonal.iter().chain(off_diagonal).fold(0.0, |norm: f64, value| norm.max(value.abs()));
    let mut vectors = Mat::<f64>::zeros(n, values.len());
    let mut factors = Factors::new(n);
    let mut z = vec![0.0; n];
    for (place, &value) in values.iter().enumerate() {
        stop_if_asked();
        factors.factorise(diagonal, off_diagonal, value, norm);
        // Any vector that is not orthogonal to an eigenvector works; it must differ between ties.
        let mut state = place as u64 + 1;
        for z in &mut z {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            *z = (state >> 33) as f64 / (1u64 << 31) as f64 + 0.1;
        }
        let earlier: Vec<&[f64]> = (0..place).map(|place| vectors.col_as_slice(place)).collect();
        let mut solved = 0;
        let mut converged = false;
        while !converged && solved < ATTEMPTS {
            factors.solve(&mut z);
            arch.dispatch(Orthonormalise {
                z: &mut z,
                others: &earlier,
            })?;
            solved += 1;
            // One more solve after the residual is small removes the remainder of neighbouring vectors.
            converged =
                solved > 1 && residual(diagonal, off_diagonal, value, &z) <= RESIDUAL * norm * (n as f64).sqrt();
        }
        if !converged {
            return None;
        }
        vectors.col_as_slice_mut(place).copy_from_slice(&z);
    }
    Some(vectors)
}

/// Makes `z` a unit vector orthogonal to all of the orthonormal `others`; `None` if impossible.
struct Orthonormalise<'a> {
    z: &'a mut [f64],
    others: &'a [&'a [f64]],
}

impl WithSimd for Orthonormalise<'_> {
    type Output = Option<()>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> Option<()> {
        let largest = self.z.iter().fold(0.0, |largest: f64, z| largest.max(z.abs()));
        if largest == 0.0 || !largest.is_finite() {
            return None;
        }
        // Divided by the largest value first, whose square could overflow.
        let inverse = 1.0 / largest;
        self.z.iter_mut().for_each(|z| *z *= inverse);
        normalise(simd, self.z)?;
        loop {
            let mut overlaps = vec![0.0; self.others.len()];
            remove_parts(simd, self.z, self.others, self.others, &mut overlaps);
            // Subtraction leaves rounding errors, which matter if little of the vector remains.
            if normalise(simd, self.z)? >= MUCH {
                return Some(());
            }
        }
    }
}

/// Scales to norm 1, and returns the original norm; `None` if impossible.
#[inline(always)]
fn normalise<S: Simd>(simd: S, z: &mut [f64]) -> Option<f64> {
    let norm = dot(simd, z, z).sqrt();
    if norm == 0.0 || !norm.is_finite() {
        return None;
    }
    let inverse = 1.0 / norm;
    z.iter_mut().for_each(|z| *z *= inverse);
    Some(norm)
}

/// Norm of T z - lambda z.
fn residual(diagonal: &[f64], off_diagonal: &[f64], value: f64, z: &[f64]) -> f64 {
    let n = z.len();
    let mut squares = 0.0;
    for i in 0..n {
        let mut entry = (diagonal[i] - value) * z[i];
        if i > 0 {
            entry += off_diagonal[i - 1] * z[i - 1];
        }
        if i + 1 < n {
            entry += off_diagonal[i] * z[i + 1];
        }
        squares += entry * entry;
    }
    squares.sqrt()
}

/// T - lambda I by rows, factorised with exchanges of neighbouring rows.
struct Factors {
    /// The upper factor: 1 over its diagonal, and its two off-diagonals.
    inverse_pivots: Vec<f64>,
    first: Vec<f64>,
    second: Vec<f64>,
    multipliers: Vec<f64>,
    exchanged: Vec<bool>,
}

impl Factors {
    fn new(n: usize) -> Self {
        Factors {
            inverse_pivots: vec![0.0; n],
            first: vec![0.0; n],
            second: vec![0.0; n],
            multipliers: vec![0.0; n],
            exchanged: vec![false; n],
        }
    }

    fn factorise(&mut self, diagonal: &[f64], off_diagonal: &[f64], value: f64, norm: f64) {
        let n = diagonal.len();
        // At an eigenvalue, a pivot is zero; the smallest significant value replaces it.
        let least = f64::EPSILON * norm.max(f64::MIN_POSITIVE / f64::EPSILON);
        let off = |i: usize| off_diagonal.get(i).copied().unwrap_or(0.0);
        let mut pivot = diagonal[0] - value;
        let mut next = off(0);
        for i in 0..n {
            if i + 1 == n {
                self.inverse_pivots[i] = 1.0 / at_least(pivot, least);
                break;
            }
            let below = off_diagonal[i];
            let (own, after) = (diagonal[i + 1] - value, off(i + 1));
            if pivot.abs() >= below.abs() {
                let inverse = 1.0 / at_least(pivot, least);
                let multiplier = below * inverse;
                self.exchanged[i] = false;
                self.inverse_pivots[i] = inverse;
                self.first[i] = next;
                self.second[i] = 0.0;
                self.multipliers[i] = multiplier;
                pivot = own - multiplier * next;
                next = after;
            } else {
                let inverse = 1.0 / below;
                let multiplier = pivot * inverse;
                self.exchanged[i] = true;
                self.inverse_pivots[i] = inverse;
                self.first[i] = own;
                self.second[i] = after;
                self.multipliers[i] = multiplier;
                pivot = next - multiplier * own;
                next = -multiplier * after;
            }
        }
    }

    fn solve(&self, z: &mut [f64]) {
        let n = z.len();
        for i in 0..n - 1 {
            if self.exchanged[i] {
                z.swap(i, i + 1);
            }
            z[i + 1] -= self.multipliers[i] * z[i];
        }
        z[n - 1] *= self.inverse_pivots[n - 1];
        if n > 1 {
            z[n - 2] = (z[n - 2] - self.first[n - 2] * z[n - 1]) * self.inverse_pivots[n - 2];
        }
        for i in (0..n.saturating_sub(2)).rev() {
            let known = self.first[i] * z[i + 1] + self.second[i] * z[i + 2];
            z[i] = (z[i] - known) * self.inverse_pivots[i];
        }
    }
}

fn at_least(pivot: f64, least: f64) -> f64 {
    if pivot.abs() < least {
        least.copysign(pivot)
    } else {
        pivot
    }
}
