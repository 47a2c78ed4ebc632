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
pub fn permuted_bases(
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
pub fn iterate(
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
