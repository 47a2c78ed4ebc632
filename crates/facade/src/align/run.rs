//! The whole run: unit after unit, each written to disk as soon as it is finished.

use super::{AlignConfig, AlignSettings, Alignment, SourceFeatures, Study, StudyPlan, UnitResult, UnitTrials};
use crate::{Error, InputRecord, Progress, Report, Shard};
use neurogauge_alignment::study::{ReadySource, align_unit};
use neurogauge_alignment::{Matrix, Unit};
use neurogauge_core::parallel;
use neurogauge_formats::{IoResult, Problem, atomic_file, content_hash, json};
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// Increased when the content of the units' files changes.
const UNIT_SCHEMA: u32 = 4;

/// A single shard with all target units.
pub(super) const WHOLE: Shard = Shard {
    index: 0,
    of: NonZeroUsize::MIN,
};

#[derive(Debug, Clone, PartialEq)]
pub struct AlignRun {
    /// Every random draw of the run, in order.
    pub plan: StudyPlan,
    /// One result for each target unit, in the order of the study.
    pub units: Vec<UnitResult>,
    /// Names of the blocks of features of each source.
    pub blocks: BTreeMap<String, Vec<String>>,
    /// The aligned numbers, with their hashes.
    pub inputs: Vec<InputRecord>,
    /// SHA-256 of everything that affects a number.
    pub fingerprint: String,
    /// The file of each unit, relative to the folder of the run.
    pub files: Vec<String>,
}

/// A study with all its random draws, to be aligned unit by unit.
///
/// Results of units go to `folder/units/<fingerprint>/`, one file each. Existing files are read back, so an
/// interrupted run continues and gives the same bits.
pub(super) struct Prepared<'a> {
    study: &'a Study,
    settings: &'a AlignSettings,
    plan: StudyPlan,
    inputs: Vec<InputRecord>,
    pub(super) fingerprint: String,
    folder: PathBuf,
    found: BTreeMap<Unit, UnitResult>,
}

impl<'a> Prepared<'a> {
    /// Draws the plan, or reads the one that the configuration names, and reads the finished units.
    pub(super) fn new(study: &'a Study, config: &'a AlignConfig, folder: &Path) -> Result<Self, Error> {
        let settings = &config.settings;
        settings.check()?;
        study.check_names()?;
        let plan = plan_for(config, study, settings)?;
        let inputs = inputs(study);
        let fingerprint = fingerprint(study, settings, &plan, &inputs);
        let mut found = BTreeMap::new();
        // A finished run has hashes, an interrupted one does not. Units with changed files are computed again.
        let record = folder.join(Alignment::FILES.record);
        let recorded = content_hash::recorded(&record).unwrap_or_default();
        for unit in &study.units {
            let unit = unit.trials.unit();
            let name = file_of(&fingerprint, unit);
            let Ok(path) = content_hash::verified(folder, &recorded, &name) else {
                continue;
            };
            if let Some(result) = read(&path)? {
                found.insert(unit.clone(), result);
            }
        }
        Ok(Prepared {
            study,
            settings,
            plan,
            inputs,
            fingerprint,
            folder: folder.to_owned(),
            found,
        })
    }

    /// Marks the folder as an unfinished run, and writes the plan.
    pub(super) fn start(&self, overwrite: bool) -> Result<(), Error> {
        if !overwrite {
            let known = serde_json::json!({ "fingerprint": self.fingerprint });
            Alignment::refuse_other_than(&known, &self.folder)?;
        }
        Alignment::set_unfinished(&self.folder)?;
        let text = serde_json::to_vec(&self.plan).unwrap_or_default();
        Ok(atomic_file::write(&self.folder.join("plan.json"), &text)?)
    }

    /// Aligns every source with the unfinished target units of a shard.
    pub(super) fn work(&mut self, shard: Shard, progress: &dyn Progress) -> Result<(), Error> {
        let units = self.study.units.iter();
        let names: Vec<&Unit> = units.map(|unit| unit.trials.unit()).collect();
        let own = &names[shard.items(names.len())];
        let missing: BTreeSet<&Unit> = own.iter().copied().filter(|unit| !self.found.contains_key(unit)).collect();
        let n_done = (own.len() - missing.len()) as u64;
        progress.start("aligning", own.len() as u64, n_done);
        if !missing.is_empty() {
            let models = ReadySource::models(self.study, &self.plan)?;
            for group in self.study.groups() {
                let todo = group.iter().copied().filter(|unit| missing.contains(unit.trials.unit()));
                let todo: Vec<&UnitTrials> = todo.collect();
                if todo.is_empty() {
                    continue;
                }
                let donors = ReadySource::donors(&group, &self.plan, self.settings)?;
                // Units run one at a time, each on all threads: in parallel, an unpredictable number of units would be
                // in memory.
                for unit in todo {
                    let name = unit.trials.unit();
                    let result = align_unit(unit, (&donors, &models), &self.plan, self.settings)?;
                    write(&self.folder.join(file_of(&self.fingerprint, name)), &result)?;
                    self.found.insert(name.clone(), result);
                    progress.advance(1);
                }
            }
        }
        progress.finish();
        Ok(())
    }

    pub(super) fn finished(mut self) -> AlignRun {
        let units = self.study.units.iter().map(|unit| unit.trials.unit());
        AlignRun {
            files: units.clone().map(|unit| file_of(&self.fingerprint, unit)).collect(),
            units: units.filter_map(|unit| self.found.remove(unit)).collect(),
            blocks: self.study.sources.iter().map(blocks_of).collect(),
            inputs: self.inputs,
            plan: self.plan,
            fingerprint: self.fingerprint,
        }
    }
}

/// Does the folder have the result of this unit?
pub(super) fn is_kept(folder: &Path, fingerprint: &str, unit: &Unit) -> bool {
    folder.join(file_of(fingerprint, unit)).exists()
}

/// A name as a part of a file's name.
pub(super) fn file_part(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let written = |c: char| {
        if plain(c) {
            c.to_string()
        } else {
            format!("%{:x}", c as u32)
        }
    };
    name.chars().map(written).collect()
}

/// The file of a unit, relative to the folder of the run.
fn file_of(fingerprint: &str, unit: &Unit) -> String {
    let [subject, hemisphere, roi] = [&unit.subject, &unit.hemisphere, &unit.roi].map(|name| file_part(name));
    let fingerprint = &fingerprint[..16.min(fingerprint.len())];
    format!("units/{fingerprint}/{subject}.{hemisphere}.{roi}.json")
}

/// A unit's result from an earlier run; one that cannot be read is computed again.
fn read(path: &Path) -> Result<Option<UnitResult>, Error> {
    match std::fs::read(path) {
        Ok(bytes) => Ok(serde_json::from_slice(&bytes).ok()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(Problem::Io("reading", source).at(path).into()),
    }
}

fn write(path: &Path, result: &UnitResult) -> Result<(), Error> {
    let mut text = serde_json::to_vec(result).unwrap_or_default();
    text.push(b'\n');
    Ok(atomic_file::write(path, &text)?)
}

/// The names of a source and of its blocks of features.
fn blocks_of(source: &SourceFeatures) -> (String, Vec<String>) {
    let names = source.blocks.iter().map(|(name, _)| name.clone());
    (source.name.clone(), names.collect())
}

/// SHA-256 of everything that affects a number: the numbers themselves, whatever files they come from.
fn fingerprint(study: &Study, settings: &AlignSettings, plan: &StudyPlan, inputs: &[InputRecord]) -> String {
    let (units, sources) = inputs.split_at(study.units.len());
    let units = study.units.iter().zip(units);
    let units = units.map(|(unit, own)| (unit.trials.unit().to_string(), &unit.order.stimuli, &own.sha256));
    let sources = study.sources.iter().zip(sources).map(|(source, own)| (&source.name, &source.blocks, &own.sha256));
    let (units, sources): (Vec<_>, Vec<_>) = (units.collect(), sources.collect());
    let all = (UNIT_SCHEMA, env!("CARGO_PKG_VERSION"), settings, plan, units, sources);
    content_hash::of_bytes(&serde_json::to_vec(&all).unwrap_or_default())
}

/// The responses of each unit, then the features of each source, with the hashes of their numbers.
pub(super) fn inputs(study: &Study) -> Vec<InputRecord> {
    let record = |role: String, matrix: &Matrix| InputRecord {
        role,
        path: String::new(),
        form: "matrix".to_owned(),
        decoder: None,
        sha256: hash_of(matrix),
        items: Vec::new(),
    };
    let units = parallel::map_each(&study.units, |unit| {
        record(format!("responses/{}", unit.trials.unit()), unit.trials.responses())
    });
    let sources = study.sources.iter().map(|source| record(format!("features/{}", source.name), &source.features));
    units.into_iter().chain(sources).collect()
}

fn hash_of(matrix: &Matrix) -> String {
    let columns = (0..matrix.n_columns()).flat_map(|column| matrix.column(column));
    let bytes: Vec<u8> = columns.flat_map(|value| value.to_le_bytes()).collect();
    content_hash::of_bytes(&bytes)
}

/// The plan that the configuration names, or a newly drawn one.
pub(super) fn plan_for(config: &AlignConfig, study: &Study, settings: &AlignSettings) -> Result<StudyPlan, Error> {
    let Some(path) = &config.plan else {
        return config.predefined.plan(study, settings);
    };
    let bytes = neurogauge_formats::regular_file::read(path).when("reading", path)?;
    let mut plan: StudyPlan = json::parse(path, &bytes, "the plan of an alignment (plan.json)")?;
    plan.check(study, settings).map_err(|(place, reason)| {
        let path = path.clone();
        Problem::invalid(place, reason).at(path)
    })?;
    plan.complete(study, settings)?;
    Ok(plan)
}
