//! Computes everything about one target unit.

use super::ready_source::ReadySource;
use super::unit_scores::over_folds;
use super::{
    AlignSettings, Baseline, Control, ControlFit, ControlResult, FitResult, ReferenceResult, SingleTrials,
    SourceResult, StudyPlan, UnitResult, UnitTrials, unit_blocks, unit_controls, unit_null,
};
use crate::{
    AlignmentError, AuxiliaryReadouts, FoldProfile, Partitions, PreparedTarget, READOUT_ALPHAS, SourceBasis,
    TargetReference, cross_validate, directional_prediction, fit, null_profiles, read_out, source_effective_rank,
};
use itertools::Itertools;
use neurogauge_core::parallel;
use rayon::prelude::*;

/// Numbers of partitions whose consensus is compared with the consensus of all.
const CONVERGENCE: [usize; 5] = [1, 2, 5, 10, 15];

/// A target that is ready for one outer fold.
pub(super) struct TargetFold<'a> {
    pub(super) fold: usize,
    pub(super) target: PreparedTarget,
    pub(super) reference: &'a TargetReference,
    next: &'a TargetReference,
    /// The target with its training responses in other orders.
    pub(super) permuted: Vec<PreparedTarget>,
    /// The reference of balanced partitions.
    pub(super) balanced: Option<TargetReference>,
}

/// References, then every source in every fold: the donors that are other subjects, then the models.
pub fn align_unit(
    unit: &UnitTrials,
    (donors, models): (&[ReadySource<'_>], &[ReadySource<'_>]),
    plan: &StudyPlan,
    settings: &AlignSettings,
) -> Result<UnitResult, AlignmentError> {
    let subject = &unit.trials.unit().subject;
    let others = donors.iter().filter(|donor| donor.name != *subject);
    let sources: Vec<&ReadySource<'_>> = others.chain(models).collect();
    let options = settings.reference();
    let reference = |fold: usize, partitions: &Partitions| {
        let pool = &plan.folds.folds[fold].test;
        TargetReference::new(&unit.trials, pool, partitions, &options)
    };
    let partitions = plan.partitions_of(&unit.trials)?;
    let n_folds = plan.folds.folds.len();
    let references = parallel::try_map(n_folds, |fold| reference(fold, &partitions))?;
    let makes_balanced = settings.makes(Control::BalancedPartitions);
    let balanced = makes_balanced.then(|| plan.controls.balanced_of(unit)).transpose()?;
    let responses = unit.trials.means();
    let folds = parallel::try_map(n_folds, |fold| {
        let target = PreparedTarget::new(unit.trials.unit(), &responses, &plan.folds, fold)?;
        let balanced = balanced.as_ref();
        Ok::<_, AlignmentError>(TargetFold {
            fold,
            reference: &references[fold],
            next: &references[plan.folds.next(fold)],
            permuted: TargetFold::permuted(&responses, &target, plan, fold, settings)?,
            balanced: balanced.map(|own| reference(fold, own)).transpose()?,
            target,
        })
    })?;
    // Runs fold by fold, since targets of many draws need much memory.
    let nulls = folds.iter().map(|own| unit_null::reselected(own, &responses, &sources, plan, settings));
    let nulls = nulls.collect::<Result<Vec<_>, AlignmentError>>()?;
    let of_sources = || {
        parallel::try_map(sources.len(), |place| {
            let nulls = nulls.iter().map(|of_fold| of_fold[place].clone());
            one_source(sources[place], &folds, nulls.collect(), plan, settings)
        })
    };
    let ((of_sources, controls), references) = rayon::join(
        || rayon::join(of_sources, || unit_controls::of_target(&folds, plan, settings)),
        || parallel::try_map_each(&folds, describe),
    );
    let (found, of_sources): (Vec<_>, Vec<_>) = of_sources?.into_iter().unzip();
    let mut controls = controls?;
    controls.extend(of_sources.into_iter().flatten());
    Ok(UnitResult {
        unit: unit.trials.unit().clone(),
        n_voxels: unit.trials.n_voxels(),
        references: references?,
        sources: found,
        controls,
    })
}

fn describe(own: &TargetFold<'_>) -> Result<ReferenceResult, AlignmentError> {
    let reference = own.reference;
    let few = CONVERGENCE.iter().filter(|&&m| m < reference.n_partitions());
    let convergence = few.map(|&m| {
        let first: Vec<usize> = (0..m).collect();
        Ok((m, reference.convergence_of(&first)?))
    });
    let selections = || reference.selections.iter().flatten();
    Ok(ReferenceResult {
        n_fits: selections().count(),
        n_tied: selections().filter(|own| own.alpha_is_tied).count(),
        weights: reference.weights.clone(),
        effective_rank: reference.effective_rank(),
        consensus_rank: reference.consensus()?.rank,
        convergence: convergence.collect::<Result<_, AlignmentError>>()?,
        balanced: own.similarity()?,
    })
}

/// A source in every fold, and its controls.
fn one_source(
    source: &ReadySource<'_>,
    folds: &[TargetFold<'_>],
    nulls: Vec<Vec<Vec<f64>>>,
    plan: &StudyPlan,
    settings: &AlignSettings,
) -> Result<(SourceResult, Vec<ControlResult>), AlignmentError> {
    let of_folds = folds.par_iter().zip(nulls).map(|(own, null)| one_fit(source, own, null, plan, settings));
    let of_folds = of_folds.collect::<Result<Vec<_>, AlignmentError>>()?;
    let (fits, bases, controls): (Vec<_>, Vec<_>, Vec<_>) = of_folds.into_iter().multiunzip();
    let result = SourceResult {
        source: source.name.clone(),
        donor: source.donor,
        fits,
        stability: stability(&bases)?,
        single_trials: single_trials(source, folds, settings)?,
    };
    Ok((result, unit_controls::by_baseline(controls.concat(), Some(source))))
}

/// The recovery of a donor with single trials.
fn single_trials(
    source: &ReadySource<'_>,
    folds: &[TargetFold<'_>],
    settings: &AlignSettings,
) -> Result<Option<SingleTrials>, AlignmentError> {
    let Some((repeats, trials)) = &source.single_trials else {
        return Ok(None);
    };
    let profiles = parallel::try_map_each(trials, |prepared| {
        let of_folds = folds.iter().map(|own| {
            let source = &prepared[own.fold];
            let selection = cross_validate(source, &own.target, &settings.subspace)?.select()?;
            let basis = fit(source, &own.target, &selection)?.basis;
            FoldProfile::new(own.reference, &basis, settings.prefixes)
        });
        let of_folds = of_folds.collect::<Result<Vec<_>, AlignmentError>>()?;
        Ok::<_, AlignmentError>(over_folds(of_folds.iter()))
    })?;
    Ok(Some(SingleTrials {
        repeats: *repeats,
        profiles,
    }))
}

type OneFit = (FitResult, SourceBasis, Vec<(Baseline, ControlFit)>);

fn one_fit(
    source: &ReadySource<'_>,
    own: &TargetFold<'_>,
    mut null: Vec<Vec<f64>>,
    plan: &StudyPlan,
    settings: &AlignSettings,
) -> Result<OneFit, AlignmentError> {
    let (prepared, target, reference) = (&source.folds[own.fold], &own.target, own.reference);
    let makes_auxiliary = settings.makes(Control::AuxiliaryReadouts);
    // Auxiliary readouts have the same candidates, and more ranks.
    let of_all_ranks = match makes_auxiliary {
        true => cross_validate(prepared, target, &settings.auxiliary())?,
        false => cross_validate(prepared, target, &settings.subspace)?,
    };
    let scores = of_all_ranks.up_to(settings.subspace.max_rank);
    let selection = scores.select()?;
    let subspace = fit(prepared, target, &selection)?;
    let readout = read_out(prepared, target, &subspace, &READOUT_ALPHAS)?;
    let n = settings.prefixes;
    if !settings.null_select {
        let orders = &plan.null_orders[own.fold];
        let kept = null_profiles(prepared, target, &selection, reference, orders, n)?;
        null.extend(kept.into_iter().flatten().map(|profile| profile.top_k));
    }
    let is_predicted = settings.makes(Control::DirectionPrediction) && !reference.weights.is_empty();
    let prediction = || directional_prediction(prepared, target, &subspace, &readout, reference, n);
    let prediction = is_predicted.then(prediction).transpose()?;
    let auxiliary = || AuxiliaryReadouts::of(prepared, target, &of_all_ranks, &READOUT_ALPHAS);
    let auxiliary = makes_auxiliary.then(auxiliary).transpose()?;
    let controls = unit_controls::of_source(source, own, &scores, &subspace, readout.accuracy, settings)?;
    let basis = SourceBasis::new(prepared, &source.features, &subspace)?;
    let found = FitResult {
        rank: subspace.rank(),
        effective_rank: source_effective_rank(&subspace),
        block_use: basis.block_use(&source.blocks)?,
        readout_alpha: readout.alpha,
        readout_is_tied: readout.alpha_is_tied,
        accuracy: readout.accuracy,
        profile: FoldProfile::new(reference, &subspace.basis, n)?,
        next_fold: FoldProfile::new(own.next, &subspace.basis, n)?.map(|profile| profile.top_k),
        null,
        prediction,
        auxiliary,
        attribution: unit_blocks::attribution(source, own, &subspace, settings)?,
        blocks: unit_blocks::fits(source, own, plan, settings)?,
        selection,
    };
    Ok((found, basis, controls))
}

/// SourceStability of every two folds; pairs in which one fit predicts nothing are left out.
fn stability(bases: &[SourceBasis]) -> Result<Vec<f64>, AlignmentError> {
    let pairs = (0..bases.len()).flat_map(|fold| (0..fold).map(move |other| (fold, other)));
    let overlaps = pairs.map(|(fold, other)| bases[fold].stability(&bases[other]));
    overlaps.filter_map(Result::transpose).collect()
}
