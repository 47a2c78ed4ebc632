//! `align.json`: the request and the results.

use super::{AlignConfig, StudySummary};
use crate::results::Provenance;
use neurogauge_alignment::{Unit, UnitIntervals};
use neurogauge_core::StimulusId;
use serde::Serialize;

/// Raised when the layout of `align.json` changes.
pub(super) const SCHEMA: u32 = 2;

/// The content of `align.json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AlignRecord {
    /// The program, and the responses and features that it aligned, each with the hash of its numbers.
    #[serde(flatten)]
    pub provenance: Provenance,
    /// The request: settings and files.
    pub config: AlignConfig,
    /// Ids of the conventions (`docs/pages/conventions`) that decide the numbers.
    pub conventions: Vec<&'static str>,
    /// SHA-256 of settings, plan, responses and features.
    pub fingerprint: String,
    /// The stimuli, by number or by name.
    pub stimuli: Vec<StimulusId>,
    /// Target units and their numbers of voxels.
    pub units: Vec<(Unit, usize)>,
    /// The aggregates.
    #[serde(flatten)]
    pub summary: StudySummary,
}

impl AlignRecord {
    /// How the intervals of its means are computed.
    pub fn intervals(&self) -> UnitIntervals<'_> {
        let units = self.units.iter().map(|(unit, _)| unit);
        self.config.settings.intervals(units)
    }
}
