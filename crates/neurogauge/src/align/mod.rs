//! `neurogauge align`: which reproducible response dimensions of a brain does a source recover?
//!
//! [`align`] reads what a configuration names, [`align_study`] takes responses and features that are in
//! memory. Both keep every finished target unit in the folder of the run.

mod arrays;
mod columns;
mod config;
mod control_columns;
mod control_draws;
mod control_scores;
mod controls;
mod figures;
mod nsd;
mod plan;
mod predefined;
mod run;
mod settings;
mod simulated;
mod sources;
mod study;
mod summary;
mod text_tables;
mod unit_controls;
mod unit_result;
mod unit_run;
mod unit_scores;

pub use config::{
    AlignConfig, NsdExperiment, NsdFiles, NsdSpace, SourceFiles, SourceState, TargetArrays,
};
pub use control_draws::ControlDraws;
pub use control_scores::ControlScore;
pub use controls::{Balance, Baseline, Control};
pub use plan::{PARTITION_SEED, Plan};
pub use predefined::PredefinedArrays;
pub use run::AlignRun;
pub use settings::AlignSettings;
pub use simulated::{SimulatedSize, simulated};
pub use study::{SourceFeatures, Study, TrialOrder, UnitTrials};
pub use summary::{
    AlignRecord, AuxiliarySummary, BalancedSummary, ControlSummary, Correlations, DirectionSummary,
    Matched, ReferenceSummary, Sensitivity, SourceSummary,
};
pub use unit_result::{
    ControlFit, ControlResult, FitResult, ReferenceResult, SourceResult, UnitResult,
};
pub use unit_scores::{MAIN_LENGTH, PROFILE_LENGTHS, Recovered, UnitScore};

use crate::{Error, Progress, RunSettings};
use neurogauge_formats::{FormatError, atomic_file};
use neurogauge_report::TextTable;
use std::path::Path;

/// A finished alignment.
#[derive(Debug)]
pub struct Alignment {
    /// Everything of every unit.
    pub run: AlignRun,
    /// One for each source and target unit.
    pub unit_scores: Vec<UnitScore>,
    /// One for each control and target unit, and source where it is of one; none without controls.
    pub controls: Vec<ControlScore>,
    /// The aggregates, as `align.json` keeps them.
    pub record: AlignRecord,
}

/// Aligns what the configuration names and writes the run's folder, `settings.out`.
///
/// # Errors
/// Configuration, files and what they hold, each named with the subject and region where there is one.
/// Finished units stay and are not computed again.
pub fn align(
    config: &AlignConfig,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<Alignment, Error> {
    config.settings.check()?;
    let sources = config.sources.iter().map(SourceFiles::completed);
    let config = AlignConfig {
        sources: sources.collect::<Result<_, Error>>()?,
        ..config.clone()
    };
    set_unfinished(&settings.out)?;
    let study = Study::read(&config, settings, progress)?;
    align_study(&study, &config, &settings.out, progress)
}

/// The same of responses and features in memory; the configuration gives settings, and state and architecture of
/// the sources.
///
/// # Errors
/// As [`align`].
pub fn align_study(
    study: &Study,
    config: &AlignConfig,
    folder: &Path,
    progress: &dyn Progress,
) -> Result<Alignment, Error> {
    config.settings.check()?;
    study.check_names()?;
    let plan = run::plan_for(config, study, &config.settings)?;
    let text = serde_json::to_vec(&plan).unwrap_or_default();
    set_unfinished(folder)?;
    atomic_file::write(&folder.join("plan.json"), &text)?;
    let run = run::run(study, &config.settings, plan, folder, progress)?;
    let unit_scores = unit_scores::unit_scores(&run, &config.settings)?;
    let controls = control_scores::control_scores(&run, &unit_scores, &config.settings)?;
    let summarising = summary::Summarising {
        config,
        study,
        run: &run,
        unit_scores: &unit_scores,
        controls: &controls,
    };
    let record = summarising.record()?;
    let alignment = Alignment {
        record,
        unit_scores,
        controls,
        run,
    };
    alignment.write(study, folder)?;
    Ok(alignment)
}

/// Marks a folder as that of a run that is not finished.
fn set_unfinished(folder: &Path) -> Result<(), FormatError> {
    remove(&folder.join("align.json"))
}

impl Alignment {
    /// The tables made for reading.
    pub fn text_tables(&self) -> Vec<TextTable> {
        text_tables::text_tables(&self.record)
    }

    /// The tables for a terminal of `width` columns.
    pub fn text(&self, width: Option<usize>) -> String {
        let tables = self.text_tables();
        let tables: Vec<String> = tables.iter().map(|table| table.text(width)).collect();
        tables.join("\n")
    }

    /// The tables as Markdown.
    pub fn markdown(&self) -> String {
        let tables = self.text_tables();
        let tables: Vec<String> = tables.iter().map(TextTable::markdown).collect();
        tables.join("\n")
    }

    /// The content of `align.json`.
    pub fn json(&self) -> String {
        let mut text = serde_json::to_string_pretty(&self.record).unwrap_or_default();
        text.push('\n');
        text
    }

    fn write(&self, study: &Study, folder: &Path) -> Result<(), Error> {
        columns::profiles(&folder.join("profiles.parquet"), &self.run)?;
        columns::references(&folder.join("references.parquet"), &self.run)?;
        columns::selections(&folder.join("fits.parquet"), &self.run)?;
        columns::block_use(&folder.join("block_use.parquet"), &self.run, study)?;
        let settings = &self.record.config.settings;
        let tables = [
            ("controls", settings.makes_subspaces()),
            ("directions", settings.makes(Control::DirectionPrediction)),
            ("auxiliary", settings.makes(Control::AuxiliaryReadouts)),
        ];
        for (name, wanted) in tables {
            let path = folder.join(format!("{name}.parquet"));
            match name {
                _ if !wanted => remove(&path)?,
                "controls" => control_columns::controls(&path, &self.run, settings)?,
                "directions" => control_columns::directions(&path, &self.run)?,
                _ => control_columns::auxiliary(&path, &self.run)?,
            }
        }
        atomic_file::write(&folder.join("align.md"), self.markdown().as_bytes())?;
        // Last, so that it is there only if the others are.
        atomic_file::write(&folder.join("align.json"), self.json().as_bytes())?;
        Ok(())
    }
}

/// Removes a file of an earlier run, if there is one.
fn remove(path: &Path) -> Result<(), FormatError> {
    match std::fs::remove_file(path) {
        Err(source) if source.kind() != std::io::ErrorKind::NotFound => Err(FormatError::Io {
            path: path.to_owned(),
            action: "removing",
            source,
        }),
        _ => Ok(()),
    }
}
