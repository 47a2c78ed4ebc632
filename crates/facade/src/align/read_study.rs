//! Reads a study from the files that a configuration names.

use super::{AlignConfig, Study, nsd, sources, targets};
use crate::{Error, Progress, RunSettings};
use neurogauge_alignment::Unit;
use neurogauge_core::{Finding, StimulusId};
use neurogauge_formats::{FormatError, Problem};
use std::io::ErrorKind;
use std::path::Path;

impl AlignConfig {
    /// Reads everything that the configuration names. Source models observe the stimuli; their features are written
    /// to `observations/features` in the run's folder.
    ///
    /// # Errors
    /// Each error names the file, and the subject and region if there is one.
    pub fn study(&self, settings: &RunSettings, progress: &dyn Progress) -> Result<Study, Error> {
        self.study_with(2, settings, progress)
    }

    /// As [`study`](Self::study), of targets that saw every stimulus `fewest` times or more; with 0 they may lack some.
    pub(super) fn study_with(
        &self,
        fewest: usize,
        settings: &RunSettings,
        progress: &dyn Progress,
    ) -> Result<Study, Error> {
        self.read_study(fewest, settings, progress).map_err(|error| match error {
            Error::Format(FormatError {
                path,
                problem: Problem::Io(_, source),
            }) if source.kind() == ErrorKind::NotFound => {
                Problem::not_found("a file, since the configuration names it").at(path).into()
            }
            error => error,
        })
    }

    fn read_study(&self, fewest: usize, settings: &RunSettings, progress: &dyn Progress) -> Result<Study, Error> {
        let sources = |stimuli: &[StimulusId]| sources::read(self, stimuli, settings, progress);
        let Some(files) = &self.nsd else {
            let mut study = targets::study(self, fewest)?;
            let (sources, found) = sources(&study.stimuli)?;
            study.sources = sources;
            study.findings.extend(found);
            return Ok(study);
        };
        let trials = nsd::trials(files)?;
        // Reading the sessions takes longest, so everything else that can fail comes first.
        let (sources, findings) = sources(&trials.stimuli)?;
        Ok(Study {
            sources,
            units: nsd::units(files, &trials, self.allow_nan_voxels, progress)?,
            stimuli: trials.stimuli,
            findings: [vec![Finding::read_as("responses", "NSD's sessions, design and regions")], findings].concat(),
        })
    }
}

/// Fails with the first stimulus that a subject saw less often than `fewest`. `shown` are positions in `stimuli`, which
/// are in the file at `path`.
pub(super) fn check_repeats(
    path: &Path,
    unit: &Unit,
    (shown, fewest): (&[usize], usize),
    stimuli: &[StimulusId],
) -> Result<(), FormatError> {
    let mut repeats = vec![0; stimuli.len()];
    shown.iter().for_each(|&stimulus| repeats[stimulus] += 1);
    match repeats.iter().position(|&n| n < fewest) {
        None => Ok(()),
        Some(few) => Err(Problem::invalid(
            format!("stimulus {}", stimuli[few]),
            format!(
                "{unit}: {} repeat{} of it; a reference needs at least two of each stimulus, so leave it \
                 out for all subjects",
                repeats[few],
                if repeats[few] == 1 { "" } else { "s" }
            ),
        )
        .at(path)),
    }
}

/// The error for a voxel without a response in any trial, or in any trial of a session.
pub(super) fn unmeasured(path: &Path, voxel: String, unit: &Unit, session: Option<usize>) -> FormatError {
    let of = session.map_or("any trial".to_owned(), |session| format!("session {session}"));
    Problem::invalid(
        voxel,
        format!(
            "{unit}: it has no response in {of}; leave it out of the region, or write `allow_nan_voxels = true` at \
             the top of the configuration, before its first [table], with which such voxels count as constant"
        ),
    )
    .at(path)
}
