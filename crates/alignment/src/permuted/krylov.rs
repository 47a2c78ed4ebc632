//! The state of a block Lanczos iteration for one order, and its convergence.

use crate::AlignmentError;
use crate::eigen::leading_eigenpairs;
use crate::ridge_solution::rank_of;
use crate::simd_sums::{add_scaled, dot, remove_parts};
use faer::Mat;
use pulp::{Simd, WithSimd};

/// Number of vectors in a block.
pub(super) const BLOCK: usize = 2;

/// Number of columns between two tests of convergence.
pub(super) const INTERVAL: usize = 12;

/// A residual this small relative to the gap after the last vector counts as converged,
const RESIDUAL: f64 = 1e-14;

/// and so does one this small relative to the largest eigenvalue, which is the limit of rounding.
const ROUNDING: f64 = 1e-15;

/// Eigenvalues that differ by at most this share of the first may be a double eigenvalue.
const TIE: f64 = 1e-8;

/// A vector that retains at most this share of its length depends on the earlier ones.
const LEAST_LENGTH: f64 = 1e-8;

/// The results for one order so far.
pub(super) struct Krylov<'a> {
    pub(super) place: usize,
    pub(super) order: &'a [usize],
    /// w, orthonormal in the inner product of G, and G w.
    pub(super) basis: Vec<Vec<f64>>,
    pub(super) duals: Vec<Vec<f64>>,
    /// For each w to which H G was applied, the components of the result along it and the earlier ones (and the later
    /// ones in its block).
    projected: Vec<Vec<f64>>,
    /// The newest block's contribution to the last two results: its first vector times the first entry for the first,
    /// and both vectors times the other entries for the second.
    remainder: [f64; 3],
}

pub(super) enum Look {
    GoOn,
    Tied,
    Converged(Mat<f64>),
}

impl<'a> Krylov<'a> {
    pub(super) fn new(place: usize, order: &'a [usize]) -> Self {
        Krylov {
            place,
            order,
            basis: Vec::new(),
            duals: Vec::new(),
            projected: Vec::new(),
            remainder: [0.0; 3],
        }
    }

    pub(super) fn look(&self, rank: usize) -> Result<Look, AlignmentError> {
        let m = self.projected.len();
        if m == 0 || !m.is_multiple_of(INTERVAL) || m <= rank + BLOCK {
            return Ok(Look::GoOn);
        }
        let mut matrix = Mat::zeros(m, m);
        for (row, parts) in self.projected.iter().enumerate() {
            for (column, part) in parts[..=row].iter().enumerate() {
                matrix[(row, column)] = *part;
            }
        }
        let pairs = leading_eigenpairs(&matrix, rank + 1)?;
        let (values, first) = (&pairs.values, pairs.values[0]);
        let [a, b, c] = self.remainder;
        let squares: f64 = (0..rank)
            .map(|place| {
                let (x, y) = (pairs.vectors[(m - 2, place)], pairs.vectors[(m - 1, place)]);
                (a * x + b * y).powi(2) + (c * y).powi(2)
            })
            .sum();
        let limit = (RESIDUAL * (values[rank - 1] - values[rank])).max(ROUNDING * first);
        if squares.sqrt() > limit {
            return Ok(Look::GoOn);
        }
        let tied = values.windows(2).any(|pair| pair[0] - pair[1] <= TIE * first);
        if tied || rank_of(values) <= rank {
            return Ok(Look::Tied);
        }
        let n = self.order.len();
        let mut vectors = Mat::zeros(n, rank);
        for place in 0..rank {
            let sum = vectors.col_as_slice_mut(place);
            for (weight, w) in pairs.vectors.col_as_slice(place).iter().zip(&self.basis) {
                sum.iter_mut().zip(w).for_each(|(sum, w)| *sum += weight * w);
            }
        }
        Ok(Look::Converged(vectors))
    }
}

/// Subtracts the components along the basis from the result of H G, twice, because rounding errors of the first pass
/// would grow.
pub(super) struct Project<'a, 'b> {
    pub(super) space: &'a mut Krylov<'b>,
    pub(super) x: &'a mut [f64],
    /// Position in the block.
    pub(super) k: usize,
}

impl WithSimd for Project<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let basis: Vec<&[f64]> = self.space.basis.iter().map(Vec::as_slice).collect();
        let duals: Vec<&[f64]> = self.space.duals.iter().map(Vec::as_slice).collect();
        let mut parts = vec![0.0; basis.len()];
        for _ in 0..2 {
            remove_parts(simd, self.x, &basis, &duals, &mut parts);
        }
        debug_assert_eq!(self.space.projected.len() + BLOCK, basis.len() + self.k);
        self.space.projected.push(parts);
    }
}

/// Makes a block orthonormal and adds it to the basis; false if one of its vectors depends on others.
pub(super) struct Accept<'a, 'b> {
    pub(super) space: &'a mut Krylov<'b>,
    pub(super) block: [Vec<f64>; BLOCK],
    /// G times each vector of the block.
    pub(super) duals: [Vec<f64>; BLOCK],
}

impl WithSimd for Accept<'_, '_> {
    type Output = bool;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> bool {
        let Accept {
            space,
            block: [mut x, mut y],
            duals: [mut gx, mut gy],
        } = self;
        let scale = space.projected.first().map_or(0.0, |parts| parts[0].abs());
        let first = dot(simd, &x, &gx).sqrt();
        // This also catches a length of zero or NaN.
        if first.is_nan() || first <= LEAST_LENGTH * scale {
            return false;
        }
        for (x, gx) in x.iter_mut().zip(&mut gx) {
            *x /= first;
            *gx /= first;
        }
        let mut shared = 0.0;
        for _ in 0..2 {
            let part = dot(simd, &gx, &y);
            add_scaled(simd, &mut y, [&x], [-part]);
            add_scaled(simd, &mut gy, [&gx], [-part]);
            shared += part;
        }
        let second = dot(simd, &y, &gy).sqrt();
        if second.is_nan() || second <= LEAST_LENGTH * scale.max(shared.abs()) {
            return false;
        }
        for (y, gy) in y.iter_mut().zip(&mut gy) {
            *y /= second;
            *gy /= second;
        }
        space.remainder = [first, shared, second];
        space.basis.extend([x, y]);
        space.duals.extend([gx, gy]);
        true
    }
}
