//! A finished alignment: its target units, and one entry for each source and unit.

use crate::preset::PAIRED_SEED;
use itertools::Itertools;
use neurogauge::Error;
use neurogauge::align::{AlignConfig, Alignment, SourceFiles, SourceState, UnitResult, UnitScore};
use neurogauge::alignment::study::unit_scores;
use neurogauge::alignment::{Unit, UnitEntry, UnitEstimate, UnitIntervals};
use neurogauge::formats::content_hash::{self, Hashes};
use neurogauge::formats::json;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::path::Path;

/// The record of a finished alignment.
pub(crate) const RECORD: &str = "align.json";

/// The kind of an entry's source, by the names that tables and figures have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    #[serde(rename = "other subjects")]
    Subject,
    Pretrained,
    Untrained,
}

impl Kind {
    pub(crate) const ALL: [Kind; 3] = [Kind::Subject, Kind::Pretrained, Kind::Untrained];
}

/// A quantity of an entry.
type Of = fn(&UnitScore) -> Option<f64>;

/// Quantities by their fields in records, with their names in comparisons.
pub(crate) const QUANTITIES: [(&str, &str, Of); 8] = [
    ("accuracy", "accuracy", |entry| Some(entry.accuracy)),
    ("profile_mean", "ProfileMean", UnitScore::profile_mean),
    ("above_chance", "above chance", |entry| entry.recovered()?.main_null()?.corrected),
    ("brain_ref_score", "BrainRefScore", UnitScore::brain_ref_score),
    ("noise_corrected", "noise-corrected BrainRefScore", |entry| entry.recovered()?.noise_corrected),
    ("shape_distance", "ShapeDist", UnitScore::shape_distance),
    ("selected_rank", "rank", |entry| Some(entry.selected_rank)),
    ("effective_rank", "effective rank", |entry| entry.effective_rank),
];

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
    pub(crate) fn of(alignment: &Alignment) -> Aligned {
        Aligned {
            config: alignment.record.config.clone(),
            units: alignment.run.units.clone(),
            entries: alignment.unit_scores.clone(),
        }
    }

    /// Reads the folder of a run, which has the results of all of its target units.
    pub(crate) fn read(folder: &Path) -> Result<Aligned, Error> {
        let record: AlignmentRecord = json::read(&folder.join(RECORD))?;
        let results = folder.join("units").join(record.fingerprint.get(..16).unwrap_or(&record.fingerprint));
        let files = record.outputs.keys().map(|name| content_hash::verified(folder, &record.outputs, name));
        let files = files.filter_ok(|file| file.starts_with(&results) && file.exists());
        let found = files.map(|file| Ok(json::read(&file?)?)).collect::<Result<Vec<UnitResult>, Error>>()?;
        let units = record.units.iter().map(|(unit, _)| {
            found.iter().find(|own| own.unit == *unit).cloned().ok_or_else(|| {
                Error::Usage(format!(
                    "{}: the results of {unit} are not there; run the alignment again, which makes what is missing",
                    results.display()
                ))
            })
        });
        let units = units.collect::<Result<Vec<_>, Error>>()?;
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
        let is_own = |name: &str, donor: bool| donor || own.config.sources.iter().any(|own| own.name == name);
        own.entries.retain(|entry| is_own(&entry.source, entry.donor));
        for unit in &mut own.units {
            unit.sources.retain(|source| is_own(&source.source, source.donor));
        }
        own
    }

    /// The model of this name; `None` for another subject.
    pub(crate) fn model(&self, name: &str, donor: bool) -> Option<&SourceFiles> {
        self.config.sources.iter().find(|model| !donor && model.name == name)
    }

    pub(crate) fn model_of(&self, entry: &UnitScore) -> Option<&SourceFiles> {
        self.model(&entry.source, entry.donor)
    }

    /// The kind of a source, another subject or not.
    pub(crate) fn kind(&self, source: &str, donor: bool) -> Kind {
        match self.model(source, donor).map(|model| model.state) {
            None => Kind::Subject,
            Some(SourceState::Pretrained) => Kind::Pretrained,
            Some(SourceState::Random) => Kind::Untrained,
        }
    }

    pub(crate) fn kind_of(&self, entry: &UnitScore) -> Kind {
        self.kind(&entry.source, entry.donor)
    }

    pub(crate) fn of_models(&self) -> impl Iterator<Item = &UnitScore> {
        self.entries.iter().filter(|entry| !entry.donor)
    }

    pub(crate) fn of_model<'a>(&'a self, model: &'a SourceFiles) -> impl Iterator<Item = &'a UnitScore> {
        self.of_models().filter(|entry| entry.source == model.name)
    }

    pub(crate) fn has_brains(&self) -> bool {
        self.entries.iter().any(|entry| entry.donor)
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
        self.config.settings.intervals(self.units.iter().map(|unit| &unit.unit))
    }

    /// The mean of these entries with its interval.
    pub(crate) fn estimate<'a>(&'a self, entries: impl Iterator<Item = UnitEntry<'a>>) -> Result<UnitEstimate, Error> {
        Ok(self.intervals().estimate(entries)?)
    }

    /// A row with the means of all quantities of these entries.
    pub(crate) fn with_means(&self, row: Value, entries: &[&UnitScore]) -> Result<Value, Error> {
        self.with(row, |of| self.estimate(entries.iter().filter_map(|entry| Some(entry.entry(of(entry)?)))))
    }

    /// A row with all quantities, and as its `score` BrainRefScore, or ProfileMean without other subjects.
    pub(crate) fn with<T: Serialize>(
        &self,
        mut row: Value,
        quantity: impl Fn(Of) -> Result<T, Error>,
    ) -> Result<Value, Error> {
        for (field, _, of) in QUANTITIES {
            row[field] = json!(quantity(of)?);
        }
        let score = ["profile_mean", "brain_ref_score"][usize::from(self.has_brains())];
        row["score"] = row[score].clone();
        Ok(row)
    }
}

/// Do both have the same architecture, and the same layer of it?
pub(crate) fn are_alike(one: &SourceFiles, other: &SourceFiles) -> bool {
    one.architecture == other.architecture && one.layer() == other.layer()
}
