//! Aggregates over target units: `align.json`.

mod auxiliary;
mod controls;
mod directions;
mod pairs;
mod references;
mod source_group;
mod sources;

pub use auxiliary::AuxiliarySummary;
pub use controls::{BalancedSummary, ControlSummary};
pub use directions::DirectionSummary;
pub use pairs::{Correlations, Matched, Sensitivity};
pub use references::ReferenceSummary;
pub(super) use source_group::{OTHER_SUBJECTS, is_group};
pub use sources::SourceSummary;

use super::config::AlignConfig;
use super::control_scores::ControlScore;
use super::controls::{Balance, Control};
use super::run::AlignRun;
use super::settings::AlignSettings;
use super::study::Study;
use super::unit_result::UnitResult;
use super::unit_scores::UnitScore;
use crate::Error;
use crate::results::Provenance;
use neurogauge_alignment::{Unit, UnitEstimate};
use neurogauge_stats::BootstrapOptions;
use serde::Serialize;
use std::collections::BTreeMap;

/// Raised when the layout of `align.json` changes.
const SCHEMA: u32 = 2;

/// The content of `align.json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AlignRecord {
    /// The program, and the responses and features that it aligned, each with the hash of its numbers.
    #[serde(flatten)]
    pub provenance: Provenance,
    /// What was asked for, settings and files.
    pub config: AlignConfig,
    /// Ids of the conventions (CONVENTIONS.md) that decide the numbers.
    pub conventions: Vec<&'static str>,
    /// SHA-256 of settings, plan, responses and features.
    pub fingerprint: String,
    /// The stimuli's numbers.
    pub stimuli: Vec<u64>,
    /// Target units and their numbers of voxels.
    pub units: Vec<(Unit, usize)>,
    /// All other subjects together, then every other source.
    pub sources: Vec<SourceSummary>,
    /// Reference spectra.
    pub references: ReferenceSummary,
    /// Over all entries of models: accuracy against ProfileMean.
    pub accuracy_and_profile: Correlations,
    /// Pretrained against untrained models of one architecture at nearly equal accuracy.
    pub matched: Vec<Matched>,
    /// The same at any accuracy, by the length of the prefix.
    pub sensitivity: Vec<Sensitivity>,
    /// Subspaces in place of the selected ones; none without controls.
    pub controls: Vec<ControlSummary>,
    /// References of balanced partitions beside the run's; none without that control.
    pub balanced: Option<BalancedSummary>,
    /// Direction-wise held-out prediction beside coverage; none without that control.
    pub directions: Vec<DirectionSummary>,
    /// Readouts from all features, the subspace and source components; none without that control.
    pub auxiliary: Vec<AuxiliarySummary>,
    /// Entries without a profile, and why.
    pub undefined: Vec<(String, Unit, String)>,
}

/// Aggregates of entries, with target-unit block bootstrap intervals.
pub(super) struct Summarising<'a> {
    pub(super) config: &'a AlignConfig,
    pub(super) study: &'a Study,
    pub(super) run: &'a AlignRun,
    pub(super) unit_scores: &'a [UnitScore],
    pub(super) controls: &'a [ControlScore],
}

impl Summarising<'_> {
    pub(super) fn record(&self) -> Result<AlignRecord, Error> {
        let undefined = self.unit_scores.iter().filter_map(|entry| {
            let reason = entry.recovered.as_ref().err()?;
            Some((entry.source.clone(), entry.unit.clone(), reason.to_string()))
        });
        let units = self.run.units.iter();
        Ok(AlignRecord {
            provenance: Provenance {
                inputs: self.run.inputs.clone(),
                ..Provenance::new(SCHEMA, "align", Some(self.settings().seed))
            },
            config: self.config.clone(),
            conventions: conventions(self.settings()),
            fingerprint: self.run.fingerprint.clone(),
            stimuli: self.study.stimuli.clone(),
            units: units
                .map(|unit| (unit.unit.clone(), unit.n_voxels))
                .collect(),
            sources: self.sources()?,
            references: self.references()?,
            accuracy_and_profile: self.correlations(),
            matched: self.matched()?,
            sensitivity: self.sensitivity()?,
            controls: self.control_summaries()?,
            balanced: self.balanced()?,
            directions: self.directions()?,
            auxiliary: self.auxiliary()?,
            undefined: undefined.collect(),
        })
    }

    fn settings(&self) -> &AlignSettings {
        &self.config.settings
    }

    fn options(&self) -> BootstrapOptions {
        self.settings().bootstrap()
    }

    /// The values of a quantity in the entries that are asked for, by target unit.
    fn estimate(
        &self,
        wanted: &dyn Fn(&UnitScore) -> bool,
        value: &dyn Fn(&UnitScore) -> Option<f64>,
    ) -> Result<UnitEstimate, Error> {
        let own = self.unit_scores.iter().filter(|entry| wanted(entry));
        self.by_unit(own.filter_map(|entry| Some((&entry.unit, value(entry)?))))
    }

    /// Values by target unit.
    fn by_unit<'b>(
        &self,
        values: impl Iterator<Item = (&'b Unit, f64)>,
    ) -> Result<UnitEstimate, Error> {
        let mut units: BTreeMap<&Unit, Vec<f64>> = BTreeMap::new();
        for (unit, value) in values {
            units.entry(unit).or_default().push(value);
        }
        // A unit without a value can be drawn too.
        let of_unit = |unit: &UnitResult| units.get(&unit.unit).cloned().unwrap_or_default();
        let units: Vec<Vec<f64>> = self.run.units.iter().map(of_unit).collect();
        Ok(UnitEstimate::new(&units, &self.options())?)
    }
}

/// The conventions that decide a run's numbers.
fn conventions(settings: &AlignSettings) -> Vec<&'static str> {
    let mut ids = CONVENTIONS.to_vec();
    let balanced = settings.balance != Balance::None || settings.makes(Control::BalancedPartitions);
    let subspaces = [
        Control::TargetPca,
        Control::RandomDirections,
        Control::FixedRank,
        Control::ResponsePermutation,
    ];
    for (id, applies) in [
        ("recovery-balance", balanced),
        (
            "recovery-controls",
            subspaces.iter().any(|&control| settings.makes(control)),
        ),
        (
            "recovery-directions",
            settings.makes(Control::DirectionPrediction),
        ),
        (
            "recovery-auxiliary",
            settings.makes(Control::AuxiliaryReadouts),
        ),
    ] {
        if applies {
            ids.push(id);
        }
    }
    ids
}

/// The conventions of every run.
const CONVENTIONS: [&str; 10] = [
    "recovery-zscore",
    "recovery-folds",
    "recovery-selection",
    "recovery-rank",
    "recovery-readout",
    "recovery-reference",
    "recovery-profile",
    "recovery-null",
    "recovery-source",
    "recovery-aggregates",
];
