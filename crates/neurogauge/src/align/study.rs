//! What is aligned, in memory.

use super::config::AlignConfig;
use super::{arrays, nsd};
use crate::{Error, Progress};
use neurogauge_alignment::{Matrix, Trials};
use std::collections::BTreeSet;
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
    /// Number of its session; all 0 where unknown.
    pub sessions: Vec<u32>,
    /// Number of its run, over all sessions; empty where unknown.
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
    /// Reads everything that the configuration names.
    ///
    /// # Errors
    /// Each with the file, and the subject and region where there is one.
    pub fn read(config: &AlignConfig, progress: &dyn Progress) -> Result<Study, Error> {
        let (stimuli, units) = match &config.nsd {
            Some(files) => {
                let trials = nsd::NsdTrials::read(files)?;
                let units = nsd::units(files, &trials, config.allow_nan_voxels, progress)?;
                (trials.stimuli, units)
            }
            None => arrays::units(config)?,
        };
        let sources = config.sources.iter();
        let sources = sources.map(|files| arrays::source(files, &stimuli));
        Ok(Study {
            sources: sources.collect::<Result<_, Error>>()?,
            stimuli,
            units,
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
