//! The null: the profile of a source without information about the stimuli.
//!
//! Coverage has no zero floor: any source induces a subspace of the target's own response space, and that space is
//! dominated by few dimensions. The null is the same source with its features paired with the responses to other
//! training stimuli.
//!
//! There are two, which answer different questions:
//!
//! - [`null_profile_reselected`]: what does the whole procedure recover with these features if they carry no
//!   information about the responses? Rank and regularisation are selected in every draw, as for the source, so a
//!   source without information exceeds its null as often as the level allows.
//! - [`null_profiles`]: does the source recover more than as many of the target's strongest dimensions would? Rank and
//!   regularisation are those of the real fit. A source with few good dimensions can be below this null, and its p
//!   value is not a test of information.

use crate::permuted::{SIDE_BY_SIDE, permuted_bases};
use crate::selection::{Selection, TIE, mean};
use crate::subspace::{check_folds, cross_validate, fit};
use crate::{
    AlignmentError, FoldPlan, FoldProfile, Matrix, Pool, PreparedSource, PreparedTarget, SubspaceOptions,
    TargetReference, Unit,
};
use neurogauge_core::parallel;
use neurogauge_core::{Seed, Undefined};
use neurogauge_stats::{draw_to_front, standard_deviation, student_exceeds};
use serde::{Deserialize, Serialize};

/// Orders of the training stimuli of every outer fold: `[fold][draw][position in the pool]`. In an order o,
/// training stimulus i of the target is paired with the source's row of training stimulus `o[i]`.
///
/// A draw gives the stimuli of each test chunk of the plan one new order, which every fold that trains on the chunk
/// uses. Folds share most of their training stimuli; with separate orders in each fold, an average over folds would
/// vary less in the null than for a source without information, and too many such sources would exceed it. Draw d of
/// chunk c comes from stream c 2^32 + d of the seed; all sources and targets share the draws.
pub fn draw_null_orders(plan: &FoldPlan, count: usize, seed: Seed) -> Vec<Vec<Vec<usize>>> {
    let mut orders = vec![Vec::with_capacity(count); plan.folds.len()];
    for draw in 0..count as u64 {
        let mut partner = vec![0; plan.n_stimuli];
        for (chunk, fold) in plan.folds.iter().enumerate() {
            let own = &fold.test.stimuli;
            let mut drawn = own.clone();
            let stream = ((chunk as u64) << 32) | draw;
            draw_to_front(&mut drawn, own.len(), &mut seed.stream(stream));
            for (&stimulus, with) in own.iter().zip(drawn) {
                partner[stimulus] = with;
            }
        }
        for (orders, fold) in orders.iter_mut().zip(&plan.folds) {
            let mut place = vec![0; plan.n_stimuli];
            for (position, &stimulus) in fold.training.stimuli.iter().enumerate() {
                place[stimulus] = position;
            }
            let pool = fold.training.stimuli.iter();
            orders.push(pool.map(|&stimulus| place[partner[stimulus]]).collect());
        }
    }
    orders
}

/// `count` orders of `n_training` training stimuli; draw d of outer fold f comes from stream
/// f 2^32 + d of the seed, so that all sources and targets of a fold share them.
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

/// Profiles of the source with its training rows in each of `orders` (row i is the one at `order[i]`); rank
/// and regularisation are those of the real fit, `selection`.
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
    let orders: Vec<&[Vec<usize>]> = orders.chunks(SIDE_BY_SIDE).collect();
    let found = parallel::try_map_each(&orders, |orders| {
        let bases = permuted_bases(source, target, orders, alpha, rank)?;
        let profiles = bases.into_iter().map(|basis| FoldProfile::new(reference, &basis.into(), n_prefixes));
        profiles.collect::<Result<Vec<_>, AlignmentError>>()
    })?;
    Ok(found.into_iter().flatten().collect())
}

/// The profile of the whole procedure in one draw: rank and regularisation are selected, and the
/// subspace fitted, for the source and a target whose training responses are paired with it by
/// [`PreparedTarget::paired`].
pub fn null_profile_reselected(
    source: &PreparedSource,
    paired: &PreparedTarget,
    options: &SubspaceOptions,
    reference: &TargetReference,
    n_prefixes: usize,
) -> Result<Result<FoldProfile, Undefined>, AlignmentError> {
    let selection = cross_validate(source, paired, options)?.select()?;
    let subspace = fit(source, paired, &selection)?;
    FoldProfile::new(reference, &subspace.basis, n_prefixes)
}

impl PreparedTarget {
    /// The target of outer fold `fold` in a draw of the null: the source's training row `order[i]` is paired with the
    /// response to training stimulus i.
    ///
    /// Only the responses move, so each pair is in the inner fold of its source row, and the source is prepared once
    /// for all draws. Test and reserved responses stay.
    pub fn paired(
        unit: &Unit,
        responses: &Matrix,
        plan: &FoldPlan,
        fold: usize,
        order: &[usize],
    ) -> Result<Self, AlignmentError> {
        let pool = &plan.fold(fold)?.training;
        check_order(order, pool.len())?;
        let mut inverse = vec![0; order.len()];
        for (place, &with) in order.iter().enumerate() {
            inverse[with] = place;
        }
        let paired = permute_training(responses, pool, &inverse)?;
        PreparedTarget::new(unit, &paired, plan, fold)
    }
}

/// The matrix with the rows of the pool's stimuli in another order: row i of the pool becomes its former row
/// `order[i]`. All other rows stay.
pub fn permute_training(x: &Matrix, pool: &Pool, order: &[usize]) -> Result<Matrix, AlignmentError> {
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
    if is_order(order, n_training) {
        return Ok(());
    }
    let found = format!("a list of {} positions", order.len());
    Err(AlignmentError::option("null order", found, "each position of a training stimulus once"))
}

/// Does it contain each position exactly once?
pub(crate) fn is_order(order: &[usize], n: usize) -> bool {
    let mut sorted = order.to_vec();
    sorted.sort_unstable();
    sorted.into_iter().eq(0..n)
}

/// How the p value of an observed value is computed from the draws of its null.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NullP {
    /// (1 + draws that reach the observed value) / (1 + draws). It makes no assumption, and needs at least 19 draws for
    /// 5%.
    #[default]
    Draws,
    /// Student's t of logarithms, since nulls are skewed to the right: the chance that one more value of a normal
    /// distribution, whose mean and SD are those of the draws' logarithms, reaches that of the observed value. Few
    /// draws suffice.
    T,
}

impl NullP {
    /// The fewest draws from which there is a p value.
    pub fn fewest_draws(self) -> usize {
        match self {
            NullP::Draws => 1,
            NullP::T => 3,
        }
    }

    /// t = (ln observed - mean) / (sd · √(1 + 1/n)) with n - 1 degrees of freedom, where mean and sd are those of the
    /// logarithms. Draws that are all equal have no t, and values of at most 0 have no logarithm: these are counted.
    fn of(self, observed: f64, draws: &[f64]) -> f64 {
        let n = draws.len() as f64;
        let logarithms: Vec<f64> = draws.iter().map(|draw| draw.ln()).collect();
        let are_positive = observed > 0.0 && draws.iter().all(|&draw| draw > 0.0);
        let sd = standard_deviation(&logarithms).filter(|&sd| are_positive && sd > TIE);
        if let (NullP::T, Some(sd)) = (self, sd) {
            let t = (observed.ln() - mean(&logarithms)) / (sd * (1.0 + 1.0 / n).sqrt());
            return student_exceeds(t, n - 1.0);
        }
        let reached = draws.iter().filter(|&&draw| draw >= observed - TIE).count();
        (1.0 + reached as f64) / (1.0 + n)
    }
}

/// An observed value compared with its null.
///
/// ```
/// use neurogauge_alignment::{NullP, NullSummary};
/// let null = NullSummary::new(0.75, &[0.25, 0.75, 0.5], NullP::Draws)?;
/// assert_eq!((null.mean, null.sd, null.corrected), (0.5, 0.25, Some(0.5)));
/// // Two of four, the observed value among them, are at least as high.
/// assert_eq!(null.p, 0.5);
/// // t = (ln 0.75 + 0.7890) / (0.5556 · √(4/3)) with two degrees of freedom.
/// let null = NullSummary::new(0.75, &[0.25, 0.75, 0.5], NullP::T)?;
/// assert!((null.p - 0.2582).abs() < 1e-4);
/// # Ok::<(), neurogauge_alignment::AlignmentError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct NullSummary {
    pub mean: f64,
    /// Standard deviation of the null (divisor n - 1; 0 for a single draw).
    pub sd: f64,
    /// (observed - mean) / (1 - mean): 0 at chance, 1 when everything is recovered; `None` if the null recovers
    /// everything too.
    pub corrected: Option<f64>,
    /// The probability that a source without information reaches the observed value, by [`NullP`].
    pub p: f64,
}

impl NullSummary {
    /// The summary of an observed coverage and the same quantity in every draw.
    pub fn new(observed: f64, draws: &[f64], p: NullP) -> Result<Self, AlignmentError> {
        let Some(sd) = standard_deviation(draws) else {
            return Err(AlignmentError::empty("null draw"));
        };
        let mean = mean(draws);
        Ok(NullSummary {
            mean,
            sd,
            corrected: (1.0 - mean > TIE).then(|| (observed - mean) / (1.0 - mean)),
            p: p.of(observed, draws),
        })
    }
}
