//! The most main memory that an alignment takes at once, and the time in which models look at stimuli.

use super::{AlignConfig, SourceFiles};
use crate::execute::{StepMemory, n_pixels};
use crate::memory_forecast::{MemoryForecast, MemoryUse, Phases};
use crate::model_weights::obtain;
use crate::observers::captions::BATCH;
use crate::time_forecast::{Work, measured_speed};
use crate::{Error, RunSettings, TimeForecast};
use neurogauge_core::Silent;
use neurogauge_formats::array_file;
use neurogauge_formats::image_source::ImageSource;
use neurogauge_models::{ImagePreset, LocalImageModel, operations};
use std::collections::BTreeMap;
use std::path::Path;

const OF_NUMBER: f64 = 8.0;
/// The responses of all trials are in memory, and those of one unit twice while they are read and hashed.
const COPIES_OF_TRIALS: f64 = 1.2;
/// The features of all sources are in memory twice, since the layers of a source are concatenated.
const COPIES_OF_FEATURES: f64 = 2.3;
/// Matrices of stimuli by voxels that the fits of a fold work on, in addition to its responses. Measured.
const WORKING_COPIES: usize = 5;
/// Bytes that fits take in addition to their data: in total, and per thread. Measured.
const OF_FITS: f64 = 10e6;
const OF_FITS_THREAD: f64 = 15e6;
/// Bytes that tables and figures take at the end. Measured.
const OF_FIGURES: u64 = 20_000_000;

/// The sizes of an alignment that determine its memory.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AlignSize {
    pub n_stimuli: usize,
    /// Trials and voxels of each target unit; `None` if unknown.
    pub units: Vec<Option<(usize, usize)>>,
    /// Number of other subjects that are sources of each unit.
    pub n_donors: usize,
}

impl AlignConfig {
    /// Estimates the most main memory that an alignment of this size takes at once.
    pub fn memory(&self, size: &AlignSize, settings: &RunSettings) -> Result<MemoryForecast, Error> {
        let program = Phases::program();
        let mut phases = Phases::default();
        phases.add(vec![("tables and figures".to_owned(), OF_FIGURES)]);
        self.add_fits(&mut phases, size);
        for source in &self.sources {
            let Some(model) = &source.model else { continue };
            match looking(source, model, size.n_stimuli, &settings.with_models(&self.models))? {
                Some(parts) => phases.add(parts),
                None => phases.unknown(model),
            }
        }
        Ok(phases.forecast(program))
    }

    /// The time in which all models look at so many stimuli, for which this machine is measured; `None` if there is no
    /// model whose operations are counted.
    pub fn looking(&self, n_stimuli: usize) -> Result<Option<TimeForecast>, Error> {
        let models = self.sources.iter().filter_map(|source| Some((source.model.as_ref()?, source)));
        let mut work = Work::default();
        for (model, source) in models.collect::<BTreeMap<_, _>>() {
            match operations(model, n_pixels(input_px(source, model, (0, 0))?)) {
                Some(of_image) => work.operations += of_image * n_stimuli as f64,
                None => work.not_counted.push(model.clone()),
            }
        }
        Ok((work.operations > 0.0).then(|| work.forecast(measured_speed(), rayon::current_num_threads())))
    }

    fn add_fits(&self, phases: &mut Phases, size: &AlignSize) {
        let settings = &self.settings;
        let n_folds = settings.outer_folds as f64;
        let n_stimuli = size.n_stimuli as f64;
        let n_training = n_stimuli * (1.0 - 1.0 / n_folds);
        let known = size.units.iter().flatten();
        let n_responses: usize = known.clone().map(|(n_trials, n_voxels)| n_trials * n_voxels).sum();
        let n_voxels = known.map(|(_, n_voxels)| *n_voxels).max().unwrap_or(0) as f64;
        if size.units.contains(&None) {
            phases.unknown("responses in files that are missing or are no arrays");
        }
        let shapes = self.sources.iter().flat_map(|source| &source.features).map(|path| n_features(path));
        let shapes: Vec<Option<u64>> = shapes.collect();
        if shapes.contains(&None) {
            phases.unknown("features in files that are missing");
        }
        let n_features = shapes.into_iter().flatten().sum::<u64>() as f64;
        // In every fold, a unit and its donors are matrices of stimuli by voxels; the views of a partition cover the
        // test stimuli.
        let matrices = n_folds * (2 + size.n_donors) as f64 + (2 * settings.partitions + WORKING_COPIES) as f64;
        // With a null, donors count once more for each of three single trials.
        let of_donor = match settings.null > 0 && settings.null_select {
            true => 4,
            false => 1,
        };
        let n_sources = (self.sources.len() + of_donor * size.n_donors + 2) as f64;
        let n_threads = rayon::current_num_threads() as f64;
        let bytes = |numbers: f64| (OF_NUMBER * numbers) as u64;
        phases.add(vec![
            ("responses".to_owned(), bytes(COPIES_OF_TRIALS * n_responses as f64)),
            ("features".to_owned(), bytes(COPIES_OF_FEATURES * n_stimuli * n_features)),
            ("responses of folds and partitions".to_owned(), bytes(matrices * n_stimuli * n_voxels)),
            ("kernels of sources in every fold".to_owned(), bytes(n_folds * n_sources * n_training.powi(2))),
            ("fits".to_owned(), (OF_FITS + n_threads * OF_FITS_THREAD) as u64),
        ]);
    }
}

/// The number of columns of an array of features, if its file exists.
fn n_features(path: &Path) -> Option<u64> {
    Some(array_file::open(path).ok()?.shape().iter().skip(1).product())
}

/// The memory of a model while it observes the stimuli; `None` if unknown.
fn looking(
    source: &SourceFiles,
    model: &str,
    n_stimuli: usize,
    settings: &RunSettings,
) -> Result<Option<Vec<MemoryUse>>, Error> {
    let settings = &RunSettings {
        is_dry_run: true,
        ..settings.clone()
    };
    let found: LocalImageModel = obtain(model, settings, &Silent)?;
    let weights = found.weight_memory(settings.models.device)?;
    let images = source.images.as_deref().map(ImageSource::open);
    let images = images.and_then(|images| images.ok()?.largest_px());
    let px = images.unwrap_or_default();
    let input = n_pixels(input_px(source, model, px)?);
    let memory = weights.map(|weights| StepMemory::of_image_network(model, weights, input, BATCH));
    Ok(memory.map(|memory| memory.parts(n_stimuli, n_pixels(px))))
}

/// The size of a source's images for its network.
fn input_px(source: &SourceFiles, model: &str, (width_px, height_px): (usize, usize)) -> Result<(usize, usize), Error> {
    let preset = source.preset.unwrap_or(ImagePreset::Published);
    let preprocessing = preset.preprocessing(LocalImageModel::base(model), source.antialias)?;
    Ok(preprocessing.size(width_px, height_px))
}
