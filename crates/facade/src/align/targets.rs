//! The target units of `[[targets]]`.

use super::config::AlignConfig;
use super::read_study::{check_repeats, unmeasured};
use super::{Study, TargetFiles, TrialOrder, UnitTrials};
use crate::Error;
use itertools::Itertools;
use neurogauge_alignment::{Matrix, Trials, Unit, standardise_within};
use neurogauge_core::{Finding, StimulusId};
use neurogauge_formats::target_files;
use neurogauge_formats::{FormatError, Problem};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The stimulus of each trial; `None` for a trial that is left out.
type Shown = Vec<Option<StimulusId>>;

/// The units of `[[targets]]` and their stimuli, each seen by all of them `fewest` times or more, without sources. With 0,
/// a unit has the trials of those that it has.
pub(super) fn study(config: &AlignConfig, fewest: usize) -> Result<Study, Error> {
    let targets = config.target_files()?;
    let shown = targets.iter().map(TargetFiles::shown).collect::<Result<Vec<Shown>, FormatError>>()?;
    let stimuli = stimuli(config, &targets, &shown, fewest)?;
    let (mut units, mut findings) = (Vec::new(), Vec::new());
    for target in targets.iter().zip(&shown) {
        units.push(unit(config, target, (&stimuli, fewest), &mut findings)?);
    }
    // Several regions may share a mask.
    let mut known = Vec::new();
    findings.retain(|finding| {
        !known.contains(finding) && {
            known.push(finding.clone());
            true
        }
    });
    Ok(Study {
        stimuli,
        units,
        sources: Vec::new(),
        findings,
    })
}

/// The stimuli to keep, ascending: those of the list, or those that all targets saw often enough, or any with `fewest` 0.
fn stimuli(
    config: &AlignConfig,
    targets: &[TargetFiles],
    shown: &[Shown],
    fewest: usize,
) -> Result<Vec<StimulusId>, Error> {
    let counts = shown.iter().map(|trials| trials.iter().flatten().counts().into_iter().collect());
    let counts: Vec<BTreeMap<&StimulusId, usize>> = counts.collect();
    let listed = config.stimuli.as_deref().map(target_files::stimuli);
    let mut kept = match (listed.transpose()?, counts.first()) {
        (Some(listed), _) => listed,
        (None, _) if fewest == 0 => counts.iter().flatten().map(|(&own, _)| own.clone()).collect(),
        (None, first) => first.into_iter().flatten().map(|(&own, _)| own.clone()).collect(),
    };
    let Some(least) = config.repeats else {
        for (target, counts) in targets.iter().zip(&counts).filter(|_| fewest > 0) {
            same_stimuli(config, target, &kept, counts)?;
        }
        return Ok(kept.into_iter().collect());
    };
    for (target, counts) in targets.iter().zip(&counts) {
        kept.retain(|stimulus| counts.get(stimulus).is_some_and(|&n| n >= least));
        if kept.is_empty() {
            let reason = format!(
                "{target}: none was shown {least} times (`repeats`) to it and to the targets before; its stimuli were shown at most {} times",
                counts.values().max().unwrap_or(&0)
            );
            return Err(Problem::invalid("the stimuli".to_owned(), reason).at(target.stimuli()).into());
        }
    }
    Ok(kept.into_iter().collect())
}

/// Checks that a target has every stimulus of the others, and no more unless a list selects the stimuli.
fn same_stimuli(
    config: &AlignConfig,
    target: &TargetFiles,
    stimuli: &BTreeSet<StimulusId>,
    found: &BTreeMap<&StimulusId, usize>,
) -> Result<(), FormatError> {
    let invalid = |stimulus: &StimulusId, reason: &str| {
        Problem::invalid(format!("stimulus {stimulus}"), format!("{target} {reason}")).at(target.stimuli())
    };
    if let Some(missing) = stimuli.iter().find(|stimulus| !found.contains_key(stimulus)) {
        return Err(invalid(
            missing,
            "has no trial of it; name the stimuli that all have in a file as `stimuli`, or set `repeats`",
        ));
    }
    match found.keys().find(|stimulus| !stimuli.contains(stimulus)) {
        Some(more) if config.stimuli.is_none() => Err(invalid(
            more,
            "has it and the targets before do not; name the stimuli that all have in a file as \
             `stimuli`, or set `repeats`",
        )),
        _ => Ok(()),
    }
}

/// The z-scored responses of the kept trials of a target, over the stimuli that it has.
fn unit(
    config: &AlignConfig,
    (target, shown): (&TargetFiles, &Shown),
    (stimuli, fewest): (&[StimulusId], usize),
    findings: &mut Vec<Finding>,
) -> Result<UnitTrials, Error> {
    let unit = Unit::new(&target.subject, &target.hemisphere, &target.roi);
    let mut found = target.responses()?;
    let n_trials = found.responses.n_trials;
    target.check_length(target.stimuli(), shown.len(), n_trials)?;
    let sessions = target.sessions(n_trials)?.unwrap_or_else(|| found.files());
    let runs = target.runs(n_trials)?;
    findings.extend(found.flat_trials(target));
    let kept = found.leave_out_non_finite(target, config.non_finite)?;
    findings.append(&mut found.responses.findings);
    let of_kept = |numbers: Vec<u32>| -> Vec<u32> { kept.iter().map(|&trial| numbers[trial]).collect() };
    let (sessions, runs) = (of_kept(sessions), runs.map(of_kept));
    let voxels = &found.responses.places;
    let trials = Matrix::from_rows(kept.len(), voxels.len(), &found.responses.values)?;
    if !config.allow_nan_voxels {
        let is_measured = |v: &f64| v.is_finite() && *v != 0.0;
        let is_unmeasured = |&voxel: &usize| !trials.column(voxel).iter().any(is_measured);
        if let Some(voxel) = (0..voxels.len()).find(is_unmeasured) {
            let voxel = format!("voxel {}", voxels[voxel]);
            return Err(unmeasured(&target.trials[0], voxel, &unit, None).into());
        }
    }
    let mut order = TrialOrder::default();
    let mut rows = Vec::new();
    for (trial, stimulus) in kept.iter().map(|&trial| &shown[trial]).enumerate() {
        let place = stimulus.as_ref().map(|own| stimuli.binary_search(own));
        let Some(Ok(stimulus)) = place else { continue };
        rows.push(trial);
        order.stimuli.push(stimulus);
        order.sessions.push(sessions[trial]);
        order.runs.extend(runs.as_ref().map(|runs| runs[trial]));
    }
    check_repeats(target.stimuli(), &unit, (&order.stimuli, fewest), stimuli)?;
    let own: Vec<usize> = order.stimuli.iter().copied().sorted_unstable().dedup().collect();
    let place = |stimulus: &usize| own.partition_point(|before| before < stimulus);
    let places: Vec<usize> = order.stimuli.iter().map(place).collect();
    let responses = standardise_within(&trials, &sessions).rows(&rows);
    Ok(UnitTrials {
        trials: Trials::new(&unit, responses, &places, own.len())?,
        order: Arc::new(order),
        places: found.responses.places,
    })
}
