//! The stimulus of each trial.

use super::TargetFiles;
use crate::{FormatError, Problem, trial_column};
use neurogauge_core::{StimulusId, natural_cmp};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

impl TargetFiles {
    /// The stimulus of each trial; `None` if the trial's condition is not among those to keep.
    ///
    /// # Errors
    /// Errors of [`trial_column::read`]; lists have different lengths; no trial has a condition to keep.
    pub fn shown(&self) -> Result<Vec<Option<StimulusId>>, FormatError> {
        let files = &self.files;
        let names = trial_column::read(&files.stimuli)?;
        let stimuli = names.iter().map(|name| {
            let stem = name.strip_prefix(files.stimulus_prefix.as_str());
            Some(StimulusId::from(stem.unwrap_or(name)))
        });
        let mut stimuli: Vec<Option<StimulusId>> = stimuli.collect();
        let Some(path) = &files.conditions else {
            return Ok(stimuli);
        };
        let conditions = trial_column::read(path)?;
        if conditions.len() != stimuli.len() {
            let found = format!("{} trials", conditions.len());
            let listed = files.stimuli.display();
            let expected = format!("{}, as {listed} has", stimuli.len());
            return Err(self.refused(path, &found, &expected));
        }
        if let Some(absent) = files.keep.iter().find(|kept| !conditions.contains(kept)) {
            let known: BTreeSet<&str> = conditions.iter().map(String::as_str).collect();
            let known: Vec<&str> = known.into_iter().take(20).collect();
            let reason = format!("{self}: no trial has it; there are {}", known.join(", "));
            return Err(Problem::invalid(format!("condition {absent:?}"), reason).at(path));
        }
        for (stimulus, condition) in stimuli.iter_mut().zip(&conditions) {
            if !files.keep.contains(condition) {
                *stimulus = None;
            }
        }
        Ok(stimuli)
    }

    /// The position of each trial's session in the natural order of the sessions' names, if there is a list of
    /// sessions.
    pub fn sessions(&self) -> Result<Option<Vec<u32>>, FormatError> {
        positions(self.files.sessions.as_ref())
    }

    /// The position of each trial's run in the natural order of the runs' names, if there is a list of runs.
    pub fn runs(&self) -> Result<Option<Vec<u32>>, FormatError> {
        positions(self.files.runs.as_ref())
    }
}

/// A list of stimuli in any order.
pub fn stimuli(path: &Path) -> Result<BTreeSet<StimulusId>, FormatError> {
    Ok(trial_column::read(path)?.iter().map(|name| StimulusId::from(name.as_str())).collect())
}

/// Each entry's position among all distinct ones, since sessions may be named by their dates.
fn positions(path: Option<&PathBuf>) -> Result<Option<Vec<u32>>, FormatError> {
    let Some(path) = path else { return Ok(None) };
    let entries = trial_column::read(path)?;
    let mut known: Vec<&String> = entries.iter().collect();
    known.sort_by(|one, other| natural_cmp(one, other));
    known.dedup();
    let place = |entry: &String| known.binary_search_by(|known| natural_cmp(known, entry)).unwrap_or_default() as u32;
    Ok(Some(entries.iter().map(place).collect()))
}
