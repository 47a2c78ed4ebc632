//! Eigenvectors of a tridiagonal matrix from its eigenvalues.

use crate::simd_sums::{dot, remove_parts};
use faer::Mat;
use multiversion::multiversion;
use neurogauge_core::stopping::stop_if_asked;
use pulp::{Arch, Simd, WithSimd};

/// The most solves per vector.
const ATTEMPTS: usize = 6;

/// A residual that counts as converged, in units of the norm of the matrix.
const RESIDUAL: f64 = 1e-14;

/// A unit vector that retains this share of its length is orthogonal to the subtracted vectors.
const MUCH: f64 = 0.7;

/// Systems that are solved side by side.
const LANES: usize = 8;

type Lanes = [f64; LANES];

/// An orthonormal set of eigenvectors, one column per eigenvalue; `None` if one does not converge.
///
/// Each starts from a fixed vector and repeatedly solves (T - lambda I) z = z, kept orthogonal to the previous ones, so
/// that tied or clustered eigenvalues get a basis of their space.
pub(super) fn eigenvectors(diagonal: &[f64], off_diagonal: &[f64], values: &[f64]) -> Option<Mat<f64>> {
    let arch = Arch::new();
    let n = diagonal.len();
    let norm = diagonal.iter().chain(off_diagonal).fold(0.0, |norm: f64, value| norm.max(value.abs()));
    let mut vectors = Mat::<f64>::zeros(n, values.len());
    let mut factors = vec![Factors::default(); n];
    let mut solutions = vec![[0.0; LANES]; n];
    let mut z = vec![0.0; n];
    for (first, values) in (0..).step_by(LANES).zip(values.chunks(LANES)) {
        stop_if_asked();
        let shifts: Lanes = std::array::from_fn(|lane| values[lane.min(values.len() - 1)]);
        factorise(&mut factors, diagonal, off_diagonal, &shifts, norm);
        // Any vector that is not orthogonal to an eigenvector works; it must differ between ties.
        let mut states: [u64; LANES] = std::array::from_fn(|lane| (first + lane) as u64 + 1);
        for solution in &mut solutions {
            for (z, state) in solution.iter_mut().zip(&mut states) {
                *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                *z = (*state >> 33) as f64 / (1u64 << 31) as f64 + 0.1;
            }
        }
        let mut attempts = 1..=ATTEMPTS;
        let mut is_converged = false;
        while !is_converged {
            // One more solve after the residual is small removes the remainder of neighbouring vectors.
            is_converged = attempts.next()? > 1;
            solve(&factors, &mut solutions);
            for (lane, &value) in values.iter().enumerate() {
                let place = first + lane;
                z.iter_mut().zip(&solutions).for_each(|(z, solution)| *z = solution[lane]);
                let earlier: Vec<&[f64]> = (0..place).map(|place| vectors.col_as_slice(place)).collect();
                arch.dispatch(Orthonormalise {
                    z: &mut z,
                    others: &earlier,
                })?;
                is_converged &= residual(diagonal, off_diagonal, value, &z) <= RESIDUAL * norm * (n as f64).sqrt();
                solutions.iter_mut().zip(&z).for_each(|(solution, z)| solution[lane] = *z);
                vectors.col_as_slice_mut(place).copy_from_slice(&z);
            }
        }
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

/// A row of the factors of T - lambda I, made with exchanges of neighbouring rows, for each lambda.
#[derive(Clone, Default)]
struct Factors {
    /// The upper factor: 1 over its diagonal entry, and the two entries after it.
    inverse_pivots: Lanes,
    first: Lanes,
    second: Lanes,
    multipliers: Lanes,
    /// 1 if the row was exchanged with the next, else 0.
    exchanged: Lanes,
}

#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq", "x86_64+avx2"))]
fn factorise(factors: &mut [Factors], diagonal: &[f64], off_diagonal: &[f64], shifts: &Lanes, norm: f64) {
    // At an eigenvalue, a pivot is zero; the smallest significant value replaces it.
    let least = f64::EPSILON * norm.max(f64::MIN_POSITIVE / f64::EPSILON);
    let entry = |of: &[f64], i: usize| of.get(i).copied().unwrap_or(0.0);
    let mut pivots: Lanes = std::array::from_fn(|lane| diagonal[0] - shifts[lane]);
    let mut nexts = [entry(off_diagonal, 0); LANES];
    for (i, row) in factors.iter_mut().enumerate() {
        let (below, own, after) = (entry(off_diagonal, i), entry(diagonal, i + 1), entry(off_diagonal, i + 1));
        for lane in 0..LANES {
            let (pivot, next, own) = (pivots[lane], nexts[lane], own - shifts[lane]);
            let exchange = pivot.abs() < below.abs();
            let kept = if pivot.abs() < least {
                least.copysign(pivot)
            } else {
                pivot
            };
            let inverse = 1.0 / if exchange { below } else { kept };
            let multiplier = inverse * if exchange { pivot } else { below };
            let (first, rest) = if exchange { (own, next) } else { (next, own) };
            row.inverse_pivots[lane] = inverse;
            row.first[lane] = first;
            row.second[lane] = if exchange { after } else { 0.0 };
            row.multipliers[lane] = multiplier;
            row.exchanged[lane] = if exchange { 1.0 } else { 0.0 };
            pivots[lane] = rest - multiplier * first;
            nexts[lane] = if exchange { -multiplier * after } else { after };
        }
    }
}

#[multiversion(targets("x86_64+avx512f+avx512vl+avx512dq", "x86_64+avx2"))]
fn solve(factors: &[Factors], z: &mut [Lanes]) {
    let mut current = z[0];
    for (i, row) in factors.iter().enumerate() {
        let below = z.get(i + 1).copied().unwrap_or_default();
        for lane in 0..LANES {
            let exchanged = row.exchanged[lane] > 0.0;
            let upper = if exchanged { below[lane] } else { current[lane] };
            let lower = if exchanged { current[lane] } else { below[lane] };
            z[i][lane] = upper;
            current[lane] = lower - row.multipliers[lane] * upper;
        }
    }
    let (mut next, mut second) = ([0.0; LANES], [0.0; LANES]);
    for (row, z) in factors.iter().zip(z).rev() {
        for lane in 0..LANES {
            let known = row.first[lane] * next[lane] + row.second[lane] * second[lane];
            z[lane] = (z[lane] - known) * row.inverse_pivots[lane];
        }
        (next, second) = (*z, next);
    }
}
