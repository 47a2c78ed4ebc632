//! An alignment that is planned once, done by any number of processes, and finished by one.

use super::run::{Prepared, WHOLE, is_kept};
use super::{AlignConfig, Alignment, SimulatedSize, SourceFiles, Study, summarised};
use crate::execute::ShardDone;
use crate::{Error, Progress, Report, RunSettings, Shard};
use neurogauge_alignment::Unit;
use neurogauge_alignment::study::simulated;
use neurogauge_core::Seed;
use neurogauge_formats::json;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The file of the request, in the folder of a run that is done in shards.
const REQUEST_FILE: &str = "request.json";

/// The inputs of an alignment: files that a configuration names, or a simulation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AlignRequest {
    pub config: AlignConfig,
    /// Simulated responses and sources instead of files.
    pub simulated: Option<SimulatedSize>,
}

/// The content of `request.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Planned {
    command: String,
    pub(crate) request: AlignRequest,
    /// SHA-256 of everything that affects a number.
    fingerprint: String,
    /// The target units, in the order in which shards take them.
    units: Vec<Unit>,
}

impl AlignRequest {
    /// Aligns everything. Features made by models and every finished unit are kept in the run's folder, `settings.out`,
    /// to which the [`Report`](crate::Report) is also written. If `settings.overwrite` allows it, a finished run there
    /// is replaced as soon as all inputs of this one are read.
    ///
    /// # Errors
    /// Errors in the configuration, the files or their content, each with the subject and region if there is one.
    /// Finished units are kept and not computed again.
    pub fn run(&self, settings: &RunSettings, progress: &dyn Progress) -> Result<Alignment, Error> {
        let (study, config) = self.study(settings, progress)?;
        super::align_opened(&study, &config, settings, progress)
    }

    /// Runs the source models, makes all random draws, and writes `plan.json` and `request.json`, so that other
    /// processes can do the shards. Returns the number of target units.
    pub fn plan(&self, settings: &RunSettings, progress: &dyn Progress) -> Result<usize, Error> {
        let (study, config) = self.study(settings, progress)?;
        let prepared = Prepared::new(&study, &config, &settings.out)?;
        prepared.start(settings.overwrite)?;
        let units = study.units.iter();
        let planned = Planned {
            command: "align".to_owned(),
            request: self.clone(),
            fingerprint: prepared.fingerprint.clone(),
            units: units.map(|unit| unit.trials.unit().clone()).collect(),
        };
        json::write(&settings.out.join(REQUEST_FILE), &planned)?;
        Ok(planned.units.len())
    }

    pub(super) fn study(&self, settings: &RunSettings, progress: &dyn Progress) -> Result<(Study, AlignConfig), Error> {
        let refuse_other = |config: &AlignConfig| {
            Alignment::refuse_other_than(&serde_json::json!({ "config": config }), &settings.out)
        };
        self.study_with(2, refuse_other, settings, progress)
    }

    /// The study, whose subjects saw every stimulus `fewest` times or more (with 0 they may lack some), and the completed
    /// configuration. `refuse_other` fails if the folder has a finished result of another configuration.
    pub(super) fn study_with(
        &self,
        fewest: usize,
        refuse_other: impl FnOnce(&AlignConfig) -> Result<(), Error>,
        settings: &RunSettings,
        progress: &dyn Progress,
    ) -> Result<(Study, AlignConfig), Error> {
        if let Some(size) = self.simulated {
            let mut config = self.config.clone();
            config.settings.check()?;
            let (study, sources) = simulated(size, Seed(config.settings.seed))?;
            config.settings = config.directed_settings();
            let sources = sources.into_iter().map(|source| SourceFiles {
                name: source.name,
                architecture: source.architecture,
                state: source.state.unwrap_or_default(),
                seed: source.seed,
                ..SourceFiles::default()
            });
            config.sources.extend(sources);
            return Ok((config.directed(study)?, config));
        }
        let config = self.config.resolved()?;
        if !settings.overwrite {
            refuse_other(&config)?;
        }
        Ok((config.directed(config.study_with(fewest, settings, progress)?)?, config))
    }
}

impl Planned {
    pub(crate) fn read(folder: &Path) -> Result<Self, Error> {
        Ok(json::read(&folder.join(REQUEST_FILE))?)
    }
}

/// Does a shard of the alignment that was planned in the folder `settings.out`. A shard that is already done is
/// skipped.
///
/// # Errors
/// The folder has no plan; [`Error::PlanChanged`] if inputs have changed; errors of the units.
pub fn work(shard: Shard, settings: &RunSettings, progress: &dyn Progress) -> Result<ShardDone, Error> {
    let planned = Planned::read(&settings.out)?;
    let own = &planned.units[shard.items(planned.units.len())];
    let done = ShardDone {
        n_items: own.len(),
        ..ShardDone::default()
    };
    let is_done = |unit: &Unit| is_kept(&settings.out, &planned.fingerprint, unit);
    if own.iter().all(is_done) {
        return Ok(done);
    }
    let (study, config) = planned.request.study(settings, progress)?;
    let mut prepared = Prepared::new(&study, &config, &settings.out)?;
    Error::check_plan(&settings.out, &planned.fingerprint, &prepared.fingerprint)?;
    prepared.work(shard, progress)?;
    Ok(done)
}

/// The alignment that was planned in the folder `settings.out`. Computes units that are not done yet.
pub fn finish(settings: &RunSettings, progress: &dyn Progress) -> Result<Alignment, Error> {
    let planned = Planned::read(&settings.out)?;
    let (study, config) = planned.request.study(settings, progress)?;
    let mut prepared = Prepared::new(&study, &config, &settings.out)?;
    Error::check_plan(&settings.out, &planned.fingerprint, &prepared.fingerprint)?;
    prepared.start(false)?;
    prepared.work(WHOLE, progress)?;
    summarised(&study, &config, prepared.finished())
}
