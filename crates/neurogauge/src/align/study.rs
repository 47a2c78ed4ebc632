//! What is aligned, in memory.

use super::config::AlignConfig;
use super::{arrays, nsd, sources};
use crate::{Error, Progress, RunSettings};
use neurogauge_alignment::{Matrix, Trials, Unit};
use neurogauge_formats::FormatError;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

/// All responses and sources, over the same stimuli in one order.
#[derive(Debug, Clone)]
pub struct Study {
    /// The stimuli's numbers, ascending; every matrix of sources has a row for each.
    pub stimuli: Vec<u64>,
    /// Single-trial responses.
    pub units: Vec<UnitTrials>,
    /// Features of the stimuli.
    pub sources: Vec<SourceFeatures>,
}

/// The trials of one target unit.
#[derive(Debug, Clone)]
pub struct UnitTrials {
    /// z-scored in each session.
    pub trials: Trials,
    /// When the trials were.
    pub order: Arc<TrialOrder>,
}

/// What each trial of a subject showed, and in which session and run.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TrialOrder {
    /// Position of its stimulus in [`Study::stimuli`].
    pub stimuli: Vec<usize>,
    /// Position of its session among those of the subject; all 0 where unknown.
    pub sessions: Vec<u32>,
    /// Position of its run among those of all sessions; empty where unknown.
    pub runs: Vec<u32>,
}

/// Features of the stimuli.
#[derive(Debug, Clone)]
pub struct SourceFeatures {
    /// Its name.
    pub name: String,
    /// (n_stimuli, n_features)
    pub features: Matrix,
    /// Names and numbers of features of the layers that lie side by side.
    pub blocks: Vec<(String, usize)>,
}

impl Study {
    /// Reads everything that the configuration names. Models that are sources look at the stimuli, and what they see
    /// goes to `observations/features` in the run's folder.
    ///
    /// # Errors
    /// Each with the file, and the subject and region where there is one.
    pub fn read(
        config: &AlignConfig,
        settings: &RunSettings,
        progress: &dyn Progress,
    ) -> Result<Study, Error> {
        let sources = |stimuli: &[u64]| sources::read(config, stimuli, settings, progress);
        let Some(files) = &config.nsd else {
            let (stimuli, units) = arrays::units(config)?;
            return Ok(Study {
                sources: sources(&stimuli)?,
                stimuli,
                units,
            });
        };
        let trials = nsd::NsdTrials::read(files)?;
        // The sessions take longest, so what can fail sooner comes first.
        let sources = sources(&trials.stimuli)?;
        Ok(Study {
            sources,
            units: nsd::units(files, &trials, config.allow_nan_voxels, progress)?,
            stimuli: trials.stimuli,
        })
    }

    /// An error for two units or two sources that no table could tell apart.
    pub(super) fn check_names(&self) -> Result<(), Error> {
        let mut units = BTreeSet::new();
        for unit in &self.units {
            let unit = unit.trials.unit();
            if !units.insert(unit) {
                return Err(Error::Usage(format!(
                    "{unit} is a target twice; give each subject, hemisphere and region once"
                )));
            }
        }
        let mut sources = BTreeSet::new();
        for source in &self.sources {
            if !sources.insert(&source.name) {
                return Err(Error::Usage(format!(
                    "two sources are called {:?}; give each its own name",
                    source.name
                )));
            }
        }
        Ok(())
    }
}

/// An error for the first stimulus that a subject saw less than twice. `shown` are positions in `stimuli`, whose numbers
/// are in the file at `path`.
pub(super) fn check_repeats(
    path: &Path,
    unit: &Unit,
    shown: &[usize],
    stimuli: &[u64],
) -> Result<(), FormatError> {
    let mut repeats = vec![0; stimuli.len()];
    shown.iter().for_each(|&stimulus| repeats[stimulus] += 1);
    match repeats.iter().position(|&n| n < 2) {
        None => Ok(()),
        Some(few) => Err(FormatError::Invalid {
            path: path.to_owned(),
            place: format!("stimulus {}", stimuli[few]),
            reason: format!(
                "{unit}: {} repeat{} of it; a reference takes at least two of each stimulus, so leave it \
                 out for all subjects",
                repeats[few],
                if repeats[few] == 1 { "" } else { "s" }
            ),
        }),
    }
}

/// The error for a voxel without a response in any trial.
pub(super) fn unmeasured(path: &Path, voxel: String, unit: &Unit) -> FormatError {
    FormatError::Invalid {
        path: path.to_owned(),
        place: voxel,
        reason: format!(
            "{unit}: it has no response in any trial; leave it out of the region, or set \
             `allow_nan_voxels`, with which such voxels count as constant"
        ),
    }
}
