//! A finished alignment: its target units, and one entry for each source and unit.

use crate::preset::PAIRED_SEED;
use itertools::Itertools;
use neurogauge::Error;
use neurogauge::align::{AlignConfig, AlignSettings, Alignment, SourceFiles, SourceState, UnitResult, UnitScore};
use neurogauge::alignment::study::unit_scores;
use neurogauge::alignment::{Unit, UnitEntry, UnitEstimate, UnitIntervals};
use neurogauge::formats::content_hash::{self, Hashes};
use neurogauge::formats::json;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;

/// The record of a finished alignment.
pub(crate) const RECORD: &str = "align.json";

/// The kind of an entry's source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Kind {
    Subject,
    Pretrained,
    Untrained,
}

impl Kind {
    pub(crate) const ALL: [Kind; 3] = [Kind::Subject, Kind::Pretrained, Kind::Untrained];
    pub(crate) const MODELS: [Kind; 2] = [Kind::Pretrained, Kind::Untrained];

    /// The name of all sources of the kind in tables and figures.
    pub(crate) fn label(self) -> &'static str {
        match self {
            Kind::Subject => "other subjects",
            Kind::Pretrained => "pretrained",
            Kind::Untrained => "untrained",
        }
    }
}

/// A finished alignment.
#[derive(Debug, Clone)]
pub(crate) struct Aligned {
    pub(crate) config: AlignConfig,
    pub(crate) units: Vec<UnitResult>,
    /// One score for each source and target unit.
    pub(crate) entries: Vec<UnitScore>,
}

/// The part of `align.json` that is read back.
#[derive(Deserialize)]
struct AlignmentRecord {
    config: AlignConfig,
    fingerprint: String,
    units: Vec<(Unit, usize)>,
    outputs: Hashes,
}

impl Aligned {
    /// The part of an alignment in memory.
    pub(crate) fn of(alignment: &Alignment) -> Aligned {
        Aligned {
            config: alignment.record.config.clone(),
            units: alignment.run.units.clone(),
            entries: alignment.unit_scores.clone(),
        }
    }

    /// Reads the folder of a run.
    ///
    /// # Errors
    /// The folder has no finished alignment, or lacks the results of one of its target units.
    pub(crate) fn read(folder: &Path) -> Result<Aligned, Error> {
        let record: AlignmentRecord = json::read(&folder.join(RECORD))?;
        let results = folder.join("units").join(record.fingerprint.get(..16).unwrap_or(&record.fingerprint));
        let mut found: BTreeMap<Unit, UnitResult> = BTreeMap::new();
        for name in record.outputs.keys() {
            let file = content_hash::verified(folder, &record.outputs, name)?;
            if file.starts_with(&results) && file.exists() {
                let unit: UnitResult = json::read(&file)?;
                found.insert(unit.unit.clone(), unit);
            }
        }
        let units = record.units.iter().map(|(unit, _)| {
            found.remove(unit).ok_or_else(|| {
                Error::Usage(format!(
                    "{}: the results of {unit} are not there; run the alignment again, which makes what is missing",
                    results.display()
                ))
            })
        });
        let units: Vec<UnitResult> = units.collect::<Result<_, Error>>()?;
        Ok(Aligned {
            entries: unit_scores(&units, &record.config.settings)?,
            config: record.config,
            units,
        })
    }

    /// The alignment with only some of its models, and with other subjects.
    pub(crate) fn of_sources(&self, wanted: impl Fn(&SourceFiles) -> bool) -> Aligned {
        let mut own = self.clone();
        own.config.sources.retain(wanted);
        let names: Vec<&String> = own.config.sources.iter().map(|own| &own.name).collect();
        let is_own = |donor: bool, name: &String| donor || names.contains(&name);
        own.entries.retain(|entry| is_own(entry.donor, &entry.source));
        for unit in &mut own.units {
            unit.sources.retain(|source| is_own(source.donor, &source.source));
        }
        own
    }

    pub(crate) fn settings(&self) -> &AlignSettings {
        &self.config.settings
    }

    /// The model of an entry; `None` for another subject.
    pub(crate) fn model_of(&self, entry: &UnitScore) -> Option<&SourceFiles> {
        self.model((&entry.source, entry.donor))
    }

    /// The model of this name; `None` for another subject.
    fn model(&self, (name, donor): (&str, bool)) -> Option<&SourceFiles> {
        self.config.sources.iter().find(|model| !donor && model.name == name)
    }

    pub(crate) fn kind_of(&self, entry: &UnitScore) -> Kind {
        self.kind((&entry.source, entry.donor))
    }

    /// The kind of a source, a donor or not.
    pub(crate) fn kind(&self, source: (&str, bool)) -> Kind {
        match self.model(source).map(|model| model.state) {
            None => Kind::Subject,
            Some(SourceState::Pretrained) => Kind::Pretrained,
            Some(SourceState::Random) => Kind::Untrained,
        }
    }

    pub(crate) fn of_models(&self) -> impl Iterator<Item = &UnitScore> {
        self.entries.iter().filter(|entry| !entry.donor)
    }

    pub(crate) fn of_model<'a>(&'a self, model: &'a SourceFiles) -> impl Iterator<Item = &'a UnitScore> {
        self.of_models().filter(|entry| entry.source == model.name)
    }

    pub(crate) fn of_kind(&self, kind: Kind) -> impl Iterator<Item = &UnitScore> {
        self.entries.iter().filter(move |entry| self.kind_of(entry) == kind)
    }

    pub(crate) fn has_brains(&self) -> bool {
        self.entries.iter().any(|entry| entry.donor)
    }

    /// BrainRefScore of an entry; ProfileMean without other subjects.
    pub(crate) fn score(&self, entry: &UnitScore) -> Option<f64> {
        match self.has_brains() {
            true => entry.brain_ref_score(),
            false => entry.profile_mean(),
        }
    }

    /// Regions, in the order of the units.
    pub(crate) fn regions(&self) -> Vec<&str> {
        self.units.iter().map(|unit| unit.unit.roi.as_str()).unique().collect()
    }

    /// Does an untrained model count in cases and pairs? The paper uses one seed of each architecture (and layer): 42,
    /// or the first if no model has that seed.
    pub(crate) fn is_paired_seed(&self, model: &SourceFiles) -> bool {
        let is_sibling = |other: &&SourceFiles| other.state == SourceState::Random && are_alike(other, model);
        let siblings = || self.config.sources.iter().filter(is_sibling);
        let chosen = siblings().find(|other| other.seed == Some(PAIRED_SEED)).or_else(|| siblings().next());
        model.state == SourceState::Pretrained || chosen.is_some_and(|one| one.name == model.name)
    }

    /// How intervals of means over its target units are computed.
    pub(crate) fn intervals(&self) -> UnitIntervals<'_> {
        self.settings().intervals(self.units.iter().map(|unit| &unit.unit))
    }

    /// The mean of these entries with its interval.
    ///
    /// # Errors
    /// Options of the bootstrap are out of range.
    pub(crate) fn estimate<'a>(&'a self, entries: impl Iterator<Item = UnitEntry<'a>>) -> Result<UnitEstimate, Error> {
        Ok(self.intervals().estimate(entries)?)
    }

    /// The mean of a quantity of these entries with its interval.
    ///
    /// # Errors
    /// Options of the bootstrap are out of range.
    pub(crate) fn mean_of<'a>(
        &'a self,
        entries: impl Iterator<Item = &'a UnitScore>,
        of: impl Fn(&UnitScore) -> Option<f64>,
    ) -> Result<UnitEstimate, Error> {
        self.estimate(entries.filter_map(|entry| Some(entry.entry(of(entry)?))))
    }
}

/// Do both have the same architecture, and the same layer of it?
pub(crate) fn are_alike(one: &SourceFiles, other: &SourceFiles) -> bool {
    one.architecture == other.architecture && one.layer() == other.layer()
}
