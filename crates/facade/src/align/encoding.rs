//! Encoding models: every voxel predicted by ridge regression on all features of a source, beside its noise ceiling.

use super::voxel_maps::VoxelMap;
use super::{AlignRequest, Study, encoding_tables, run};
use crate::results::Provenance;
use crate::{Error, Progress, Report, ResultFiles, RunSettings};
use neurogauge_alignment::encoding::{
    CeilingMethod, EncodingRegion, EncodingVoxels, NoiseCeilings, RidgeReadout, evaluate_encoding, ridge_readout,
};
use neurogauge_alignment::study::{StudyPlan, UnitTrials};
use neurogauge_alignment::{PreparedSource, READOUT_ALPHAS, Unit};
use neurogauge_core::{Finding, Seed, StimulusId, counted, parallel};
use neurogauge_formats::columns_parquet::{self, ColumnTable};
use neurogauge_report::{Format, Table};
use neurogauge_stats::BootstrapOptions;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Increased when the layout of `encoding.json` changes.
const SCHEMA: u32 = 1;
const VOXELS: &str = "voxels";
/// A voxel with a lower reliability has no relative accuracy of its own: noise decides it. Means are over all voxels.
pub(super) const LEAST_RELIABILITY: f64 = 0.05;

/// Every option that decides a number, besides those of the alignment.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EncodingSettings {
    pub ceiling: CeilingMethod,
    /// Resamples of the stimuli.
    pub resamples: usize,
    pub level: f64,
}

impl Default for EncodingSettings {
    fn default() -> Self {
        EncodingSettings {
            ceiling: CeilingMethod::default(),
            resamples: 1000,
            level: 0.95,
        }
    }
}

/// The responses and sources of an alignment, with its folds, and how ceilings are estimated.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EncodingRequest {
    pub align: AlignRequest,
    pub encoding: EncodingSettings,
}

/// The content of `encoding.json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EncodingRecord {
    #[serde(flatten)]
    pub provenance: Provenance,
    pub request: EncodingRequest,
    pub stimuli: Vec<StimulusId>,
    pub findings: Vec<Finding>,
    pub sources: Vec<String>,
    pub regions: Vec<RegionEncoding>,
    /// Volumes of voxels; none for surfaces and arrays.
    pub maps: Vec<VoxelMap>,
}

/// A region of several subjects.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RegionEncoding {
    pub hemisphere: String,
    pub roi: String,
    pub subjects: Vec<String>,
    /// For each subject, the number of voxels, of those that are constant, and of those whose reliability is below
    /// `least_reliability`.
    pub n_voxels: Vec<usize>,
    pub n_constant: Vec<usize>,
    pub n_below: Vec<usize>,
    pub least_reliability: f64,
    #[serde(flatten)]
    pub result: EncodingRegion,
}

impl RegionEncoding {
    pub fn name(&self) -> String {
        [self.hemisphere.as_str(), &self.roi].join(" ").trim().to_owned()
    }
}

/// A finished analysis.
#[derive(Debug)]
pub struct EncodingRun {
    pub record: EncodingRecord,
    units: Vec<UnitVoxels>,
}

/// The voxels of a unit, for `voxels.parquet`.
#[derive(Debug)]
pub(super) struct UnitVoxels {
    pub(super) unit: Unit,
    /// The position of each voxel in its image or array.
    pub(super) places: Vec<usize>,
    pub(super) ncsnr: Vec<f64>,
    pub(super) reliability: Vec<f64>,
    pub(super) sources: Vec<EncodingVoxels>,
}

impl EncodingRequest {
    /// Fits every source to every voxel on the alignment's folds.
    ///
    /// # Errors
    /// Errors of the configuration and its files; no source; models as targets.
    pub fn run(&self, settings: &RunSettings, progress: &dyn Progress) -> Result<EncodingRun, Error> {
        if self.align.config.reverse {
            return Err(Error::Usage(
                "an encoding model predicts brains: leave out `reverse` (or --reverse), which makes models the targets"
                    .to_owned(),
            ));
        }
        let request = |align| EncodingRequest {
            align,
            encoding: self.encoding,
        };
        if self.align.simulated.is_none() && !settings.overwrite {
            let config = self.align.config.resolved()?;
            let known = request(AlignRequest {
                config,
                simulated: None,
            });
            EncodingRun::refuse_other_than(&serde_json::json!({ "request": known }), &settings.out)?;
        }
        let unguarded = RunSettings {
            overwrite: true,
            ..settings.clone()
        };
        let (study, config) = self.align.study(&unguarded, progress)?;
        study.check_names()?;
        if study.sources.is_empty() {
            return Err(Error::Usage(
                "an encoding model needs features, and there are none: name them as [[sources]]".to_owned(),
            ));
        }
        let plan = run::plan_for(&config, &study, &config.settings)?;
        let (regions, units) = self.regions(&study, &plan, config.settings.seed, progress)?;
        let sources: Vec<String> = study.sources.iter().map(|source| source.name.clone()).collect();
        let maps = match self.align.simulated {
            Some(_) => Vec::new(),
            None => VoxelMap::all(&config, &sources, &units)?,
        };
        Ok(EncodingRun {
            record: EncodingRecord {
                provenance: Provenance {
                    inputs: run::inputs(&study),
                    ..Provenance::new(SCHEMA, "align", Some(config.settings.seed))
                },
                findings: [study.findings.clone(), config.stand_ins()].concat(),
                request: request(AlignRequest {
                    config,
                    ..self.align.clone()
                }),
                sources,
                stimuli: study.stimuli,
                regions,
                maps,
            },
            units,
        })
    }

    fn regions(
        &self,
        study: &Study,
        plan: &StudyPlan,
        seed: u64,
        progress: &dyn Progress,
    ) -> Result<(Vec<RegionEncoding>, Vec<UnitVoxels>), Error> {
        let options = BootstrapOptions {
            resamples: self.encoding.resamples,
            level: self.encoding.level,
            seed: Seed(seed),
            ..BootstrapOptions::default()
        };
        let folds: Vec<usize> = (0..plan.folds.folds.len()).collect();
        let prepared: Vec<Vec<PreparedSource>> = parallel::try_map_each(&study.sources, |source| {
            let of = |&fold: &usize| PreparedSource::new(&source.name, &source.features, &plan.folds, fold);
            folds.iter().map(of).collect::<Result<_, _>>()
        })?;
        let (mut regions, mut voxels) = (Vec::new(), Vec::new());
        progress.start("predicting voxels", study.units.len() as u64, 0);
        for group in study.groups() {
            let mut subjects = Vec::new();
            for unit in &group {
                subjects.push(self.unit(unit, &prepared, plan)?);
                progress.advance(1);
            }
            let own: Vec<UnitVoxels> =
                group.iter().zip(&subjects).map(|(unit, own)| UnitVoxels::of(unit, own)).collect();
            let count = |of: &dyn Fn(f64) -> bool| -> Vec<usize> {
                own.iter().map(|unit| unit.reliability.iter().filter(|value| of(**value)).count()).collect()
            };
            let (hemisphere, roi) = group[0].trials.unit().region();
            regions.push(RegionEncoding {
                hemisphere: hemisphere.to_owned(),
                roi: roi.to_owned(),
                subjects: own.iter().map(|unit| unit.unit.subject.clone()).collect(),
                n_voxels: count(&|_| true),
                n_constant: count(&f64::is_nan),
                n_below: count(&|value| value < LEAST_RELIABILITY),
                least_reliability: LEAST_RELIABILITY,
                result: evaluate_encoding(&subjects, &options)?,
            });
            voxels.extend(own);
        }
        progress.finish();
        Ok((regions, voxels))
    }

    fn unit(
        &self,
        unit: &UnitTrials,
        sources: &[Vec<PreparedSource>],
        plan: &StudyPlan,
    ) -> Result<(NoiseCeilings, Vec<RidgeReadout>), Error> {
        let ceilings = NoiseCeilings::new(&unit.trials, self.encoding.ceiling, &plan.partitions_of(&unit.trials)?)?;
        let responses = unit.trials.means();
        let readout = |own: &Vec<PreparedSource>| ridge_readout(own, &responses, &plan.folds, &READOUT_ALPHAS);
        Ok((ceilings, parallel::try_map_each(sources, readout)?))
    }
}

impl UnitVoxels {
    fn of(unit: &UnitTrials, (ceilings, readouts): &(NoiseCeilings, Vec<RidgeReadout>)) -> Self {
        let once = vec![1; unit.trials.n_stimuli()];
        UnitVoxels {
            unit: unit.trials.unit().clone(),
            places: unit.places.clone(),
            ncsnr: ceilings.ncsnr(),
            reliability: ceilings.reliability(&once),
            sources: readouts.iter().map(|readout| EncodingVoxels::of(readout, &once)).collect(),
        }
    }

    /// An accuracy over its ceiling; NaN for a voxel that noise decides.
    pub(super) fn relative(&self, value: f64, ceiling: f64) -> f64 {
        if ceiling >= LEAST_RELIABILITY {
            value / ceiling
        } else {
            f64::NAN
        }
    }
}

impl Report for EncodingRun {
    const FILES: ResultFiles = ResultFiles::of("encoding.json", "encoding", &[Format::Markdown, Format::Csv]);
    type Record = EncodingRecord;

    fn record(&self) -> &EncodingRecord {
        &self.record
    }

    fn findings(&self) -> &[Finding] {
        &self.record.findings
    }

    fn done(&self) -> String {
        let n_voxels: usize = self.units.iter().map(|unit| unit.reliability.len()).sum();
        format!("{} predicted from {}", counted(n_voxels, "voxel"), counted(self.record.sources.len(), "source"))
    }

    fn opening(&self) -> Vec<String> {
        encoding_tables::opening(&self.record)
    }

    fn tables(&self, _: Format) -> Vec<Table> {
        encoding_tables::tables(&self.record)
    }

    fn data(&self) -> Vec<String> {
        let maps = self.record.maps.iter().map(|map| map.file.clone());
        [format!("{VOXELS}.parquet")].into_iter().chain(maps).collect()
    }

    /// One row for each voxel and source, and the maps.
    fn write_data(&self, folder: &Path) -> Result<(), Error> {
        let rows = self.units.iter().flat_map(|unit| {
            let names = self.record.sources.iter().zip(&unit.sources);
            names.flat_map(move |(name, own)| (0..own.r.len()).map(move |voxel| (unit, name, own, voxel)))
        });
        let finite = |value: f64| Some(value).filter(|value| value.is_finite());
        for map in &self.record.maps {
            map.write(folder, &self.record.request.align.config, &self.units)?;
        }
        let columns = ColumnTable::of(rows)
            .text("subject", |(unit, ..)| unit.unit.subject.clone())
            .text("hemisphere", |(unit, ..)| unit.unit.hemisphere.clone())
            .text("roi", |(unit, ..)| unit.unit.roi.clone())
            .whole("place", |(unit, .., voxel)| unit.places[*voxel])
            .text("source", |(_, name, ..)| (*name).clone())
            .number("r", |(_, _, own, voxel)| finite(own.r[*voxel]))
            .number("r2", |(_, _, own, voxel)| finite(own.r[*voxel].powi(2)))
            .number("R2", |(_, _, own, voxel)| finite(own.r_squared[*voxel]))
            .number("ncsnr", |(unit, .., voxel)| finite(unit.ncsnr[*voxel]))
            .number("reliability", |(unit, .., voxel)| finite(unit.reliability[*voxel]))
            .number("r_relative", |(unit, _, own, voxel)| {
                let reliability = unit.reliability[*voxel];
                // r / √reliability.
                finite(unit.relative(own.r[*voxel] * reliability.sqrt(), reliability))
            })
            .number("r2_relative", |(unit, _, own, voxel)| {
                finite(unit.relative(own.r[*voxel].powi(2), unit.reliability[*voxel]))
            })
            .number("R2_relative", |(unit, _, own, voxel)| {
                finite(unit.relative(own.r_squared[*voxel], unit.reliability[*voxel]))
            })
            .into_columns();
        Ok(columns_parquet::write(&folder.join(format!("{VOXELS}.parquet")), VOXELS, &columns)?)
    }
}
