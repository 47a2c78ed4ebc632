//! The controls of one target unit.

use super::ready_source::ReadySource;
use super::unit_run::TargetFold;
use super::{AlignSettings, Baseline, Control, ControlFit, ControlResult, StudyPlan};
use crate::{
    AlignmentError, CandidateScores, FoldProfile, Matrix, PreparedTarget, READOUT_ALPHAS, ReferenceSimilarity,
    Subspace, TargetReference, cross_validate, fit, permute_training, read_out, span, target_pca,
};
use indexmap::IndexMap;

impl TargetFold<'_> {
    /// The target with training responses in each of the plan's permuted orders; empty without that control.
    pub(super) fn permuted(
        responses: &Matrix,
        target: &PreparedTarget,
        plan: &StudyPlan,
        fold: usize,
        settings: &AlignSettings,
    ) -> Result<Vec<PreparedTarget>, AlignmentError> {
        if !settings.makes(Control::ResponsePermutation) {
            return Ok(Vec::new());
        }
        let pool = &plan.folds.folds[fold].training;
        let orders = plan.controls.response_orders.get(fold).into_iter().flatten();
        let targets = orders.map(|order| {
            let permuted = permute_training(responses, pool, order)?;
            PreparedTarget::new(target.unit(), &permuted, &plan.folds, fold)
        });
        targets.collect()
    }

    /// The similarity of the reference and that of balanced partitions; `None` if either has no directions.
    pub(super) fn similarity(&self) -> Result<Option<ReferenceSimilarity>, AlignmentError> {
        let has_directions = |own: &&TargetReference| !own.weights.is_empty() && !self.reference.weights.is_empty();
        self.balanced.as_ref().filter(has_directions).map(|own| self.reference.similarity(own)).transpose()
    }
}

/// Controls of the target alone.
pub(super) fn of_target(
    folds: &[TargetFold<'_>],
    plan: &StudyPlan,
    settings: &AlignSettings,
) -> Result<Vec<ControlResult>, AlignmentError> {
    let mut found = Vec::new();
    for own in folds {
        let consensus = own.reference.consensus()?.rank;
        let mut add = |baseline: Baseline, draw: usize, basis: &Matrix| {
            found.push((baseline, control_fit(own, draw, own.reference, basis, settings)?));
            Ok::<(), AlignmentError>(())
        };
        if settings.makes(Control::TargetPca) {
            for rank in [1, 2] {
                add(Baseline::TargetPca(rank), 0, &target_pca(&own.target, rank)?)?;
            }
            add(Baseline::TargetPcaMatched, 0, &target_pca(&own.target, consensus)?)?;
        }
        if settings.makes(Control::RandomDirections) {
            let draws = plan.controls.directions(own.fold, own.target.n_voxels(), consensus);
            for (draw, numbers) in draws.iter().enumerate() {
                add(Baseline::RandomDirections, draw, &span(numbers, numbers.n_columns()))?;
            }
        }
    }
    Ok(by_baseline(found, None))
}

/// Groups the fits by control, for the target alone or for a source.
pub(super) fn by_baseline(fits: Vec<(Baseline, ControlFit)>, source: Option<&ReadySource<'_>>) -> Vec<ControlResult> {
    let mut found: IndexMap<Baseline, Vec<ControlFit>> = IndexMap::new();
    for (baseline, fit) in fits {
        found.entry(baseline).or_default().push(fit);
    }
    let result = |(baseline, fits)| ControlResult {
        baseline,
        source: source.map(|own| own.name.clone()),
        donor: source.is_some_and(|own| own.donor),
        fits,
    };
    found.into_iter().map(result).collect()
}

/// Controls of one source in one fold, in addition to its real fit.
pub(super) fn of_source(
    source: &ReadySource<'_>,
    own: &TargetFold<'_>,
    scores: &CandidateScores,
    subspace: &Subspace,
    accuracy: f64,
    settings: &AlignSettings,
) -> Result<Vec<(Baseline, ControlFit)>, AlignmentError> {
    let prepared = &source.folds[own.fold];
    let mut found = Vec::new();
    let of_fit = |target: &PreparedTarget, subspace: &Subspace, draw: usize| {
        let readout = read_out(prepared, target, subspace, &READOUT_ALPHAS)?;
        let control = control_fit(own, draw, own.reference, &subspace.basis, settings)?;
        Ok::<ControlFit, AlignmentError>(ControlFit {
            alpha: Some(subspace.selection.alpha),
            accuracy: Some(readout.accuracy),
            ..control
        })
    };
    if settings.makes(Control::FixedRank) {
        for &rank in &settings.fixed_ranks {
            let fixed = fit(prepared, &own.target, &scores.select_alpha(rank)?)?;
            found.push((Baseline::FixedRank(rank), of_fit(&own.target, &fixed, 0)?));
        }
    }
    for (draw, permuted) in own.permuted.iter().enumerate() {
        let selection = cross_validate(prepared, permuted, &settings.subspace)?.select()?;
        let control = fit(prepared, permuted, &selection)?;
        found.push((Baseline::ResponsePermutation, of_fit(permuted, &control, draw)?));
    }
    if let Some(balanced) = &own.balanced {
        let control = control_fit(own, 0, balanced, &subspace.basis, settings)?;
        let control = ControlFit {
            alpha: Some(subspace.selection.alpha),
            accuracy: Some(accuracy),
            ..control
        };
        found.push((Baseline::BalancedPartitions, control));
    }
    Ok(found)
}

fn control_fit(
    own: &TargetFold<'_>,
    draw: usize,
    reference: &TargetReference,
    basis: &Matrix,
    settings: &AlignSettings,
) -> Result<ControlFit, AlignmentError> {
    let profile = FoldProfile::new(reference, basis, settings.prefixes)?;
    Ok(ControlFit {
        fold: own.fold,
        draw,
        rank: basis.n_columns(),
        alpha: None,
        accuracy: None,
        profile: profile.map(|mut profile| {
            profile.directional.truncate(settings.prefixes);
            profile
        }),
    })
}
