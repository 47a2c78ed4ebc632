//! Analyses of an alignment's responses and sources in place of recovery profiles: what they have in common.

use super::voxels::{UnitVoxels, VoxelCounts, VoxelMap};
use super::{AlignConfig, AlignRequest, Study, UnitTrials, analysis_tables, run, voxels};
use crate::results::Provenance;
use crate::{Error, Progress, Report, ResultFiles, RunSettings};
use neurogauge_alignment::RegionEstimates;
use neurogauge_core::{Finding, Seed, StimulusId, counted};
use neurogauge_report::{Format, Table};
use neurogauge_stats::BootstrapOptions;
use serde::Serialize;
use std::path::Path;

/// Increased when the layout of the records changes.
const SCHEMA: u32 = 1;
/// Resamples of the stimuli.
const RESAMPLES: usize = 1000;

/// Estimates of a region, from the units of its subjects, and their voxels if each has a value.
pub type OfRegion<'a> =
    Box<dyn Fn(&[&UnitTrials], &mut Vec<Finding>) -> Result<(RegionEstimates, Vec<UnitVoxels>), Error> + 'a>;

/// An analysis of sources region by region, with every option that decides a number.
pub trait SourceAnalysis: Clone + PartialEq + Serialize {
    const FILES: ResultFiles;
    /// What it is called in messages.
    const NAME: &'static str;
    /// What is said of the best source, and if none is above chance.
    const CLAIMS: [&'static str; 2];
    /// How often every subject saw each stimulus, at least; with 0 it may lack stimuli of others.
    fn fewest_repeats(&self) -> usize;

    /// Prepares the sources, and returns what analyses a region.
    fn prepared<'a>(
        &'a self,
        study: (&'a Study, &'a AlignConfig),
        options: &'a BootstrapOptions,
        findings: &mut Vec<Finding>,
    ) -> Result<OfRegion<'a>, Error>;

    /// The name of the first quantity.
    fn quantity(&self) -> String;

    /// What is said of a region after the claim; `best` is the source that it is about.
    fn addition(region: &AnalysedRegion, best: Option<(usize, &str)>) -> Option<String>;

    /// Sentences below the table; `over` says what intervals are for.
    fn notes(record: &AnalysisRecord<Self>, over: &str) -> Vec<String>;
}

/// The responses and sources of an alignment, and what is done with them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AnalysisRequest<A> {
    pub align: AlignRequest,
    pub analysis: A,
}

/// The content of the record's file.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AnalysisRecord<A> {
    #[serde(flatten)]
    pub provenance: Provenance,
    pub request: AnalysisRequest<A>,
    pub stimuli: Vec<StimulusId>,
    pub findings: Vec<Finding>,
    pub sources: Vec<String>,
    pub regions: Vec<AnalysedRegion>,
    /// Volumes of voxels; none for surfaces, arrays and RSA.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub maps: Vec<VoxelMap>,
}

/// A region of several subjects.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AnalysedRegion {
    pub hemisphere: String,
    pub roi: String,
    pub subjects: Vec<String>,
    /// For each subject, if voxels have values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub voxels: Vec<VoxelCounts>,
    #[serde(flatten)]
    pub estimates: RegionEstimates,
}

impl AnalysedRegion {
    pub fn name(&self) -> String {
        [self.hemisphere.as_str(), &self.roi].join(" ").trim().to_owned()
    }
}

/// A finished analysis.
#[derive(Debug)]
pub struct AnalysisRun<A> {
    pub record: AnalysisRecord<A>,
    units: Vec<UnitVoxels>,
}

impl<A: SourceAnalysis> AnalysisRequest<A> {
    /// Reads responses and features, as [`AlignRequest::run`] does, and analyses every region.
    ///
    /// # Errors
    /// Errors of the configuration and its files, and of the analysis; no source; models as targets.
    pub fn run(&self, settings: &RunSettings, progress: &dyn Progress) -> Result<AnalysisRun<A>, Error> {
        if self.align.config.reverse {
            return Err(Error::Usage(format!(
                "{} needs brains as targets: leave out `reverse` (or --reverse), which makes models the targets",
                A::NAME
            )));
        }
        let completed = |config: &AlignConfig| AnalysisRequest {
            align: AlignRequest {
                config: config.clone(),
                ..self.align.clone()
            },
            analysis: self.analysis.clone(),
        };
        let refuse_other = |config: &AlignConfig| {
            AnalysisRun::<A>::refuse_other_than(&serde_json::json!({ "request": completed(config) }), &settings.out)
        };
        let fewest = self.analysis.fewest_repeats();
        let (study, config) = self.align.study_with(fewest, refuse_other, settings, progress)?;
        study.check_names()?;
        if study.sources.is_empty() {
            return Err(Error::Usage(format!(
                "{} needs sources, and there are none: name them as [[sources]]",
                A::NAME
            )));
        }
        let options = BootstrapOptions {
            resamples: RESAMPLES,
            seed: Seed(config.settings.seed),
            ..BootstrapOptions::default()
        };
        let mut findings = [study.findings.clone(), config.stand_ins()].concat();
        let of_region = self.analysis.prepared((&study, &config), &options, &mut findings)?;
        let (mut regions, mut units) = (Vec::new(), Vec::new());
        let groups = study.groups();
        progress.start("comparing sources", groups.len() as u64, 0);
        for group in groups {
            let (estimates, own) = of_region(&group, &mut findings)?;
            let (hemisphere, roi) = group[0].trials.unit().region();
            regions.push(AnalysedRegion {
                hemisphere: hemisphere.to_owned(),
                roi: roi.to_owned(),
                subjects: group.iter().map(|unit| unit.trials.unit().subject.clone()).collect(),
                voxels: own.iter().map(UnitVoxels::counts).collect(),
                estimates,
            });
            units.extend(own);
            progress.advance(1);
        }
        progress.finish();
        drop(of_region);
        let sources: Vec<String> = study.sources.iter().map(|source| source.name.clone()).collect();
        let maps = VoxelMap::all(&config, &sources, &units)?;
        Ok(AnalysisRun {
            record: AnalysisRecord {
                provenance: Provenance {
                    inputs: run::inputs(&study),
                    ..Provenance::new(SCHEMA, "align", Some(config.settings.seed))
                },
                request: completed(&config),
                stimuli: study.stimuli,
                findings,
                sources,
                regions,
                maps,
            },
            units,
        })
    }
}

impl<A: SourceAnalysis> Report for AnalysisRun<A> {
    const FILES: ResultFiles = A::FILES;
    type Record = AnalysisRecord<A>;

    fn record(&self) -> &AnalysisRecord<A> {
        &self.record
    }

    fn findings(&self) -> &[Finding] {
        &self.record.findings
    }

    fn done(&self) -> String {
        let regions = counted(self.record.regions.len(), "region");
        format!("{} compared in {regions}", counted(self.record.sources.len(), "source"))
    }

    fn opening(&self) -> Vec<String> {
        analysis_tables::opening(&self.record)
    }

    fn tables(&self, _: Format) -> Vec<Table> {
        analysis_tables::tables(&self.record)
    }

    fn data(&self) -> Vec<String> {
        let table = (!self.units.is_empty()).then(|| voxels::TABLE.to_owned());
        table.into_iter().chain(self.record.maps.iter().map(|map| map.file.clone())).collect()
    }

    /// One row for each voxel and source, and the maps.
    fn write_data(&self, folder: &Path) -> Result<(), Error> {
        if self.units.is_empty() {
            return Ok(());
        }
        for map in &self.record.maps {
            map.write(folder, &self.units)?;
        }
        voxels::write_table(&folder.join(voxels::TABLE), &self.record.sources, &self.units)
    }
}
