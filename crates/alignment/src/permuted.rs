//! Target-space bases of one source under many orders of its training rows.
//!
//! With H = U D^2 U' (D as in the ridge solution), rows and columns of it in the permuted order, and
//! G = Y Y', the directions of rank k are Y' w for the leading w of H G w = lambda w, which are
//! orthogonal in the inner product of G. A block Lanczos iteration finds the few that are asked for,
//! all orders side by side, so that G and H are read once for all. Two vectors at a time see every
//! eigenvalue twice that is there more than once: where that happens, where an iteration stops early
//! or has not converged in time, the full solution takes over.

use crate::AlignmentError;
use crate::eigen::leading_eigenpairs;
use crate::lanes::{add_scaled, dot, remove_parts};
use crate::product::{gram, product, scale_columns};
use crate::ridge_solution::{RidgeSolutions, crossed, rank_of};
use crate::source::SourceFit;
use crate::subspace::orthonormal;
use crate::target::TargetFit;
use faer::Mat;
use pulp::{Arch, Simd, WithSimd};

/// Orders of one iteration.
pub(crate) const SIDE_BY_SIDE: usize = 20;

/// Vectors of a block.
const BLOCK: usize = 2;

/// Columns between two looks at what has converged.
const INTERVAL: usize = 12;

/// An iteration may use this part of the training rows; beyond, the full solution is as fast.
const LARGEST_SHARE: f64 = 0.4;

/// Matrices of fewer training rows are solved in full.
const LEAST_ROWS: usize = 100;

/// A residual this small beside the gap after the last vector has converged,
const RESIDUAL: f64 = 1e-14;

/// and so has one that is this small beside the largest eigenvalue: rounding allows no less.
const ROUNDING: f64 = 1e-15;

/// Eigenvalues that differ by this share of the first may be one that is there twice.
const TIE: f64 = 1e-8;

/// A vector that keeps this little of its length depends on those before it.
const LEAST_LENGTH: f64 = 1e-8;

/// For each order, an orthonormal basis (voxels x rank) of the target-side directions of the source
/// whose training row i is what was row `order[i]`.
pub(crate) fn permuted_bases(
    source: &SourceFit,
    target: &TargetFit,
    orders: &[Vec<usize>],
    alpha: f64,
    rank: usize,
) -> Result<Vec<Mat<f64>>, AlignmentError> {
    let n = target.gram.nrows();
    let most = (LARGEST_SHARE * n as f64) as usize;
    let found = if n >= LEAST_ROWS && 2 * rank + INTERVAL < most {
        iterate(source, target, orders, alpha, rank, most)?
    } else {
        vec![None; orders.len()]
    };
    let bases = orders.iter().zip(found).map(|(order, found)| match found {
        Some(vectors) => {
            let loadings = product(target.responses.transpose(), vectors.as_ref());
            Ok(orthonormal(&loadings))
        }
        None => {
            let permuted = source.reordered(order);
            let crossed = crossed(&permuted, target);
            let solution = RidgeSolutions::new(&permuted, target, &crossed, &[alpha], rank)?;
            Ok(orthonormal(&solution.loadings))
        }
    });
    bases.collect()
}

/// The leading w of each order (training rows x rank); `None` where this is not the way to find them.
fn iterate(
    source: &SourceFit,
    target: &TargetFit,
    orders: &[Vec<usize>],
    alpha: f64,
    rank: usize,
    most: usize,
) -> Result<Vec<Option<Mat<f64>>>, AlignmentError> {
    let arch = Arch::new();
    let n = target.gram.nrows();
    let mut factor = source.left.clone();
    scale_columns(&mut factor, &source.shrinkage(alpha));
    let shrinkage = gram(factor.as_ref());

    let mut found = vec![None; orders.len()];
    let mut krylov: Vec<Krylov<'_>> = orders
        .iter()
        .enumerate()
        .map(|(place, order)| Krylov::new(place, order))
        .collect();
    let start = start(n);
    let mut next = Mat::from_fn(n, BLOCK * krylov.len(), |row, column| {
        start[(row, column % BLOCK)]
    });
    while !krylov.is_empty() {
        let mut turned = product(target.gram.as_ref(), next.as_ref());
        let mut going = Vec::with_capacity(krylov.len());
        for (column, mut space) in (0..).step_by(BLOCK).zip(krylov) {
            let block = [0, 1].map(|k| next.col_as_slice(column + k).to_vec());
            let duals = [0, 1].map(|k| turned.col_as_slice(column + k).to_vec());
            if arch.dispatch(Accept {
                space: &mut space,
                block,
                duals,
            }) {
                match space.look(rank)? {
                    Look::Converged(vectors) => found[space.place] = Some(vectors),
                    Look::GoOn if space.basis.len() < most => going.push(space),
                    Look::GoOn | Look::Tied => {}
                }
            }
        }
        krylov = going;
        turned = Mat::zeros(n, BLOCK * krylov.len());
        for (column, space) in (0..).step_by(BLOCK).zip(&krylov) {
            let last = space.duals.len() - BLOCK;
            for (k, dual) in space.duals[last..].iter().enumerate() {
                let turned = turned.col_as_slice_mut(column + k);
                for (value, &row) in dual.iter().zip(space.order) {
                    turned[row] = *value;
                }
            }
        }
        let shrunk = product(shrinkage.as_ref(), turned.as_ref());
        next = Mat::zeros(n, BLOCK * krylov.len());
        for (column, space) in (0..).step_by(BLOCK).zip(&mut krylov) {
            for k in 0..BLOCK {
                let (shrunk, next) = (
                    shrunk.col_as_slice(column + k),
                    next.col_as_slice_mut(column + k),
                );
                for (value, &row) in next.iter_mut().zip(space.order) {
                    *value = shrunk[row];
                }
                arch.dispatch(Project { space, x: next, k });
            }
        }
    }
    Ok(found)
}

/// Any block that is orthogonal to no eigenvector.
fn start(n: usize) -> Mat<f64> {
    let mut state = 1u64;
    Mat::from_fn(n, BLOCK, |_, _| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64 - 0.5
    })
}

/// What one order has found so far.
struct Krylov<'a> {
    place: usize,
    order: &'a [usize],
    /// w, orthonormal in the inner product of G, and G w.
    basis: Vec<Vec<f64>>,
    duals: Vec<Vec<f64>>,
    /// Of each w that H G was applied to, the parts of the result along it and those before it (and
    /// after it in its block).
    projected: Vec<Vec<f64>>,
    /// What the newest block adds to the last result: its first vector times the first entry, and of
    /// the second result both vectors times the others.
    remainder: [f64; 3],
}

enum Look {
    GoOn,
    Tied,
    Converged(Mat<f64>),
}

impl<'a> Krylov<'a> {
    fn new(place: usize, order: &'a [usize]) -> Self {
        Krylov {
            place,
            order,
            basis: Vec::new(),
            duals: Vec::new(),
            projected: Vec::new(),
            remainder: [0.0; 3],
        }
    }

    fn look(&self, rank: usize) -> Result<Look, AlignmentError> {
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
        let tied = values
            .windows(2)
            .any(|pair| pair[0] - pair[1] <= TIE * first);
        if tied || rank_of(values) <= rank {
            return Ok(Look::Tied);
        }
        let n = self.order.len();
        let mut vectors = Mat::zeros(n, rank);
        for place in 0..rank {
            let sum = vectors.col_as_slice_mut(place);
            for (weight, w) in pairs.vectors.col_as_slice(place).iter().zip(&self.basis) {
                sum.iter_mut()
                    .zip(w)
                    .for_each(|(sum, w)| *sum += weight * w);
            }
        }
        Ok(Look::Converged(vectors))
    }
}

/// Takes the parts along the basis from the result of H G, twice: what the first pass leaves behind
/// by rounding would grow.
struct Project<'a, 'b> {
    space: &'a mut Krylov<'b>,
    x: &'a mut [f64],
    /// Position in the block.
    k: usize,
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

/// Makes a block orthonormal and adds it to the basis; false where a vector of it depends on others.
struct Accept<'a, 'b> {
    space: &'a mut Krylov<'b>,
    block: [Vec<f64>; BLOCK],
    /// G times each.
    duals: [Vec<f64>; BLOCK],
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
        // A length of zero or NaN is no more than that either.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FoldPlan, Matrix, PreparedSource, PreparedTarget, Unit};
    use neurogauge_core::Seed;
    use neurogauge_core::synthetic::Synthetic;

    const N: usize = 300;

    fn noise(name: &str, n_rows: usize, n_columns: usize) -> Matrix {
        let values = Synthetic::new(name, 0);
        Matrix::from_fn(n_rows, n_columns, |row, column| {
            f64::from(values.uniform((row * n_columns + column) as u64)) - 0.5
        })
    }

    fn prepared(x: &Matrix, y: &Matrix) -> (PreparedSource, PreparedTarget) {
        let plan = FoldPlan::draw(N, 5, 5, Seed(3)).unwrap();
        let unit = Unit::new("subj01", "lh", "V1v");
        let source = PreparedSource::new("source", x, &plan, 0).unwrap();
        (source, PreparedTarget::new(&unit, y, &plan, 0).unwrap())
    }

    /// Five orders: what the iteration finds, and what the full solution does.
    fn check(x: &Matrix, y: &Matrix, rank: usize, alpha: f64, expect_found: bool) {
        let (source, target) = prepared(x, y);
        let (source, target) = (&source.fits.outer, &target.fits.outer);
        let n = target.gram.nrows();
        let orders = crate::draw_orders(n, 5, Seed(4), 0);
        let found = iterate(source, target, &orders, alpha, rank, n / 2).unwrap();
        assert!(found.iter().all(|found| found.is_some() == expect_found));
        let bases = permuted_bases(source, target, &orders, alpha, rank).unwrap();
        for (order, basis) in orders.iter().zip(&bases) {
            let permuted = source.reordered(order);
            let crossed = crossed(&permuted, target);
            let full = RidgeSolutions::new(&permuted, target, &crossed, &[alpha], rank).unwrap();
            let full = orthonormal(&full.loadings);
            let excess = (basis * basis.transpose() - &full * full.transpose()).norm_max();
            assert!(excess < 1e-12, "rank {rank}, alpha {alpha}: {excess:e}");
        }
    }

    #[test]
    fn the_iteration_finds_what_the_full_solution_finds() {
        let latents = noise("latents", N, 6);
        let weights = noise("weights", 6, 150);
        let error = noise("error", N, 150);
        let y = Matrix::from_fn(N, 150, |row, column| {
            let signal: f64 = (0..6)
                .map(|d| latents.get(row, d) * weights.get(d, column) / (1.0 + d as f64))
                .sum();
            signal + 0.3 * error.get(row, column)
        });
        let x = noise("x", N, 220);
        for (rank, alpha) in [(1, 10.0), (2, 1e3), (3, 1e6)] {
            check(&x, &y, rank, alpha, true);
        }
        check(&noise("few", N, 40), &y, 2, 100.0, true);
    }

    #[test]
    fn ties_and_missing_dimensions_are_left_to_the_full_solution() {
        // Y has two dimensions only: there is no third.
        let latents = noise("latents", N, 2);
        let weights = noise("weights", 2, 50);
        let y = Matrix::from_fn(N, 50, |row, column| {
            (0..2)
                .map(|d| latents.get(row, d) * weights.get(d, column))
                .sum()
        });
        check(&noise("x", N, 220), &y, 2, 1e3, false);
    }
}
