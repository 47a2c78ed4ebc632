//! The stimulus of each subject's trials, from the experiment's design.

use super::{ExperimentDesign, NsdExperiment, NsdFiles, TRIALS_PER_SESSION, stimulus_info, synthetic_order};
use crate::{FormatError, Problem};
use neurogauge_core::StimulusId;
use std::path::{Path, PathBuf};

/// Trials of two consecutive runs in the main experiment: 63 and 62.
const TRIALS_OF_TWO_RUNS: usize = 125;
const FIRST_OF_TWO: usize = 63;
const RUNS_PER_SESSION: usize = 12;
/// For each number of repeats, the number of shared images that all eight subjects saw that often in the recorded
/// sessions.
const SHARED: [(usize, usize); 4] = [(0, 1000), (1, 907), (2, 766), (3, 515)];
const RECORDED: [usize; 8] = [40, 40, 32, 30, 40, 32, 40, 30];

/// The stimulus of each trial.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NsdTrials {
    /// NSD's numbers (from 0) of the images that are kept, ascending.
    pub stimuli: Vec<StimulusId>,
    /// The file of the design.
    pub design: PathBuf,
    /// For each subject: for each session, the position in `stimuli` of every trial that is kept.
    pub subjects: Vec<Vec<Vec<Option<usize>>>>,
}

impl NsdTrials {
    /// Reads the trials from the experiment's design.
    ///
    /// # Errors
    /// Errors of [`ExperimentDesign`] and [`stimulus_info()`]; the number of shared images differs from NSD's, or only
    /// one of its files calls an image shared.
    pub fn read(files: &NsdFiles) -> Result<NsdTrials, FormatError> {
        let experiments = files.folder.join("nsddata/experiments");
        match files.experiment {
            NsdExperiment::CoreShared => shared(files, &experiments.join("nsd")),
            NsdExperiment::Synthetic => {
                let design = experiments.join("nsdsynthetic/nsdsynthetic_expdesign.mat");
                let order = synthetic_order(&design)?;
                let n = order.iter().max().map_or(0, |&last| last as usize + 1);
                let session: Vec<Option<usize>> = order.iter().map(|&image| Some(image as usize)).collect();
                Ok(NsdTrials {
                    stimuli: (0..n as u64).map(StimulusId::from).collect(),
                    design,
                    subjects: vec![vec![session]; files.subjects.len()],
                })
            }
        }
    }
}

fn shared(files: &NsdFiles, folder: &Path) -> Result<NsdTrials, FormatError> {
    let path = folder.join("nsd_expdesign.mat");
    let design = ExperimentDesign::read(&path)?;
    let invalid = |place: &str, reason: String| Problem::invalid(place, reason).at(&path);
    let images = design.shared_seen(&files.sessions, files.repeats)?;
    let expected = SHARED.iter().find(|(repeats, _)| *repeats == files.repeats);
    if let Some(&(_, expected)) = expected.filter(|_| files.sessions == RECORDED)
        && images.len() != expected
    {
        let reason = format!(
            "{} shared images were seen at least {} times by every subject; expected {expected}",
            images.len(),
            files.repeats
        );
        return Err(invalid("variable sharedix", reason));
    }
    let info = folder.join("nsd_stim_info_merged.csv");
    if info.exists() {
        let info_of = stimulus_info(&info)?;
        let known = |&&image: &&u32| info_of.get(image as usize).is_some_and(|image| image.shared);
        if let Some(image) = images.iter().find(|image| !known(image)) {
            let reason = format!("image {image} (counted from 0) is shared here and not in {}", info.display());
            return Err(invalid("variable sharedix", reason));
        }
    }
    let mut subjects = Vec::new();
    for &subject in &files.subjects {
        let index = subject.wrapping_sub(1);
        let sessions = files.sessions.get(index).ok_or_else(|| {
            let n = files.sessions.len();
            invalid(&format!("subject {subject}"), format!("there are numbers of sessions for {n} subjects, from 1"))
        })?;
        let trials = design.images_of_trials(index, *sessions)?;
        let kept: Vec<Option<usize>> = trials.iter().map(|image| images.binary_search(image).ok()).collect();
        subjects.push(kept.chunks(TRIALS_PER_SESSION).map(<[_]>::to_vec).collect());
    }
    Ok(NsdTrials {
        stimuli: images.into_iter().map(|image| u64::from(image).into()).collect(),
        design: path,
        subjects,
    })
}

/// A trial that is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NsdTrial {
    pub stimulus: usize,
    /// Its session, from 0.
    pub session: u32,
    /// Its run, counted over all sessions; `None` if unknown.
    pub run: Option<u32>,
}

impl NsdTrials {
    /// The kept trials of the subject at this position, in order.
    pub fn of_subject(&self, place: usize, experiment: NsdExperiment) -> Vec<NsdTrial> {
        let mut found = Vec::new();
        for (session, kept) in self.subjects[place].iter().enumerate() {
            for (trial, &stimulus) in kept.iter().enumerate() {
                let Some(stimulus) = stimulus else { continue };
                let pair = trial / TRIALS_OF_TWO_RUNS;
                let second = trial % TRIALS_OF_TWO_RUNS >= FIRST_OF_TWO;
                let run = session * RUNS_PER_SESSION + 2 * pair + usize::from(second);
                found.push(NsdTrial {
                    stimulus,
                    session: session as u32,
                    run: (experiment == NsdExperiment::CoreShared).then_some(run as u32),
                });
            }
        }
        found
    }
}
