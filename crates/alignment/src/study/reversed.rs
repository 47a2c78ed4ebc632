//! The reverse direction: brains predict models.

use super::{SourceFeatures, Study, TrialOrder, UnitTrials};
use crate::{AlignmentError, Trials, Unit};
use std::sync::Arc;

impl Study {
    /// The study with models as targets and brains as sources (reverse predictivity; Muzellec & Kar, 2026).
    ///
    /// Every source becomes a target unit without measurement noise ([`Trials::noiseless`], [`Unit::of_model`]). Every
    /// target unit becomes a source of the same name: its image-level responses, the means over all repeats of each
    /// stimulus.
    pub fn reversed(&self) -> Result<Study, AlignmentError> {
        let n_stimuli = self.stimuli.len();
        let order = Arc::new(TrialOrder {
            stimuli: (0..n_stimuli).collect(),
            sessions: vec![0; n_stimuli],
            runs: Vec::new(),
        });
        let units = self.sources.iter().map(|source| {
            let unit = Unit::of_model(&source.name);
            Ok(UnitTrials {
                trials: Trials::noiseless(&unit, source.features.clone())?,
                order: Arc::clone(&order),
                places: (0..source.features.n_columns()).collect(),
            })
        });
        let sources = self.units.iter().map(|unit| SourceFeatures {
            name: unit.trials.unit().to_string(),
            features: unit.trials.means(),
            blocks: vec![("voxels".to_owned(), unit.trials.n_voxels())],
        });
        Ok(Study {
            stimuli: self.stimuli.clone(),
            units: units.collect::<Result<_, AlignmentError>>()?,
            sources: sources.collect(),
            findings: self.findings.clone(),
        })
    }
}
