//! `align.json`: the request and the results.

use super::{AlignConfig, StudySummary};
use crate::results::Provenance;
use neurogauge_alignment::{Unit, UnitIntervals};
use neurogauge_core::{Finding, StimulusId};
use serde::Serialize;

/// Increased when the layout of `align.json` changes.
pub(super) const SCHEMA: u32 = 2;

/// The content of `align.json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AlignRecord {
    /// The program, and the responses and features that it aligned, each with the hash of its numbers.
    #[serde(flatten)]
    pub provenance: Provenance,
    pub config: AlignConfig,
    /// Ids of the conventions (`docs/pages/conventions`) that affect the numbers.
    pub conventions: Vec<&'static str>,
    /// SHA-256 of settings, plan, responses and features.
    pub fingerprint: String,
    pub stimuli: Vec<StimulusId>,
    /// Target units and their numbers of voxels.
    pub units: Vec<(Unit, usize)>,
    /// Assumptions made about the files.
    pub findings: Vec<Finding>,
    #[serde(flatten)]
    pub summary: StudySummary,
}

/// Ends the name of a source that is a placeholder model, in all tables, figures and files.
pub(super) const DAGGER: char = '†';

impl AlignConfig {
    /// A warning for each source that is a placeholder.
    pub(super) fn stand_ins(&self) -> Vec<Finding> {
        let names = self.sources.iter().map(|source| &source.name);
        let marked = names.filter(|name| name.contains(DAGGER));
        let message = |name| format!("{name:?} is a placeholder: its numbers mean nothing");
        marked.map(|name| Finding::warning("stand_in", "sources", message(name))).collect()
    }
}

impl AlignRecord {
    /// The meaning of the dagger, if a source has one.
    pub(super) fn dagger_note(&self) -> Option<&'static str> {
        let is_marked = !self.config.stand_ins().is_empty();
        is_marked.then_some("† rests on a placeholder model, and its numbers mean nothing")
    }

    /// How the intervals of the means are computed.
    pub fn intervals(&self) -> UnitIntervals<'_> {
        let units = self.units.iter().map(|(unit, _)| unit);
        self.config.settings.intervals(units)
    }
}
