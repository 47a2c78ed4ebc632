//! Everything about one target unit.

use super::plan::Plan;
use super::settings::AlignSettings;
use super::study::UnitTrials;
use crate::Error;
use neurogauge_alignment::{
    AlignmentError, Convergence, FoldProfile, Matrix, PreparedSource, PreparedTarget,
    READOUT_ALPHAS, Selection, SourceBasis, TargetReference, Unit, cross_validate, fit,
    null_profiles, null_profiles_reselected, read_out, source_effective_rank,
};
use neurogauge_core::Undefined;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::ops::Range;

/// Numbers of partitions whose consensus is compared with that of all.
const CONVERGENCE: [usize; 5] = [1, 2, 5, 10, 15];

/// What was found for one target unit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UnitResult {
    /// Which.
    pub unit: Unit,
    /// Its voxels.
    pub n_voxels: usize,
    /// One reference for each outer fold.
    pub references: Vec<ReferenceResult>,
    /// One entry for each source, donors first.
    pub sources: Vec<SourceResult>,
}

/// The target reference of one fold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReferenceResult {
    /// Reference weights, descending.
    pub weights: Vec<f64>,
    /// Entropy effective rank.
    pub effective_rank: f64,
    /// Rank of the consensus of all partitions.
    pub consensus_rank: usize,
    /// The consensus of the first m partitions beside that of all.
    pub convergence: Vec<(usize, Convergence)>,
}

/// What one source recovers of one target unit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SourceResult {
    /// Its name; a donor's is its subject.
    pub source: String,
    /// Whether it is another subject.
    pub donor: bool,
    /// One fit for each outer fold.
    pub fits: Vec<FitResult>,
    /// Overlap of the source's subspaces of every two folds.
    pub stability: Vec<f64>,
}

/// One source-to-target fit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FitResult {
    /// What cross-validation chose.
    pub selection: Selection,
    /// Dimensions of the subspace; fewer than the selected rank where the fit has fewer.
    pub rank: usize,
    /// Entropy effective rank of the source's predictive strengths; none where nothing is predicted.
    pub effective_rank: Option<f64>,
    /// Share of each layer of the source in the fit, in the source's own coordinates.
    pub block_use: Option<Vec<f64>>,
    /// Regularisation of the readout.
    pub readout_alpha: f64,
    /// Mean over voxels of Pearson's r between predicted and measured test responses.
    pub accuracy: f64,
    /// Coverage of the fold's own reference, or why there is none.
    pub profile: Result<FoldProfile, Undefined>,
    /// TopKCov of the next fold's reference.
    pub next_fold: Result<Vec<f64>, Undefined>,
    /// TopKCov of each draw of the null.
    pub null: Vec<Vec<f64>>,
}

/// A source that is ready for every outer fold.
pub(super) struct ReadySource<'a> {
    pub(super) name: String,
    donor: bool,
    features: Cow<'a, Matrix>,
    blocks: Vec<Range<usize>>,
    folds: Vec<PreparedSource>,
}

impl<'a> ReadySource<'a> {
    pub(super) fn new(
        name: &str,
        donor: bool,
        features: Cow<'a, Matrix>,
        block_sizes: &[usize],
        plan: &Plan,
    ) -> Result<Self, AlignmentError> {
        let folds = 0..plan.folds.folds.len();
        let folds = folds
            .into_par_iter()
            .map(|fold| PreparedSource::new(name, &features, &plan.folds, fold));
        Ok(ReadySource {
            name: name.to_owned(),
            donor,
            blocks: block_sizes
                .iter()
                .scan(0, |start, size| {
                    let first = *start;
                    *start += size;
                    Some(first..*start)
                })
                .collect(),
            folds: folds.collect::<Result<_, AlignmentError>>()?,
            features,
        })
    }
}

/// References, then every source in every fold.
pub(super) fn run(
    unit: &UnitTrials,
    sources: &[&ReadySource<'_>],
    plan: &Plan,
    settings: &AlignSettings,
) -> Result<UnitResult, Error> {
    let partitions = plan.partitions_of(unit)?;
    let options = settings.reference();
    let references = plan
        .folds
        .folds
        .iter()
        .map(|fold| TargetReference::new(&unit.trials, &fold.test, &partitions, &options))
        .collect::<Result<Vec<_>, AlignmentError>>()?;
    let responses = unit.trials.means();
    let targets = (0..references.len())
        .map(|fold| PreparedTarget::new(unit.trials.unit(), &responses, &plan.folds, fold))
        .collect::<Result<Vec<_>, AlignmentError>>()?;
    let found = sources
        .par_iter()
        .map(|source| {
            let fits = targets
                .iter()
                .enumerate()
                .map(|(fold, target)| one_fit(source, target, fold, &references, plan, settings));
            let fits = fits.collect::<Result<Vec<_>, Error>>()?;
            let (fits, bases): (Vec<FitResult>, Vec<SourceBasis>) = fits.into_iter().unzip();
            Ok(SourceResult {
                source: source.name.clone(),
                donor: source.donor,
                fits,
                stability: stability(&bases)?,
            })
        })
        .collect::<Result<Vec<_>, Error>>()?;
    Ok(UnitResult {
        unit: unit.trials.unit().clone(),
        n_voxels: unit.trials.n_voxels(),
        references: references
            .iter()
            .map(describe)
            .collect::<Result<_, Error>>()?,
        sources: found,
    })
}

fn describe(reference: &TargetReference) -> Result<ReferenceResult, Error> {
    let few = CONVERGENCE
        .iter()
        .filter(|&&m| m < reference.n_partitions());
    let convergence = few.map(|&m| {
        let first: Vec<usize> = (0..m).collect();
        Ok((m, reference.convergence_of(&first)?))
    });
    Ok(ReferenceResult {
        weights: reference.weights.clone(),
        effective_rank: reference.effective_rank(),
        consensus_rank: reference.consensus()?.rank,
        convergence: convergence.collect::<Result<_, Error>>()?,
    })
}

fn one_fit(
    source: &ReadySource<'_>,
    target: &PreparedTarget,
    fold: usize,
    references: &[TargetReference],
    plan: &Plan,
    settings: &AlignSettings,
) -> Result<(FitResult, SourceBasis), Error> {
    let (prepared, reference) = (&source.folds[fold], &references[fold]);
    let selection = cross_validate(prepared, target, &settings.subspace)?.select()?;
    let subspace = fit(prepared, target, &selection)?;
    let readout = read_out(prepared, target, &subspace, &READOUT_ALPHAS)?;
    let n = settings.prefixes;
    let next = &references[plan.folds.next(fold)];
    let orders = &plan.null_orders[fold];
    let null = if settings.null_select {
        let (features, options) = (&source.features, &settings.subspace);
        null_profiles_reselected(
            features,
            &plan.folds,
            fold,
            target,
            options,
            reference,
            orders,
            n,
        )
    } else {
        null_profiles(prepared, target, &selection, reference, orders, n)
    }?;
    let basis = SourceBasis::new(prepared, &source.features, &subspace)?;
    let found = FitResult {
        rank: subspace.rank(),
        effective_rank: source_effective_rank(&subspace),
        block_use: basis.block_use(&source.blocks)?,
        readout_alpha: readout.alpha,
        accuracy: readout.accuracy,
        profile: FoldProfile::new(reference, &subspace.basis, n)?,
        next_fold: FoldProfile::new(next, &subspace.basis, n)?.map(|profile| profile.top_k),
        null: null
            .into_iter()
            .flatten()
            .map(|profile| profile.top_k)
            .collect(),
        selection,
    };
    Ok((found, basis))
}

/// SourceStability of every two folds; a pair of which one predicts nothing has none.
fn stability(bases: &[SourceBasis]) -> Result<Vec<f64>, Error> {
    let mut overlaps = Vec::new();
    for (fold, basis) in bases.iter().enumerate() {
        for other in &bases[..fold] {
            overlaps.extend(basis.stability(other)?);
        }
    }
    Ok(overlaps)
}
