//! The configuration file of an alignment: its sources, its targets and its settings.

use super::predefined::PredefinedArrays;
use super::{AlignSettings, Balance, Control, SourceState, Study};
use crate::{Error, ModelChoices, read_toml};
use neurogauge_alignment::Unit;
use neurogauge_alignment::study::check_names;
use neurogauge_core::image::{Background, FloatScale};
use neurogauge_formats::budget::Budget;
use neurogauge_formats::image_source::ImageSource;
use neurogauge_formats::nsd::NsdFiles;
use neurogauge_formats::target_files::{self, NonFinite, TargetArrays, TargetFiles, one_or_more};
use neurogauge_formats::{FormatError, array_file};
use neurogauge_models::ImagePreset;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The TOML file of `neurogauge align`. Paths are relative to its folder.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AlignConfig {
    /// Responses in arrays or images of the brain, one entry for each target unit, or for several whose files follow
    /// one naming pattern.
    pub targets: Vec<TargetArrays>,
    /// The stimuli to keep, as a list of stimuli in trials; trials of other stimuli only affect the z-scores. Default:
    /// all.
    pub stimuli: Option<PathBuf>,
    /// Keep the stimuli that every target of [[targets]] saw at least this often.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeats: Option<usize>,
    /// Whether to accept voxels that are NaN in every trial, as constant voxels.
    pub allow_nan_voxels: bool,
    /// What to do about responses that are NaN or infinite in some trials: `refuse`, `drop-trials`, or `drop-voxels`.
    #[serde(skip_serializing_if = "neurogauge_core::words::is_default")]
    pub non_finite: NonFinite,
    /// Whether brains predict models: every source is a target, and every target a source.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub reverse: bool,
    /// Responses in NSD's own files.
    pub nsd: Option<NsdFiles>,
    /// The sources that predict target responses, in addition to the other subjects.
    pub sources: Vec<SourceFiles>,
    /// The `plan.json` of another run, with its folds, partitions and permuted orders. By default they are drawn.
    pub plan: Option<PathBuf>,
    /// Folds, partitions or orders given as arrays.
    #[serde(rename = "given")]
    pub predefined: PredefinedArrays,
    /// The models' weights, and the device that they run on.
    #[serde(skip_serializing_if = "neurogauge_core::words::is_default")]
    pub models: ModelChoices,
    /// Options that affect the numbers.
    pub settings: AlignSettings,
}

/// Features of the stimuli, from files (`features`) or from a model that observes their images (`model`,
/// `images`).
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SourceFiles {
    /// Its unique name. Default: the model's id.
    pub name: String,
    /// Matrices of features (arrays of half, single or double precision, with `ids.json` beside the file), one for each
    /// layer, which are concatenated. A row's id is the stimulus' number or name; without `ids.json`, rows are in the
    /// order of the stimuli.
    #[serde(deserialize_with = "one_or_more::as_list")]
    pub features: Vec<PathBuf>,
    /// Id of an image model, such as `resnet50` or `resnet50-untrained-1`.
    pub model: Option<String>,
    /// Its layers, `LAYER` or `LAYER:POOLING` as for `neurogauge perceive`. Default: the last one.
    #[serde(deserialize_with = "one_or_more::as_list")]
    pub layers: Vec<String>,
    /// Makes each of its layers a separate source, named after the model and the layer.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub each_layer: bool,
    /// The images that the model observes: a folder of images, an `.npy`, `.pt` or HDF5 stack; `folder/**` includes its
    /// subfolders. An image is named after the stimulus or its number, with or without leading zeros; other images are
    /// left out.
    pub images: Option<PathBuf>,
    /// The scale of floats outside 0 to 1 in arrays (convention `image-unit`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<FloatScale>,
    /// The background of transparent pixels (convention `image-transparency`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alpha: Option<Background>,
    /// How images are prepared (convention `image-presets`). Default: as published.
    pub preset: Option<ImagePreset>,
    /// Smooth before shrinking? Default: as in the preset.
    pub antialias: Option<bool>,
    /// Name of the architecture, by which tables group. Default: the model's id without its seed.
    pub architecture: Option<String>,
    /// The network, whatever it learned: trained sources of one family are compared by their `weights`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub family: Option<String>,
    /// Whether its weights were learned; for a model this follows from its id.
    pub state: SourceState,
    /// Seed of an untrained model's weights; for a model this follows from its id.
    pub seed: Option<u64>,
    /// A description of the weights for the summary of models, such as `ImageNet-1K supervised, version 2`.
    pub weights: Option<String>,
    /// A description of the layers for the same table. Default: the names of the matrices.
    pub layer_names: Option<String>,
}

/// Memory for the names and paths of all targets. Thirty subjects with a thousand regions each take a fifth of it.
const MOST_BYTES_OF_TARGETS: u64 = 1 << 28;

/// Top-level keys of the file. TOML assigns a key that is written below a table to that table.
const KEYS_AT_THE_TOP: [&str; 5] = ["allow_nan_voxels", "non_finite", "repeats", "reverse", "plan"];

/// Adds to the error of an unknown key in a table that the key belongs at the top of the file.
fn with_place_of_key(error: Error) -> Error {
    let Error::Usage(text) = &error else {
        return error;
    };
    let is_unknown = |key: &&&str| text.contains(&format!("unknown key `{key}`"));
    match KEYS_AT_THE_TOP.iter().find(is_unknown) {
        Some(key) => Error::Usage(format!(
            "{text}; `{key}` belongs to no table: write it at the top of the file, before the first [table]"
        )),
        None => error,
    }
}

impl AlignConfig {
    /// Reads the file, with paths made relative to it.
    pub fn read(path: &Path) -> Result<AlignConfig, Error> {
        let mut config: AlignConfig = read_toml(path).map_err(with_place_of_key)?;
        let is_nsd = config.nsd.is_some();
        let faults = [
            (
                config.targets.is_empty() != is_nsd,
                "expected the responses either as [[targets]] or as [nsd], and not both",
            ),
            (
                is_nsd && (config.stimuli.is_some() || config.repeats.is_some()),
                "`stimuli` and `repeats` at the top select among the stimuli of [[targets]]; with [nsd], its own `repeats` selects",
            ),
            (
                is_nsd && config.non_finite != NonFinite::Refuse,
                "`non_finite` leaves out trials or voxels of [[targets]]; those of [nsd] are the same for all subjects",
            ),
            (
                config.plan.is_some() && !config.predefined.is_empty(),
                "`plan` has all folds, partitions and orders already; leave it out, or [given]",
            ),
        ];
        if let Some((_, reason)) = faults.into_iter().find(|(is_there, _)| *is_there) {
            return Err(Error::Usage(format!("{}: {reason}", path.display())));
        }
        config.check_size(path)?;
        let folder = path.parent().unwrap_or(Path::new("."));
        config.relative_to(folder);
        Ok(config)
    }

    /// The configuration with the fields of sources that follow from models' ids filled in, and with sources split by
    /// layer if requested.
    ///
    /// # Errors
    /// Settings out of range, incomplete or contradictory sources, and two targets or sources with the same name.
    pub fn resolved(&self) -> Result<AlignConfig, Error> {
        self.settings.check()?;
        let completed = self.sources.iter().map(SourceFiles::completed);
        let completed: Vec<SourceFiles> = completed.collect::<Result<_, Error>>()?;
        let sources: Vec<SourceFiles> = completed.iter().flat_map(SourceFiles::by_layer).collect();
        let units = self.target_files()?.into_iter().map(|own| Unit::new(&own.subject, &own.hemisphere, &own.roi));
        let names = sources.iter().map(|source| source.name.as_str());
        check_names(&units.collect::<Vec<Unit>>(), names)?;
        if self.reverse && sources.is_empty() {
            return Err(Error::Usage(
                "`reverse` makes models the targets, and there are none: name them as [[sources]]".to_owned(),
            ));
        }
        Ok(AlignConfig {
            sources,
            settings: self.directed_settings(),
            ..self.clone()
        })
    }

    /// The settings that apply in the requested direction: models as targets have no trials to balance and no other
    /// subjects.
    pub(super) fn directed_settings(&self) -> AlignSettings {
        let mut settings = self.settings.clone();
        if self.reverse {
            settings.donors = false;
            settings.balance = Balance::None;
            let is_possible = |control: &Control| *control != Control::BalancedPartitions;
            settings.controls.retain(is_possible);
        }
        settings
    }

    /// Ids of the conventions that affect the numbers.
    pub(super) fn conventions(&self) -> Vec<&'static str> {
        let mut ids = self.settings.conventions();
        ids.extend(self.reverse.then_some("recovery-reverse"));
        ids
    }

    /// The study in the requested direction.
    pub(super) fn directed(&self, study: Study) -> Result<Study, Error> {
        if self.reverse { Ok(study.reversed()?) } else { Ok(study) }
    }

    /// The units of `[[targets]]`, each with its files.
    pub fn target_files(&self) -> Result<Vec<TargetFiles>, FormatError> {
        let mut n_of_sources = None;
        let mut units = Vec::new();
        for entry in &self.targets {
            let n_stimuli = match (&entry.stimuli, entry.layout) {
                (None, None) => n_of_sources.get_or_insert_with(|| self.n_stimuli()).clone(),
                _ => Vec::new(),
            };
            units.extend(entry.targets()?.into_iter().map(|target| target.among_stimuli(n_stimuli.clone())));
        }
        Ok(units)
    }

    /// The numbers of stimuli that the list of stimuli and the sources have, as far as their files can be read.
    fn n_stimuli(&self) -> Vec<u64> {
        let listed = self.stimuli.iter().filter_map(|path| Some(target_files::stimuli(path).ok()?.len() as u64));
        let of_source = |source: &SourceFiles| match (source.features.first(), &source.images) {
            (Some(features), _) => array_file::open(features).ok()?.shape().first().copied(),
            (None, Some(images)) => Some(ImageSource::open(images).ok()?.len() as u64),
            (None, None) => None,
        };
        listed.chain(self.sources.iter().filter_map(of_source)).collect()
    }

    /// Checks that the lists of names do not multiply to more targets than fit into the intended memory.
    fn check_size(&self, path: &Path) -> Result<(), FormatError> {
        let mut budget = Budget::up_to(MOST_BYTES_OF_TARGETS);
        for (place, entry) in self.targets.iter().enumerate() {
            budget.spend(entry.targets_bytes()).map_err(|exceeded| {
                let [subjects, hemispheres, rois] = entry.sizes();
                let words = format!(
                    "number {} of [[targets]], {subjects} subjects x {hemispheres} hemispheres x {rois} regions,",
                    place + 1
                );
                exceeded.of(path, words)
            })?;
        }
        Ok(())
    }

    fn relative_to(&mut self, folder: &Path) {
        let join = |path: &mut PathBuf| *path = folder.join(&*path);
        for target in &mut self.targets {
            target.relative_to(folder);
        }
        [&mut self.stimuli, &mut self.plan].into_iter().flatten().for_each(join);
        self.predefined.paths_mut().for_each(join);
        self.models.paths_mut().for_each(join);
        if let Some(nsd) = &mut self.nsd {
            join(&mut nsd.folder);
        }
        for source in &mut self.sources {
            source.features.iter_mut().for_each(join);
            source.images.iter_mut().for_each(join);
        }
    }
}
