//! Encoding models: every voxel predicted by ridge regression on all features of a source, beside its noise ceiling.

use super::analysis::{AnalysedRegion, AnalysisRecord, Kept, OfRegion, SourceAnalysis};
use super::analysis_tables::in_words;
use super::voxels::{LEAST_RELIABILITY, UnitVoxels, VoxelCounts, grid_of};
use super::{AlignConfig, Study, UnitTrials, run};
use crate::word_or_file::WordOrFile;
use crate::{Error, ResultFiles};
use neurogauge_alignment::encoding::{CeilingMethod, NoiseCeilings, RidgeReadout, evaluate_encoding, ridge_readout};
use neurogauge_alignment::{PreparedSource, Quantity, READOUT_ALPHAS};
use neurogauge_core::words::word_of;
use neurogauge_core::{Finding, parallel};
use neurogauge_formats::{Problem, volume};
use neurogauge_report::Format;
use neurogauge_stats::BootstrapOptions;
use serde::Serialize;
use std::path::{Path, PathBuf};

/// How noise ceilings are known.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EncodingSettings {
    pub ceiling: WordOrFile<CeilingMethod>,
}

/// The reliability of each voxel of a unit from a file with one for each place of its image or array.
fn given(path: &Path, unit: &UnitTrials, config: &AlignConfig, findings: &mut Vec<Finding>) -> Result<Vec<f64>, Error> {
    const SHARE: &str =
        "the share of a voxel's variance that can be explained, 0 to 1 (NSD's ncsnr s and k repeats: s² / (s² + 1/k))";
    let own = unit.trials.unit();
    let names = [("{subject}", &own.subject), ("{hemisphere}", &own.hemisphere), ("{roi}", &own.roi)];
    let path: PathBuf =
        names.iter().fold(path.display().to_string(), |path, (mark, name)| path.replace(mark, name)).into();
    let volume = volume::read(&path)?;
    let mut values = volume.values;
    if let Some((responses, grid)) = grid_of(config, own)? {
        let (turn, turned) = volume.grid.laid_on(&path, (&responses, &grid))?;
        // Regions of one image may have one file.
        findings.extend(turned.filter(|turned| !findings.contains(turned)));
        let stored = values.clone();
        stored.into_iter().enumerate().for_each(|(place, value)| values[turn.place(place)] = value);
    }
    let found: Option<Vec<f64>> = unit.places.iter().map(|place| values.get(*place).copied()).collect();
    let lacks = || Problem::content(format!("{} places, fewer than the responses of {own}", values.len()), SHARE);
    let found = found.ok_or_else(|| lacks().at(&path))?;
    match found.iter().position(|value| !(0.0..=1.0).contains(value)) {
        None => Ok(found),
        Some(voxel) => {
            let place = format!("{own}, place {}", unit.places[voxel]);
            Err(Problem::invalid(place, format!("{}; expected {SHARE}", found[voxel])).at(path).into())
        }
    }
}

impl SourceAnalysis for EncodingSettings {
    const FILES: ResultFiles = ResultFiles::of("encoding.json", "encoding", &[Format::Markdown, Format::Csv]);
    const NAME: &'static str = "an encoding model";
    const CLAIMS: [&'static str; 2] = ["predicts voxels beyond chance", "no source is shown to predict voxels"];

    /// Given ceilings need no repeats.
    fn fewest_repeats(&self) -> usize {
        1 + usize::from(matches!(self.ceiling, WordOrFile::Word(_)))
    }

    fn prepared<'a>(
        &'a self,
        (study, config): (&'a Study, &'a AlignConfig),
        options: &'a BootstrapOptions,
        _: &mut Kept,
    ) -> Result<OfRegion<'a>, Error> {
        let plan = run::plan_for(config, study, &config.settings)?;
        let sources = parallel::try_map_each(&study.sources, |source| {
            let of = |fold: usize| PreparedSource::new(&source.name, &source.features, &plan.folds, fold);
            (0..plan.folds.folds.len()).map(of).collect::<Result<Vec<_>, _>>()
        })?;
        Ok(Box::new(move |group, kept| {
            let mut of_unit = |unit: &&UnitTrials| -> Result<(NoiseCeilings, Vec<RidgeReadout>), Error> {
                let ceilings = match &self.ceiling {
                    WordOrFile::Word(method) => {
                        NoiseCeilings::new(&unit.trials, *method, &plan.partitions_of(&unit.trials)?)?
                    }
                    WordOrFile::File(path) => NoiseCeilings::Given(given(path, unit, config, &mut kept.findings)?),
                };
                let responses = unit.trials.means();
                let readout = |own: &Vec<PreparedSource>| ridge_readout(own, &responses, &plan.folds, &READOUT_ALPHAS);
                Ok((ceilings, parallel::try_map_each(&sources, readout)?))
            };
            let subjects = group.iter().map(&mut of_unit).collect::<Result<Vec<_>, Error>>()?;
            kept.voxels.extend(group.iter().zip(&subjects).map(|(unit, found)| UnitVoxels::of(unit, found)));
            Ok(evaluate_encoding(&subjects, options)?)
        }))
    }

    fn quantity(&self) -> String {
        "r".to_owned()
    }

    fn addition(region: &AnalysedRegion, best: Option<(usize, &str)>) -> Option<String> {
        let (source, name) = best?;
        let words = |quantity| region.estimates.get(source, quantity).map(in_words);
        let (explained, relative) = (words(Quantity::Explained)?, words(Quantity::ExplainedRelative)?);
        Some(format!("{name} explains {explained} of their variance, and {relative} of what repeats reproduce."))
    }

    fn notes(record: &AnalysisRecord<Self>, over: &str) -> Vec<String> {
        let sum = |of: fn(&VoxelCounts) -> usize| record.regions.iter().flat_map(|region| &region.voxels).map(of).sum();
        let [all, constant, below]: [usize; 3] =
            [sum(|own| own.n_voxels), sum(|own| own.n_constant), sum(|own| own.n_below)];
        let (ceilings, included) = match &record.request.analysis.ceiling {
            WordOrFile::Word(method) => (format!("from repeats ({})", word_of(method)), "ceilings included"),
            WordOrFile::File(path) => (format!("of {}, taken as exact", path.display()), "ceilings not included"),
        };
        vec![
            format!(
                "Means over voxels; relative: mean accuracy over mean ceiling. {over}, {included}, for these fits. p: Holm within the region"
            ),
            format!(
                "Ceilings {ceilings}. {below} of {all} voxels have a reliability below {LEAST_RELIABILITY}: they count in means, and \
                 have no relative value in voxels.parquet. {constant} are constant, and left out"
            ),
            "r² of a source without information is above 0 on average; r and R² are not".to_owned(),
        ]
    }
}
