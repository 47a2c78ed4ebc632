//! Analyses of an alignment's responses and sources in place of recovery profiles: what they have in common.

use super::voxels::{UnitVoxels, VoxelCounts, VoxelMap};
use super::{AlignConfig, AlignRequest, Study, UnitTrials, analysis_tables, run, voxels};
use crate::results::Provenance;
use crate::{Error, Progress, Report, ResultFiles, RunSettings};
use neurogauge_alignment::RegionEstimates;
use neurogauge_alignment::rsa::Dissimilarities;
use neurogauge_core::{Finding, Seed, StimulusId, counted};
use neurogauge_formats::npy;
use neurogauge_report::{Format, Table};
use neurogauge_stats::BootstrapOptions;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;

/// Increased when the layout of the records changes.
const SCHEMA: u32 = 1;
/// Resamples of the stimuli.
const RESAMPLES: usize = 1000;

/// Estimates of a region, from the units of its subjects.
pub type OfRegion<'a> = Box<dyn Fn(&[&UnitTrials], &mut Kept) -> Result<RegionEstimates, Error> + 'a>;

/// What an analysis keeps beside its estimates.
#[derive(Debug, Default, Serialize)]
pub struct Kept {
    pub findings: Vec<Finding>,
    #[serde(skip)]
    pub(super) voxels: Vec<UnitVoxels>,
    /// By file.
    #[serde(skip)]
    pub(super) matrices: BTreeMap<String, Dissimilarities>,
}

/// An analysis of sources region by region, with every option that decides a number.
pub trait SourceAnalysis: Clone + Serialize {
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
        kept: &mut Kept,
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

/// A finished analysis, as the record's file has it.
#[derive(Debug, Serialize)]
pub struct AnalysisRecord<A> {
    #[serde(flatten)]
    pub provenance: Provenance,
    pub request: AnalysisRequest<A>,
    pub stimuli: Vec<StimulusId>,
    #[serde(flatten)]
    pub kept: Kept,
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

impl<A: SourceAnalysis> AnalysisRequest<A> {
    /// Reads responses and features, as [`AlignRequest::run`] does, and analyses every region.
    ///
    /// # Errors
    /// Errors of the configuration and its files, and of the analysis; no source; models as targets.
    pub fn run(&self, settings: &RunSettings, progress: &dyn Progress) -> Result<AnalysisRecord<A>, Error> {
        let needs = |what: &str| Err(Error::Usage(format!("{} needs {what}", A::NAME)));
        if self.align.config.reverse {
            return needs("brains as targets: leave out `reverse` (or --reverse), which makes models the targets");
        }
        let completed = |config: &AlignConfig| {
            let mut own = self.clone();
            own.align.config = config.clone();
            own
        };
        let refuse_other = |config: &AlignConfig| {
            AnalysisRecord::<A>::refuse_other_than(&serde_json::json!({ "request": completed(config) }), &settings.out)
        };
        let fewest = self.analysis.fewest_repeats();
        let (study, config) = self.align.study_with(fewest, refuse_other, settings, progress)?;
        study.check_names()?;
        if study.sources.is_empty() {
            return needs("sources, and there are none: name them as [[sources]]");
        }
        let options = BootstrapOptions {
            resamples: RESAMPLES,
            seed: Seed(config.settings.seed),
            ..BootstrapOptions::default()
        };
        let mut kept = Kept {
            findings: [study.findings.clone(), config.stand_ins()].concat(),
            ..Kept::default()
        };
        let of_region = self.analysis.prepared((&study, &config), &options, &mut kept)?;
        let (mut regions, groups) = (Vec::new(), study.groups());
        progress.start("comparing sources", groups.len() as u64, 0);
        for group in groups {
            let n_before = kept.voxels.len();
            let estimates = of_region(&group, &mut kept)?;
            let (hemisphere, roi) = group[0].trials.unit().region();
            regions.push(AnalysedRegion {
                hemisphere: hemisphere.to_owned(),
                roi: roi.to_owned(),
                subjects: group.iter().map(|unit| unit.trials.unit().subject.clone()).collect(),
                voxels: kept.voxels[n_before..].iter().map(UnitVoxels::counts).collect(),
                estimates,
            });
            progress.advance(1);
        }
        progress.finish();
        drop(of_region);
        let sources: Vec<String> = study.sources.iter().map(|source| source.name.clone()).collect();
        Ok(AnalysisRecord {
            provenance: Provenance {
                inputs: run::inputs(&study),
                ..Provenance::new(SCHEMA, "align", Some(config.settings.seed))
            },
            request: completed(&config),
            stimuli: study.stimuli,
            maps: VoxelMap::all(&config, &sources, &kept.voxels)?,
            kept,
            sources,
            regions,
        })
    }
}

impl<A: SourceAnalysis> Report for AnalysisRecord<A> {
    const FILES: ResultFiles = A::FILES;
    type Record = Self;

    fn record(&self) -> &Self {
        self
    }

    fn findings(&self) -> &[Finding] {
        &self.kept.findings
    }

    fn done(&self) -> String {
        let regions = counted(self.regions.len(), "region");
        format!("{} compared in {regions}", counted(self.sources.len(), "source"))
    }

    fn opening(&self) -> Vec<String> {
        analysis_tables::opening(self)
    }

    fn tables(&self, _: Format) -> Vec<Table> {
        analysis_tables::tables(self)
    }

    fn data(&self) -> Vec<String> {
        let table = (!self.kept.voxels.is_empty()).then(|| voxels::TABLE.to_owned());
        let maps = self.maps.iter().map(|map| map.file.clone());
        table.into_iter().chain(maps).chain(self.kept.matrices.keys().cloned()).collect()
    }

    /// Square matrices of dissimilarities; one row for each voxel and source, and the maps.
    fn write_data(&self, folder: &Path) -> Result<(), Error> {
        for (file, matrix) in &self.kept.matrices {
            npy::write_f64(&folder.join(file), &[matrix.n_stimuli() as u64; 2], &matrix.square())?;
        }
        if self.kept.voxels.is_empty() {
            return Ok(());
        }
        for map in &self.maps {
            map.write(folder, &self.kept.voxels)?;
        }
        voxels::write_table(&folder.join(voxels::TABLE), &self.sources, &self.kept.voxels)
    }
}
