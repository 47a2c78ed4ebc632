//! The null of the whole procedure: for every source, in every draw of an outer fold.

use super::unit_run::TargetFold;
use super::{AlignSettings, ReadySource, StudyPlan};
use crate::{AlignmentError, Matrix, PreparedTarget, null_profile_reselected};
use neurogauge_core::parallel;

/// Draws whose targets are in memory together: enough to keep all threads busy.
const SIDE_BY_SIDE: usize = 4;

/// TopKCov of the fold's draws, for each source; empty if the null keeps the rank and regularisation of the fit.
///
/// The target is prepared once for each draw, and each source once for all draws.
pub(super) fn reselected(
    own: &TargetFold<'_>,
    responses: &Matrix,
    sources: &[&ReadySource<'_>],
    plan: &StudyPlan,
    settings: &AlignSettings,
) -> Result<Vec<Vec<Vec<f64>>>, AlignmentError> {
    let mut nulls = vec![Vec::new(); sources.len()];
    if !settings.null_select {
        return Ok(nulls);
    }
    let (unit, folds) = (own.target.unit(), &plan.folds);
    for orders in plan.null_orders[own.fold].chunks(SIDE_BY_SIDE) {
        let paired =
            parallel::try_map_each(orders, |order| PreparedTarget::paired(unit, responses, folds, own.fold, order))?;
        let found = parallel::try_map_each(sources, |source| {
            parallel::try_map_each(&paired, |paired| {
                let (source, options) = (&source.folds[own.fold], &settings.subspace);
                let (reference, n) = (own.reference, settings.prefixes);
                null_profile_reselected(source, paired, options, reference, n)
            })
        })?;
        for (null, draws) in nulls.iter_mut().zip(found) {
            null.extend(draws.into_iter().flatten().map(|profile| profile.top_k));
        }
    }
    Ok(nulls)
}
