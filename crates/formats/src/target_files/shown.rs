//! The stimulus of each trial.

use super::TargetFiles;
use crate::member::split_member;
use crate::stem_listing::has_ending;
use crate::{FormatError, Problem, array_file, brain_image, trial_column};
use neurogauge_core::{StimulusId, first_names, natural_cmp};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

impl TargetFiles {
    /// The stimulus of each trial; `None` if the trial's condition is not among those to keep.
    ///
    /// # Errors
    /// Errors of [`trial_column::read`]; lists have different lengths; no trial has a condition to keep.
    pub fn shown(&self) -> Result<Vec<Option<StimulusId>>, FormatError> {
        let files = &self.files;
        let listed = files.stimuli.as_deref().map(trial_column::read).transpose()?;
        let names = match (self.axes(listed.as_deref())?, listed) {
            (Some(axes), listed) => self.of_axes(&axes, listed)?,
            (None, Some(names)) => names,
            (None, None) => {
                let found = "no `stimuli`";
                return Err(self.refused(
                    self.stimuli(),
                    found,
                    "the stimulus of each trial, or an array with an axis of images",
                ));
            }
        };
        let stimuli = names.iter().map(|name| {
            let stem = name.strip_prefix(files.stimulus_prefix.as_str());
            Some(StimulusId::from(stem.unwrap_or(name)))
        });
        let mut stimuli: Vec<Option<StimulusId>> = stimuli.collect();
        let Some(path) = &files.conditions else {
            return Ok(stimuli);
        };
        let conditions = trial_column::read(path)?;
        self.check_length(path, conditions.len(), stimuli.len())?;
        if let Some(absent) = files.keep.iter().find(|kept| !conditions.contains(kept)) {
            let known: BTreeSet<&str> = conditions.iter().map(String::as_str).collect();
            let known: Vec<&str> = known.into_iter().collect();
            let reason = format!("{self}: no trial has it; there are {}", first_names(&known));
            return Err(Problem::invalid(format!("condition {absent:?}"), reason).at(path));
        }
        for (stimulus, condition) in stimuli.iter_mut().zip(&conditions) {
            if !files.keep.contains(condition) {
                *stimulus = None;
            }
        }
        Ok(stimuli)
    }

    /// Numbers of images and repeats in each file, if the arrays have an axis of images. A file that costs as much to open
    /// as to read, and whose trials are listed, is only opened if `layout` says so.
    fn axes(&self, listed: Option<&[String]>) -> Result<Option<Vec<[usize; 2]>>, FormatError> {
        let is_header_cheap = |path: &PathBuf| has_ending(&split_member(path).0, &["npy", "pt", "h5", "hdf5"]);
        let is_opened = listed.is_none() || self.files.layout.is_some() || self.trials.iter().all(is_header_cheap);
        if !is_opened || self.trials.iter().any(|path| brain_image::is_brain_image(path)) {
            return Ok(None);
        }
        let axes = self.trials.iter().map(|path| {
            let found = self.axes_of(path, array_file::open(path)?.shape())?;
            Ok(found.map(|(axes, shape)| {
                let [n_images, n_repeats, _] = axes.sizes(shape);
                [n_images, n_repeats]
            }))
        });
        axes.collect::<Result<Option<Vec<_>>, FormatError>>()
    }

    /// The image of each trial of arrays with these numbers of images and repeats.
    fn of_axes(&self, axes: &[[usize; 2]], listed: Option<Vec<String>>) -> Result<Vec<String>, FormatError> {
        let n = axes.first().map_or(0, |axes| axes[0]);
        let names = listed.unwrap_or_else(|| (0..n).map(|image| image.to_string()).collect());
        let mut trials = Vec::new();
        for (path, &[n_images, n_repeats]) in self.trials.iter().zip(axes) {
            if n_images != names.len() {
                let expected = format!("{}, as {} has", names.len(), self.stimuli().display());
                return Err(self.refused(path, &format!("{n_images} images"), &expected));
            }
            trials.extend(names.iter().flat_map(|name| std::iter::repeat_n(name.clone(), n_repeats)));
        }
        Ok(trials)
    }

    /// The position of each trial's session in the natural order of the sessions' names, if there is a list of
    /// sessions.
    pub fn sessions(&self, n_trials: usize) -> Result<Option<Vec<u32>>, FormatError> {
        self.files.sessions.as_ref().map(|path| self.positions(path, n_trials)).transpose()
    }

    /// The position of each trial's run in the natural order of the runs' names, if there is a list of runs.
    pub fn runs(&self, n_trials: usize) -> Result<Option<Vec<u32>>, FormatError> {
        self.files.runs.as_ref().map(|path| self.positions(path, n_trials)).transpose()
    }

    /// Each entry's position among all distinct ones, since sessions may be named by their dates.
    fn positions(&self, path: &Path, n_trials: usize) -> Result<Vec<u32>, FormatError> {
        let entries = trial_column::read(path)?;
        self.check_length(path, entries.len(), n_trials)?;
        let mut known: Vec<&String> = entries.iter().collect();
        known.sort_by(|one, other| natural_cmp(one, other));
        known.dedup();
        let place =
            |entry: &String| known.binary_search_by(|known| natural_cmp(known, entry)).unwrap_or_default() as u32;
        Ok(entries.iter().map(place).collect())
    }

    /// Fails if a list does not have one entry for each trial.
    pub fn check_length(&self, list: &Path, found: usize, n_trials: usize) -> Result<(), FormatError> {
        match found == n_trials {
            true => Ok(()),
            false => Err(self.refused(list, &format!("a list of {found}"), &format!("{n_trials}, one for each trial"))),
        }
    }
}

/// A list of stimuli in any order.
pub fn stimuli(path: &Path) -> Result<BTreeSet<StimulusId>, FormatError> {
    Ok(trial_column::read(path)?.iter().map(|name| StimulusId::from(name.as_str())).collect())
}
