//! The features and blocks of a source that carry a target unit's directions.

use super::ready_source::ReadySource;
use super::unit_result::{DirectionShares, FeatureShare};
use super::unit_run::TargetFold;
use super::{AlignSettings, Control, StudyPlan};
use crate::product::leading;
use crate::{AlignmentError, Attribution, BlockFits, BlockedSource, Subspace};
use neurogauge_core::Undefined;

/// Number of features that are kept for each direction.
pub const ATTRIBUTED_FEATURES: usize = 20;

/// The features that carry each of the first directions of the fold's reference; empty without that control.
pub(super) fn attribution(
    source: &ReadySource<'_>,
    own: &TargetFold<'_>,
    subspace: &Subspace,
    settings: &AlignSettings,
) -> Result<Vec<Result<DirectionShares, Undefined>>, AlignmentError> {
    if !settings.makes(Control::Attribution) {
        return Ok(Vec::new());
    }
    let prepared = (&source.folds[own.fold], &*source.features);
    let directions = own.reference.directions.as_ref();
    let directions = leading(directions, settings.main_length()).to_owned().into();
    let found = Attribution::of(prepared, &own.target, subspace, &directions)?.into_iter();
    Ok(found.map(|found| found.map(|found| shares(&found, source))).collect())
}

fn shares(found: &Attribution, source: &ReadySource<'_>) -> DirectionShares {
    let mut order: Vec<usize> = (0..found.shares.len()).collect();
    // A stable sort, so that among equal shares the first feature comes first.
    order.sort_by(|&one, &other| found.shares[other].total_cmp(&found.shares[one]));
    let blocks = source.blocks.iter();
    DirectionShares {
        blocks: blocks.map(|block| found.shares[block.clone()].iter().sum()).collect(),
        features: (order.into_iter().take(ATTRIBUTED_FEATURES))
            .map(|feature| FeatureShare {
                feature,
                weight: found.weights[feature],
                share: found.shares[feature],
                correlation: found.correlations[feature],
            })
            .collect(),
    }
}

/// The fits of sets of the source's blocks; `None` without that control, for a source with one block, and without a
/// reference.
pub(super) fn fits(
    source: &ReadySource<'_>,
    own: &TargetFold<'_>,
    plan: &StudyPlan,
    settings: &AlignSettings,
) -> Result<Option<BlockFits>, AlignmentError> {
    if !settings.makes(Control::BlockAblation) || source.blocks.len() < 2 {
        return Ok(None);
    }
    let blocked = BlockedSource {
        name: &source.name,
        features: &source.features,
        blocks: &source.blocks,
        plan: &plan.folds,
        fold: own.fold,
    };
    let found = blocked.fits(
        &own.target,
        own.reference,
        &settings.subspace,
        settings.main_length(),
        &plan.null_orders[own.fold],
    )?;
    Ok(found.ok())
}
