//! Reads responses from arrays.

use super::config::{AlignConfig, TargetArrays};
use super::read_study::{check_repeats, unmeasured};
use super::{TrialOrder, UnitTrials};
use crate::Error;
use neurogauge_alignment::{AlignmentError, Matrix, Trials, Unit, standardise_within};
use neurogauge_formats::brain_image::{self, Region, Responses};
use neurogauge_formats::{FormatError, array_file, whole_numbers};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The units of `[[targets]]`, and the stimuli that they share.
pub(super) fn units(config: &AlignConfig) -> Result<(Vec<u64>, Vec<UnitTrials>), Error> {
    let mut kept: Option<Vec<u64>> = None;
    if let Some(path) = &config.stimuli {
        let listed: BTreeSet<u64> = whole_numbers::list(path)?.into_iter().collect();
        kept = Some(listed.into_iter().collect());
    }
    let mut units = Vec::new();
    for target in &config.targets {
        let shown = whole_numbers::list(&target.stimuli)?;
        let of_target: BTreeSet<u64> = shown.iter().copied().collect();
        let stimuli = kept.get_or_insert_with(|| of_target.iter().copied().collect());
        same_stimuli(config, target, stimuli, &of_target)?;
        units.push(unit(config, target, &shown, stimuli)?);
    }
    Ok((kept.unwrap_or_default(), units))
}

/// Every stimulus of the others, and no more unless a list says what to keep.
fn same_stimuli(
    config: &AlignConfig,
    target: &TargetArrays,
    stimuli: &[u64],
    found: &BTreeSet<u64>,
) -> Result<(), FormatError> {
    let invalid = |number: u64, reason: &str| FormatError::Invalid {
        path: target.stimuli.clone(),
        place: format!("stimulus {number}"),
        reason: format!("{} {reason}", unit_of(target)),
    };
    if let Some(&missing) = stimuli.iter().find(|number| !found.contains(number)) {
        return Err(invalid(
            missing,
            "has no trial of it; name the stimuli that all have in a file as `stimuli`",
        ));
    }
    let more = |number: &&u64| stimuli.binary_search(number).is_err();
    match found.iter().find(more) {
        Some(&more) if config.stimuli.is_none() => Err(invalid(
            more,
            "has it and the targets before do not; name the stimuli that all have in a file as \
             `stimuli`",
        )),
        _ => Ok(()),
    }
}

fn unit_of(target: &TargetArrays) -> Unit {
    Unit::new(&target.subject, &target.hemisphere, &target.roi)
}

fn unit(
    config: &AlignConfig,
    target: &TargetArrays,
    shown: &[u64],
    stimuli: &[u64],
) -> Result<UnitTrials, Error> {
    let unit = unit_of(target);
    let Responses {
        n_trials,
        places: voxels,
        values,
    } = responses(target, &unit)?;
    let labels = |path: &Option<PathBuf>, what| -> Result<Option<Vec<u32>>, Error> {
        let Some(path) = path else { return Ok(None) };
        let labels = positions(&whole_numbers::list(path)?);
        same_count(&unit, what, labels.len(), n_trials)?;
        Ok(Some(labels))
    };
    same_count(&unit, "stimulus numbers", shown.len(), n_trials)?;
    let sessions = labels(&target.sessions, "session numbers")?;
    let sessions = sessions.unwrap_or_else(|| vec![0; n_trials]);
    let runs = labels(&target.runs, "run numbers")?;
    let trials = Matrix::from_rows(n_trials, voxels.len(), &values)?;
    if !config.allow_nan_voxels {
        let is_measured = |v: &f64| v.is_finite() && *v != 0.0;
        let is_unmeasured = |&voxel: &usize| !trials.column(voxel).iter().any(is_measured);
        if let Some(voxel) = (0..voxels.len()).find(is_unmeasured) {
            let voxel = format!("voxel {}", voxels[voxel]);
            return Err(unmeasured(&target.trials, voxel, &unit).into());
        }
    }
    let mut order = TrialOrder::default();
    let mut rows = Vec::new();
    for (trial, number) in shown.iter().enumerate() {
        let Ok(stimulus) = stimuli.binary_search(number) else {
            continue;
        };
        rows.push(trial);
        order.stimuli.push(stimulus);
        order.sessions.push(sessions[trial]);
        order.runs.extend(runs.as_ref().map(|runs| runs[trial]));
    }
    check_repeats(&target.stimuli, &unit, &order.stimuli, stimuli)?;
    let responses = standardise_within(&trials, &sessions).rows(&rows);
    Ok(UnitTrials {
        trials: Trials::new(&unit, responses, &order.stimuli, stimuli.len())?,
        order: Arc::new(order),
    })
}

/// The region's responses, out of an array or out of an image of the brain.
fn responses(target: &TargetArrays, unit: &Unit) -> Result<Responses, Error> {
    let region = Region {
        mask: target.mask.clone(),
        labels: target.labels.clone(),
        structure: target.structure.clone(),
    };
    let path = &target.trials;
    if target.voxels.is_some() && region != Region::default() {
        let found = format!("{unit}: both `voxels` and a mask, its labels or a structure");
        return Err(content(path, found, "one of them for the region").into());
    }
    if region.mask.is_none() && !region.labels.is_empty() {
        let found = format!("{unit}: `labels` without a `mask`");
        return Err(content(path, found, "the mask that has these labels").into());
    }
    if brain_image::is_brain_image(path) {
        let whole = brain_image::read(path, &region)?;
        let Some(_) = &target.voxels else {
            return Ok(whole);
        };
        return Ok(among(&whole, voxels(target, whole.places.len())?));
    }
    if region.structure.is_some() {
        let found = format!("{unit}: an array, which names no structures of the brain");
        return Err(content(path, found, "a CIFTI-2 file for `structure`").into());
    }
    let array = array_file::open(path)?;
    let &[n_trials, n_columns] = array.shape() else {
        let found = format!("{unit}: the shape {:?}", array.shape());
        return Err(content(path, found, "(n_trials, n_voxels)").into());
    };
    let (n_trials, n_columns) = (n_trials as usize, n_columns as usize);
    let places = match region.mask {
        Some(_) => region.places(path, [n_columns, 1, 1])?,
        None => voxels(target, n_columns)?,
    };
    let values = array.read_f64()?;
    let whole = Responses {
        n_trials,
        places: (0..n_columns).collect(),
        values,
    };
    Ok(among(&whole, places))
}

/// Some columns of them.
fn among(whole: &Responses, places: Vec<usize>) -> Responses {
    let rows = whole.values.chunks(whole.places.len().max(1));
    let values = rows.flat_map(|row| places.iter().map(|&place| row[place]));
    Responses {
        n_trials: whole.n_trials,
        values: values.collect(),
        places,
    }
}

fn same_count(
    unit: &Unit,
    what: &'static str,
    found: usize,
    expected: usize,
) -> Result<(), AlignmentError> {
    if found == expected {
        return Ok(());
    }
    Err(AlignmentError::TrialCount {
        unit: unit.clone(),
        what,
        found,
        expected,
    })
}

/// The columns of the region.
fn voxels(target: &TargetArrays, n_columns: usize) -> Result<Vec<usize>, Error> {
    let Some(path) = &target.voxels else {
        return Ok((0..n_columns).collect());
    };
    let voxels = whole_numbers::list(path)?;
    let outside = |&&voxel: &&u64| voxel >= n_columns as u64;
    if let Some(voxel) = voxels.iter().find(outside) {
        let error = FormatError::Invalid {
            path: path.clone(),
            place: format!("voxel {voxel}"),
            reason: format!(
                "{} has {n_columns} columns, from 0",
                target.trials.display()
            ),
        };
        return Err(error.into());
    }
    if voxels.is_empty() {
        return Err(content(path, "no voxel".to_owned(), "the region's columns").into());
    }
    Ok(voxels.into_iter().map(|voxel| voxel as usize).collect())
}

fn content(path: &Path, found: String, expected: &str) -> FormatError {
    FormatError::Content {
        path: path.to_owned(),
        found,
        expected: expected.to_owned(),
    }
}

/// Each number's place among all that occur: a session may be called by its date.
fn positions(numbers: &[u64]) -> Vec<u32> {
    let known: BTreeSet<u64> = numbers.iter().copied().collect();
    let places: BTreeMap<u64, u32> = known.into_iter().zip(0..).collect();
    numbers.iter().map(|number| places[number]).collect()
}
