//! Aggregates over target units.

mod auxiliary;
mod contributions;
mod controls;
pub(crate) mod differences;
mod directions;
mod pairs;
mod references;
mod source_group;
mod sources;

pub use auxiliary::AuxiliarySummary;
pub use contributions::ContributionSummary;
pub use controls::{BalancedSummary, ControlSummary};
pub use differences::{GroupNull, SourceDifference};
pub use directions::DirectionSummary;
pub use pairs::{Correlations, Matched, Sensitivity};
pub use references::ReferenceSummary;
pub use source_group::{OTHER_SUBJECTS, is_group};
pub use sources::{SourceDescription, SourceState, SourceSummary};

use super::{AlignSettings, ControlScore, FitResult, HumanReference, UnitResult, UnitScore, human_references};
use crate::{AlignmentError, Unit, UnitEntry, UnitEstimate};
use serde::Serialize;
use std::collections::BTreeMap;

/// The results of a study over all target units.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StudySummary {
    /// All other subjects together, then every other source.
    pub sources: Vec<SourceSummary>,
    pub differences: Vec<SourceDifference>,
    /// Other subjects as the reference of BrainRefScore, by region; empty without donors.
    pub human_references: Vec<HumanReference>,
    /// Number of draws of the null; 0 without a null.
    pub null_draws: usize,
    pub references: ReferenceSummary,
    /// Over models, each averaged over its target units: accuracy against ProfileMean.
    pub accuracy_and_profile: Correlations,
    /// Pretrained compared with untrained models of one architecture at nearly equal accuracy.
    pub matched: Vec<Matched>,
    /// Pretrained compared with untrained models of one architecture at any accuracy, by the length of the prefix.
    pub sensitivity: Vec<Sensitivity>,
    /// Subspaces that replace the selected ones; empty without controls.
    pub controls: Vec<ControlSummary>,
    /// References of balanced partitions compared with the run's; `None` without that control.
    pub balanced: Option<BalancedSummary>,
    /// Direction-wise held-out prediction compared with coverage; empty without that control.
    pub directions: Vec<DirectionSummary>,
    /// Readouts from all features, the subspace and source components; empty without that control.
    pub auxiliary: Vec<AuxiliarySummary>,
    /// Contributions of each source's blocks; empty without that control.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub contributions: Vec<ContributionSummary>,
    /// Entries without a profile, and the reasons.
    pub undefined: Vec<(String, Unit, String)>,
    /// Fits whose regularisation the data do not determine.
    pub undetermined: UndeterminedPenalties,
}

/// Fits in which all regularisations have equal validation scores, so that the smallest is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct UndeterminedPenalties {
    /// Target units that have such a fit.
    pub n_units: usize,
    /// The number of fits of sources, and the number of them with an undetermined subspace, or an undetermined readout
    /// from two or more coordinates.
    pub of_sources: [usize; 2],
    /// The number of fits behind references, and the number of them with an undetermined subspace.
    pub of_references: [usize; 2],
}

impl UndeterminedPenalties {
    fn of(units: &[UnitResult]) -> UndeterminedPenalties {
        let is_undetermined = |fit: &FitResult| fit.selection.alpha_is_tied || fit.rank > 1 && fit.readout_is_tied;
        let mut found = UndeterminedPenalties::default();
        for unit in units {
            let fits = || unit.sources.iter().flat_map(|source| &source.fits);
            let n_of_sources = fits().filter(|fit| is_undetermined(fit)).count();
            let references = || unit.references.iter();
            let n_of_references: usize = references().map(|own| own.n_tied).sum();
            found.n_units += usize::from(n_of_sources + n_of_references > 0);
            found.of_sources[0] += fits().count();
            found.of_sources[1] += n_of_sources;
            found.of_references[0] += references().map(|own| own.n_fits).sum::<usize>();
            found.of_references[1] += n_of_references;
        }
        found
    }
}

/// The entries to summarise, with the intervals of [`AlignSettings::intervals`].
#[derive(Debug, Clone, Copy)]
pub struct Summarising<'a> {
    pub settings: &'a AlignSettings,
    pub sources: &'a [SourceDescription],
    /// Names of the blocks of each source's features.
    pub blocks: &'a BTreeMap<String, Vec<String>>,
    /// The results of every unit.
    pub units: &'a [UnitResult],
    /// One score for each source and target unit.
    pub unit_scores: &'a [UnitScore],
    /// One score for each control and target unit, and for each source if the control has one; empty without controls.
    pub controls: &'a [ControlScore],
}

impl<'a> Summarising<'a> {
    pub fn summary(&self) -> Result<StudySummary, AlignmentError> {
        let undefined = self.unit_scores.iter().filter_map(|entry| {
            let reason = entry.recovered.as_ref().err()?;
            Some((entry.source.clone(), entry.unit.clone(), reason.to_string()))
        });
        Ok(StudySummary {
            sources: self.sources()?,
            differences: self.differences()?,
            human_references: human_references(self.units, self.settings)?,
            null_draws: self.units.iter().map(UnitResult::n_draws).min().unwrap_or(0),
            references: self.references()?,
            accuracy_and_profile: self.correlations(),
            matched: self.matched()?,
            sensitivity: self.sensitivity()?,
            controls: self.control_summaries()?,
            balanced: self.balanced()?,
            directions: self.directions()?,
            auxiliary: self.auxiliary()?,
            contributions: self.contributions()?,
            undefined: undefined.collect(),
            undetermined: UndeterminedPenalties::of(self.units),
        })
    }

    /// The values of a quantity in the selected entries, by target unit.
    fn estimate(
        &self,
        wanted: &dyn Fn(&UnitScore) -> bool,
        value: &dyn Fn(&UnitScore) -> Option<f64>,
    ) -> Result<UnitEstimate, AlignmentError> {
        let own = self.unit_scores.iter().filter(|entry| wanted(entry));
        self.mean(own.filter_map(|entry| Some(entry.entry(value(entry)?))))
    }

    fn mean<'b>(&self, entries: impl Iterator<Item = UnitEntry<'b>>) -> Result<UnitEstimate, AlignmentError>
    where
        'a: 'b,
    {
        let units = self.units.iter().map(|unit| &unit.unit);
        self.settings.intervals(units).estimate(entries)
    }
}
