//! `neurogauge align`: which reproducible response dimensions of a brain does a source recover?
//!
//! [`align`] reads the files that a configuration names; [`align_study`] takes responses and features from memory. Both
//! keep every finished target unit in the folder of the run.

mod analysis;
mod analysis_tables;
mod columns;
mod config;
mod encoding;
mod figures;
mod headline;
mod memory;
mod nsd;
mod predefined;
mod read_study;
mod record;
mod request;
mod rsa;
mod run;
mod sources;
mod targets;
mod text_tables;
mod voxels;

pub use analysis::{AnalysedRegion, AnalysisRecord, AnalysisRequest, Kept, OfRegion, SourceAnalysis};
pub use config::{AlignConfig, SourceFiles};
pub use encoding::EncodingSettings;
pub use memory::AlignSize;
pub use neurogauge_alignment::study::{
    AlignSettings, AuxiliarySummary, Balance, BalancedSummary, Baseline, ContributionSummary, Control, ControlDraws,
    ControlFit, ControlResult, ControlScore, ControlSummary, Correlations, DirectionShares, DirectionSummary,
    FitResult, HumanReference, MAIN_LENGTH, Matched, PARTITION_SEED, PROFILE_LENGTHS, Recovered, ReferenceResult,
    ReferenceSummary, Sensitivity, SimulatedSize, SourceDescription, SourceFeatures, SourceResult, SourceState,
    SourceSummary, Study, StudyPlan, StudySummary, TrialOrder, UndeterminedPenalties, UnitResult, UnitScore,
    UnitTrials,
};
pub use neurogauge_alignment::{NullP, UnitInterval};
pub use neurogauge_formats::nsd::{NsdExperiment, NsdFiles, NsdSpace};
pub use neurogauge_formats::target_files::{NonFinite, TargetArrays, TargetFiles};
pub use predefined::PredefinedArrays;
pub use record::AlignRecord;
pub(crate) use request::Planned;
pub use request::{AlignRequest, finish, work};
pub use rsa::RsaSettings;
pub use run::AlignRun;
pub use voxels::{UnitVoxels, VoxelCounts, VoxelMap};

use crate::figure_files::{self, Figures};
use crate::results::{Provenance, Report, ResultFiles, keep};
use crate::{Error, Progress, RunSettings};
use neurogauge_alignment::study::{Summarising, control_scores, unit_scores};
use neurogauge_core::{Finding, counted};
use neurogauge_formats::columns_parquet;
use neurogauge_report::{Format, Table};
use std::path::Path;

/// A finished alignment.
#[derive(Debug)]
pub struct Alignment {
    pub run: AlignRun,
    /// One score for each source and target unit.
    pub unit_scores: Vec<UnitScore>,
    /// One score for each control and target unit, and for each source if the control has one; empty without controls.
    pub controls: Vec<ControlScore>,
    /// The aggregates, as `align.json` keeps them.
    pub record: AlignRecord,
}

/// Aligns the files that the configuration names ([`AlignRequest::run`]).
pub fn align(config: &AlignConfig, settings: &RunSettings, progress: &dyn Progress) -> Result<Alignment, Error> {
    let request = AlignRequest {
        config: config.clone(),
        simulated: None,
    };
    request.run(settings, progress)
}

/// Aligns responses and features in memory. The configuration supplies the settings, and the sources' states and
/// architectures.
pub fn align_study(
    study: &Study,
    config: &AlignConfig,
    folder: &Path,
    progress: &dyn Progress,
) -> Result<Alignment, Error> {
    let settings = RunSettings {
        out: folder.to_owned(),
        ..RunSettings::default()
    };
    align_opened(study, config, &settings, progress)
}

/// Aligns a study into the folder of the settings.
fn align_opened(
    study: &Study,
    config: &AlignConfig,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<Alignment, Error> {
    let mut prepared = run::Prepared::new(study, config, &settings.out)?;
    prepared.start(settings.overwrite)?;
    prepared.work(run::WHOLE, progress)?;
    summarised(study, config, prepared.finished())
}

/// The aggregates of finished units.
fn summarised(study: &Study, config: &AlignConfig, run: AlignRun) -> Result<Alignment, Error> {
    let settings = &config.settings;
    let described_brain = |source: &SourceFeatures| SourceDescription {
        name: source.name.clone(),
        ..SourceDescription::default()
    };
    let unit_scores = unit_scores(&run.units, settings)?;
    let controls = control_scores(&run.units, &unit_scores, settings)?;
    let descriptions: Vec<SourceDescription> = match config.reverse {
        true => study.sources.iter().map(described_brain).collect(),
        false => {
            let described = config.sources.iter().map(|source| {
                let mut features = study.sources.iter();
                source.described(features.find(|own| own.name == source.name))
            });
            described.collect()
        }
    };
    let summarising = Summarising {
        settings,
        sources: &descriptions,
        blocks: &run.blocks,
        units: &run.units,
        unit_scores: &unit_scores,
        controls: &controls,
    };
    let units = run.units.iter();
    Ok(Alignment {
        record: AlignRecord {
            provenance: Provenance {
                inputs: run.inputs.clone(),
                ..Provenance::new(record::SCHEMA, "align", Some(settings.seed))
            },
            config: config.clone(),
            conventions: config.conventions(),
            fingerprint: run.fingerprint.clone(),
            stimuli: study.stimuli.clone(),
            units: units.map(|unit| (unit.unit.clone(), unit.n_voxels)).collect(),
            findings: [study.findings.clone(), config.stand_ins()].concat(),
            summary: summarising.summary()?,
        },
        unit_scores,
        controls,
        run,
    })
}

impl Alignment {
    pub fn text_tables(&self) -> Vec<Table> {
        text_tables::text_tables(&self.record)
    }
}

impl Report for Alignment {
    const FILES: ResultFiles = ResultFiles::of("align.json", "align", &[Format::Markdown]);
    const SHOWN: usize = 1;
    type Record = AlignRecord;

    fn record(&self) -> &AlignRecord {
        &self.record
    }

    fn findings(&self) -> &[Finding] {
        &self.record.findings
    }

    fn done(&self) -> String {
        let (n_sources, n_units) = (self.record.summary.sources.len(), self.record.units.len());
        format!("{} aligned with {}", counted(n_sources, "source"), counted(n_units, "target unit"))
    }

    fn opening(&self) -> Vec<String> {
        vec![headline::headline(&self.record)]
    }

    fn tables(&self, _: Format) -> Vec<Table> {
        self.text_tables()
    }

    fn figures(&self) -> Result<Figures, Error> {
        Ok(figures::figures(self))
    }

    fn has_figure(stem: &str, ending: &str) -> bool {
        figures::FIGURES.iter().any(|(name, _)| *name == stem) && figure_files::is_drawn(ending)
    }

    fn data(&self) -> Vec<String> {
        let tables = columns::TABLES.iter().map(|(name, ..)| table_file(name));
        tables.chain(self.run.files.iter().cloned()).collect()
    }

    fn write_data(&self, folder: &Path) -> Result<(), Error> {
        let settings = &self.record.config.settings;
        for (name, wanted, columns) in columns::TABLES {
            let path = folder.join(table_file(name));
            if wanted(settings) {
                columns_parquet::write(&path, name, &columns(self))?;
            } else {
                keep::remove(&path)?;
            }
        }
        Ok(())
    }
}

/// The file name of a table of numbers.
fn table_file(name: &str) -> String {
    format!("{name}.parquet")
}
