//! A whole study: every source aligned with every target unit, and a summary of the results.
//!
//! - [`Study`]: the responses and features, over the same stimuli in one order.
//! - [`AlignSettings`] and [`StudyPlan`]: the options, and everything that is drawn at random before fits.
//! - [`ReadySource`] and [`align_unit`]: one target unit with all its sources and controls, which gives a
//!   [`UnitResult`].
//! - [`unit_scores()`] and [`control_scores()`]: one line for each source, control and target unit.
//! - [`Summarising`]: aggregates over target units.
//!
//! ```
//! use neurogauge_alignment::FoldPlan;
//! use neurogauge_alignment::study::{
//!     AlignSettings, StudyPlan, ReadySource, SimulatedSize, align_unit, simulated, unit_scores,
//! };
//! use neurogauge_core::Seed;
//! let (study, models) = simulated(SimulatedSize::Small, Seed(42))?;
//! let settings = AlignSettings {
//!     partitions: 2,
//!     null: 0,
//!     controls: Vec::new(),
//!     ..AlignSettings::default()
//! };
//! let folds = FoldPlan::draw(study.stimuli.len(), 5, 5, Seed(42))?;
//! let plan = StudyPlan::draw(&study, &settings, folds, None)?;
//! let sources = ReadySource::models(&study, &plan)?;
//! let unit = align_unit(&study.units[0], (&[], &sources), &plan, &settings)?;
//! let scores = unit_scores(&[unit], &settings)?;
//! // The first model spans all that the subjects share, the second two dimensions of it.
//! assert_eq!((scores.len(), models[1].seed), (6, Some(42)));
//! assert!(scores[0].profile_mean() > scores[1].profile_mean());
//! # Ok::<(), neurogauge_alignment::AlignmentError>(())
//! ```

mod contributions;
mod control;
mod control_draws;
mod control_scores;
pub(crate) mod human_reference;
mod plan;
mod ready_source;
mod reversed;
mod settings;
mod simulated;
pub(crate) mod summary;
mod unit_blocks;
mod unit_controls;
mod unit_null;
mod unit_result;
mod unit_run;
mod unit_scores;

pub use contributions::{Contribution, Recovery, contributions};
pub use control::{Balance, Baseline, Control};
pub use control_draws::ControlDraws;
pub use control_scores::{ControlScore, control_scores};
pub use human_reference::{HumanReference, NOT_ABOVE, SingleTrials, human_references};
pub use plan::{PARTITION_SEED, StudyPlan};
pub use ready_source::ReadySource;
pub use settings::AlignSettings;
pub use simulated::{SimulatedSize, simulated};
pub use summary::{
    AuxiliarySummary, BalancedSummary, ContributionSummary, ControlSummary, Correlations, DirectionSummary, GroupNull,
    Matched, OTHER_SUBJECTS, ReferenceSummary, Sensitivity, SourceDescription, SourceDifference, SourceState,
    SourceSummary, StudySummary, Summarising, UndeterminedPenalties, is_group,
};
pub use unit_blocks::ATTRIBUTED_FEATURES;
pub use unit_result::{
    ControlFit, ControlResult, DirectionShares, FeatureShare, FitResult, ReferenceResult, SourceResult, UnitResult,
};
pub use unit_run::align_unit;
pub use unit_scores::{MAIN_LENGTH, PROFILE_LENGTHS, Recovered, UnitScore, unit_scores};

use crate::{AlignmentError, Matrix, Trials, Unit};
use indexmap::IndexMap;
use neurogauge_core::{Finding, StimulusId};
use std::collections::BTreeSet;
use std::sync::Arc;

/// All responses and sources, over the same stimuli in one order.
#[derive(Debug, Clone)]
pub struct Study {
    /// The stimuli, ascending; every matrix of sources has a row for each.
    pub stimuli: Vec<StimulusId>,
    /// Single-trial responses.
    pub units: Vec<UnitTrials>,
    pub sources: Vec<SourceFeatures>,
    /// Assumptions made about the files that they come from.
    pub findings: Vec<Finding>,
}

/// The trials of one target unit.
#[derive(Debug, Clone)]
pub struct UnitTrials {
    /// z-scored in each session.
    pub trials: Trials,
    /// The session and run of each trial.
    pub order: Arc<TrialOrder>,
    /// The position of each voxel in its image or array, from 0.
    pub places: Vec<usize>,
}

/// The stimulus, session and run of each trial of a subject.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TrialOrder {
    /// Position of its stimulus in [`Study::stimuli`].
    pub stimuli: Vec<usize>,
    /// Position of its session among the subject's; all 0 if unknown.
    pub sessions: Vec<u32>,
    /// Position of its run among the runs of all sessions; empty if unknown.
    pub runs: Vec<u32>,
}

/// Features of the stimuli.
#[derive(Debug, Clone)]
pub struct SourceFeatures {
    pub name: String,
    /// (n_stimuli, n_features)
    pub features: Matrix,
    /// Names and numbers of features of the concatenated layers.
    pub blocks: Vec<(String, usize)>,
}

impl Study {
    /// Units of the same hemisphere and region, which are donors for each other.
    pub fn groups(&self) -> Vec<Vec<&UnitTrials>> {
        let mut groups: IndexMap<(&str, &str), Vec<&UnitTrials>> = IndexMap::new();
        for unit in &self.units {
            groups.entry(unit.trials.unit().region()).or_default().push(unit);
        }
        groups.into_values().collect()
    }

    /// Checks that tables can distinguish all units and all sources.
    pub fn check_names(&self) -> Result<(), AlignmentError> {
        let units = self.units.iter().map(|unit| unit.trials.unit().clone());
        let sources = self.sources.iter().map(|source| source.name.as_str());
        check_names(&units.collect::<Vec<Unit>>(), sources)
    }
}

/// Checks that no two target units and no two sources have the same name.
pub fn check_names<'a>(units: &[Unit], sources: impl Iterator<Item = &'a str>) -> Result<(), AlignmentError> {
    let mut known = BTreeSet::new();
    if let Some(unit) = units.iter().find(|unit| !known.insert(*unit)) {
        let words = "is a target twice; give each subject, hemisphere and region once";
        return Err(AlignmentError::Usage(format!("{unit} {words}")));
    }
    let mut known = BTreeSet::new();
    for name in sources {
        if !known.insert(name) {
            return Err(AlignmentError::Usage(format!("two sources are called {name:?}; give each its own name")));
        }
    }
    Ok(())
}
