//! The profile of a source that knows nothing of the stimuli.
//!
//! Coverage has no zero floor: any source induces a subspace of the target's own response space,
//! and that space is dominated by few dimensions. The null is the same source with its stimulus
//! order permuted within the training stimuli of the outer fold.

use crate::permuted::{SIDE_BY_SIDE, permuted_bases};
use crate::selection::{Selection, TIE, mean};
use crate::subspace::{check_folds, cross_validate, fit};
use crate::{
    AlignmentError, FoldPlan, FoldProfile, Matrix, Pool, PreparedSource, PreparedTarget,
    SubspaceOptions, TargetReference,
};
use neurogauge_core::{Seed, Undefined};
use neurogauge_stats::{draw_to_front, standard_deviation};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// `count` orders of `n_training` training stimuli; draw d of outer fold f comes from stream
/// f 2^32 + d of the seed, so that all sources and targets of a fold share them.
///
/// In order o, row i of the source is the row at `o[i]` of its own training rows.
pub fn draw_orders(n_training: usize, count: usize, seed: Seed, fold: usize) -> Vec<Vec<usize>> {
    (0..count as u64)
        .map(|draw| {
            let mut order: Vec<usize> = (0..n_training).collect();
            let stream = ((fold as u64) << 32) | draw;
            draw_to_front(&mut order, n_training, &mut seed.stream(stream));
            order
        })
        .collect()
}

/// Profiles of the source with its training rows in each of `orders`; rank and regularisation are
/// those of the real fit.
///
/// # Errors
/// [`AlignmentError::InvalidOption`] for an order that is no permutation of the training stimuli, and
/// the errors of [`FoldProfile::new`].
pub fn null_profiles(
    source: &PreparedSource,
    target: &PreparedTarget,
    selection: &Selection,
    reference: &TargetReference,
    orders: &[Vec<usize>],
    n_prefixes: usize,
) -> Result<Vec<Result<FoldProfile, Undefined>>, AlignmentError> {
    check_folds(source, target)?;
    for order in orders {
        check_order(order, source.fold.training.len())?;
    }
    let (source, target) = (&source.fits.outer, &target.fits.outer);
    let (alpha, rank) = (selection.alpha, selection.rank);
    let found = orders
        .par_chunks(SIDE_BY_SIDE)
        .map(|orders| {
            let bases = permuted_bases(source, target, orders, alpha, rank)?;
            let profiles = bases
                .into_iter()
                .map(|basis| FoldProfile::new(reference, &basis.into(), n_prefixes));
            profiles.collect::<Result<Vec<_>, AlignmentError>>()
        })
        .collect::<Result<Vec<_>, AlignmentError>>()?;
    Ok(found.into_iter().flatten().collect())
}

/// As [`null_profiles`], with rank and regularisation selected anew for each order. The
/// source's inner fits are decomposed again too, so this costs many times as much.
///
/// - Shapes: `features` (n_stimuli, n_features) of the source.
///
/// # Errors
/// As for [`null_profiles`].
#[expect(clippy::too_many_arguments, reason = "all of them decide the null")]
pub fn null_profiles_reselected(
    features: &Matrix,
    plan: &FoldPlan,
    fold: usize,
    target: &PreparedTarget,
    options: &SubspaceOptions,
    reference: &TargetReference,
    orders: &[Vec<usize>],
    n_prefixes: usize,
) -> Result<Vec<Result<FoldProfile, Undefined>>, AlignmentError> {
    let pool = &plan.fold(fold)?.training;
    orders
        .par_iter()
        .map(|order| {
            let permuted = permute_training(features, pool, order)?;
            let permuted = PreparedSource::new("permuted source", &permuted, plan, fold)?;
            let selection = cross_validate(&permuted, target, options)?.select()?;
            let subspace = fit(&permuted, target, &selection)?;
            FoldProfile::new(reference, &subspace.basis, n_prefixes)
        })
        .collect()
}

/// The matrix with the rows of the pool's stimuli in another order: row i of the pool is what was
/// row `order[i]` of it. All other rows stay.
///
/// # Errors
/// [`AlignmentError::InvalidOption`] for an order that is no permutation of the pool's positions.
pub fn permute_training(
    x: &Matrix,
    pool: &Pool,
    order: &[usize],
) -> Result<Matrix, AlignmentError> {
    check_order(order, pool.len())?;
    let mut rows: Vec<usize> = (0..x.n_rows()).collect();
    for (place, &from) in order.iter().enumerate() {
        if let Some(row) = rows.get_mut(pool.stimuli[place]) {
            *row = pool.stimuli[from];
        }
    }
    Ok(x.rows(&rows))
}

fn check_order(order: &[usize], n_training: usize) -> Result<(), AlignmentError> {
    let mut seen = vec![false; n_training];
    let fresh = |&place: &usize| match seen.get_mut(place) {
        Some(seen) => !std::mem::replace(seen, true),
        None => false,
    };
    if order.len() != n_training || !order.iter().all(fresh) {
        return Err(AlignmentError::InvalidOption {
            option: "null order",
            found: format!("a list of {} positions", order.len()),
            expected: "each position of a training stimulus once",
        });
    }
    Ok(())
}

/// An observed value beside its null.
///
/// ```
/// use neurogauge_alignment::NullSummary;
/// let null = NullSummary::new(0.75, &[0.25, 0.75, 0.5])?;
/// assert_eq!((null.mean, null.sd, null.corrected), (0.5, 0.25, Some(0.5)));
/// // Two of four, the observed value among them, are at least as high.
/// assert_eq!(null.p, 0.5);
/// # Ok::<(), neurogauge_alignment::AlignmentError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct NullSummary {
    /// Mean of the null.
    pub mean: f64,
    /// Standard deviation of the null (divisor n - 1; 0 for a single draw).
    pub sd: f64,
    /// (observed - mean) / (1 - mean): 0 at chance, 1 when everything is recovered; `None` where
    /// the null recovers everything too.
    pub corrected: Option<f64>,
    /// (1 + number of draws that reach the observed value, less 1e-12) / (1 + number of draws).
    pub p: f64,
}

impl NullSummary {
    /// The summary of an observed coverage and the same quantity of every draw.
    ///
    /// # Errors
    /// [`AlignmentError::Empty`] without a draw.
    pub fn new(observed: f64, draws: &[f64]) -> Result<Self, AlignmentError> {
        let Some(sd) = standard_deviation(draws) else {
            return Err(AlignmentError::Empty { what: "null draw" });
        };
        let (n, mean) = (draws.len() as f64, mean(draws));
        let reached = draws.iter().filter(|&&draw| draw >= observed - TIE).count();
        Ok(NullSummary {
            mean,
            sd,
            corrected: (1.0 - mean > TIE).then(|| (observed - mean) / (1.0 - mean)),
            p: (1.0 + reached as f64) / (1.0 + n),
        })
    }
}
