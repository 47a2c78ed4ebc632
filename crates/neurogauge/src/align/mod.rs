//! `neurogauge align`: which reproducible response dimensions of a brain does a source recover?
//!
//! [`align`] reads what a configuration names, [`align_study`] takes responses and features that are in
//! memory. Both keep every finished target unit in the folder of the run.

mod arrays;
mod columns;
mod config;
mod entries;
mod figures;
mod nsd;
mod plan;
mod run;
mod settings;
mod sheets;
mod simulated;
mod sources;
mod study;
mod summary;
mod unit_run;

pub use config::{
    AlignConfig, NsdExperiment, NsdFiles, NsdSpace, SourceFiles, SourceState, TargetArrays,
};
pub use entries::{Entry, MAIN_LENGTH, PROFILE_LENGTHS, Recovered};
pub use plan::Plan;
pub use run::AlignRun;
pub use settings::AlignSettings;
pub use simulated::{SimulatedSize, simulated};
pub use study::{SourceFeatures, Study, TrialOrder, UnitTrials};
pub use summary::{AlignRecord, Correlations, Matched, ReferenceSummary, SourceSummary};
pub use unit_run::{FitResult, ReferenceResult, SourceResult, UnitResult};

use crate::{Error, Progress, RunSettings};
use neurogauge_formats::{FormatError, atomic_file};
use neurogauge_report::Sheet;
use std::path::Path;

/// A finished alignment.
#[derive(Debug)]
pub struct Alignment {
    /// Everything of every unit.
    pub run: AlignRun,
    /// One for each source and target unit.
    pub entries: Vec<Entry>,
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
    let entries = entries::entries(&run, &config.settings)?;
    let summarising = summary::Summarising {
        config,
        run: &run,
        entries: &entries,
    };
    let record = summarising.record(&study.stimuli)?;
    let alignment = Alignment {
        record,
        entries,
        run,
    };
    alignment.write(study, folder)?;
    Ok(alignment)
}

/// Marks a folder as that of a run that is not finished.
fn set_unfinished(folder: &Path) -> Result<(), FormatError> {
    let path = folder.join("align.json");
    match std::fs::remove_file(&path) {
        Err(source) if source.kind() != std::io::ErrorKind::NotFound => Err(FormatError::Io {
            path,
            action: "removing",
            source,
        }),
        _ => Ok(()),
    }
}

impl Alignment {
    /// The tables made for reading.
    pub fn sheets(&self) -> Vec<Sheet> {
        sheets::sheets(&self.record)
    }

    /// The tables for a terminal of `width` columns.
    pub fn text(&self, width: Option<usize>) -> String {
        let sheets = self.sheets();
        let sheets: Vec<String> = sheets.iter().map(|sheet| sheet.text(width)).collect();
        sheets.join("\n")
    }

    /// The tables as Markdown.
    pub fn markdown(&self) -> String {
        let sheets = self.sheets();
        let sheets: Vec<String> = sheets.iter().map(Sheet::markdown).collect();
        sheets.join("\n")
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
        atomic_file::write(&folder.join("align.md"), self.markdown().as_bytes())?;
        // Last, so that it is there only if the others are.
        atomic_file::write(&folder.join("align.json"), self.json().as_bytes())?;
        Ok(())
    }
}
