//! `neurogauge align`: which reproducible response dimensions of a brain does a source recover?
//!
//! [`align`] reads what a configuration names, [`align_study`] takes responses and features that are in
//! memory. Both keep every finished target unit in the folder of the run.

mod arrays;
mod columns;
mod config;
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

use crate::figure_files::Figures;
use crate::results::{Report, ResultFiles};
use crate::{Error, Progress, RunSettings};
use neurogauge_core::Warning;
use neurogauge_formats::{FormatError, atomic_file};
use neurogauge_report::{Format, ResultTable, TextTable};
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

/// Aligns what the configuration names. What is seen and every finished unit is kept in the run's folder,
/// `settings.out`, which the [`Report`] is written to.
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
    Ok(Alignment {
        record,
        unit_scores,
        controls,
        run,
    })
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
}

impl Report for Alignment {
    const FILES: ResultFiles = ResultFiles {
        record: "align.json",
        tables: "align",
        formats: &[Format::Markdown],
    };
    type Record = AlignRecord;

    fn record(&self) -> &AlignRecord {
        &self.record
    }

    fn warnings(&self) -> &[Warning] {
        &[]
    }

    fn done(&self) -> String {
        let (n_sources, n_units) = (self.record.sources.len(), self.record.units.len());
        format!("{n_sources} sources aligned with {n_units} target units")
    }

    fn tables(&self, _: Format) -> Vec<ResultTable> {
        let tables = self.text_tables().into_iter();
        tables.map(ResultTable::from).collect()
    }

    fn figures(&self) -> Result<Figures, Error> {
        Ok(figures::figures(self))
    }

    fn has_figure(stem: &str, ending: &str) -> bool {
        figures::NAMES.contains(&stem) && matches!(ending, "svg" | "png")
    }

    fn write_data(&self, folder: &Path) -> Result<(), Error> {
        let settings = &self.record.config.settings;
        for (name, wanted, columns) in columns::TABLES {
            let path = folder.join(format!("{name}.parquet"));
            if wanted(settings) {
                columns::write(&path, name, columns(self))?;
            } else {
                remove(&path)?;
            }
        }
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
