//! Iterates many orders in parallel, with the full solution as a fallback.

use super::krylov::{Accept, BLOCK, INTERVAL, Krylov, Look, Project};
use crate::AlignmentError;
use crate::product::{gram, product, scale_columns};
use crate::ridge_solution::{RidgeSolutions, crossed};
use crate::source::SourceFit;
use crate::subspace::orthonormal;
use crate::target::TargetFit;
use faer::Mat;
use pulp::Arch;

/// Orders of one iteration.
pub(crate) const SIDE_BY_SIDE: usize = 20;

/// An iteration may use up to this share of the training rows; beyond that, the full solution is equally fast.
const LARGEST_SHARE: f64 = 0.4;

/// Matrices with fewer training rows are solved in full.
const LEAST_ROWS: usize = 100;

/// For each order, an orthonormal basis (voxels x rank) of the target-side directions of the source
/// whose training row i is its former row `order[i]`.
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

/// The leading w of each order (training rows x rank); `None` if the iteration is not applicable.
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
    let mut krylov: Vec<Krylov<'_>> =
        orders.iter().enumerate().map(|(place, order)| Krylov::new(place, order)).collect();
    let start = start(n);
    let mut next = Mat::from_fn(n, BLOCK * krylov.len(), |row, column| start[(row, column % BLOCK)]);
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
                let (shrunk, next) = (shrunk.col_as_slice(column + k), next.col_as_slice_mut(column + k));
                for (value, &row) in next.iter_mut().zip(space.order) {
                    *value = shrunk[row];
                }
                arch.dispatch(Project { space, x: next, k });
            }
        }
    }
    Ok(found)
}

/// Any block that is not orthogonal to an eigenvector.
fn start(n: usize) -> Mat<f64> {
    let mut state = 1u64;
    Mat::from_fn(n, BLOCK, |_, _| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1u64 << 53) as f64 - 0.5
    })
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

    /// Compares the iteration with the full solution for five orders.
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
            let signal: f64 = (0..6).map(|d| latents.get(row, d) * weights.get(d, column) / (1.0 + d as f64)).sum();
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
        // Y has only two dimensions, so there is no third.
        let latents = noise("latents", N, 2);
        let weights = noise("weights", 2, 50);
        let y =
            Matrix::from_fn(N, 50, |row, column| (0..2).map(|d| latents.get(row, d) * weights.get(d, column)).sum());
        check(&noise("x", N, 220), &y, 2, 1e3, false);
    }
}
