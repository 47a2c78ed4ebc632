//! Features of the stimuli: from files, or from models that observe the stimuli.

use super::record::DAGGER;
use super::{AlignConfig, SourceDescription, SourceFeatures, SourceFiles, SourceState};
use crate::dataset::InputRecord;
use crate::perceive::perceive_features;
use crate::settings::OnFailure;
use crate::{Error, ModelLayers, Progress, RunSettings, StepResult};
use itertools::Itertools;
use neurogauge_alignment::Matrix;
use neurogauge_core::image::ImageReading;
use neurogauge_core::pair::Form;
use neurogauge_core::{Features, Finding, Role, StimulusId, first_names};
use neurogauge_formats::embeddings::{self, Embeddings};
use neurogauge_formats::image_source::ImageSource;
use neurogauge_formats::{FormatError, Problem, array_file, recipe};
use neurogauge_models::{ImagePreset, LocalImageModel, PLACEHOLDER_IMAGE_MODEL};
use std::path::{Path, PathBuf};

/// The folder of the features that models make, inside the run's folder.
const OBSERVATIONS: &str = "observations";

/// The name of a layer, and the file of its features.
type Layer = (String, PathBuf);

/// Every source's features for these stimuli, and the assumptions made about the images that models observe.
pub(super) fn read(
    config: &AlignConfig,
    stimuli: &[StimulusId],
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<(Vec<SourceFeatures>, Vec<Finding>), Error> {
    let settings = &settings.with_models(&config.models);
    let mut findings = Vec::new();
    for (source, model) in by_model(config) {
        look(&source, &model, stimuli, settings, (&mut findings, progress))?;
    }
    let sources = config.sources.iter().map(|source| {
        let layers = match (&source.model, source.features.as_slice()) {
            (Some(model), []) => look(source, model, stimuli, settings, (&mut findings, progress))?,
            (None, [_, ..]) => source.names_of_features().into_iter().zip(source.features.iter().cloned()).collect(),
            _ => return Err(source.of_no_kind()),
        };
        side_by_side(&source.name, &layers, stimuli, &mut findings)
    });
    let sources = sources.collect::<Result<_, Error>>()?;
    Ok((sources, findings))
}

/// The models whose layers are separate sources. Each comes once, with all of these layers, since one pass computes
/// them all.
fn by_model(config: &AlignConfig) -> Vec<(SourceFiles, String)> {
    let mut found: Vec<(SourceFiles, String)> = Vec::new();
    for source in config.sources.iter().filter(|source| source.each_layer) {
        let Some(model) = &source.model else { continue };
        let looks_alike = |(known, of_model): &&mut (SourceFiles, String)| {
            let images = (&known.images, known.preset, known.antialias);
            of_model == model && images == (&source.images, source.preset, source.antialias)
        };
        match found.iter_mut().find(looks_alike) {
            Some((known, _)) => known.layers.extend(source.layers.clone()),
            None => found.push((source.clone(), model.clone())),
        }
    }
    found
}

/// The images that a model observes, and the layers to compute.
fn what_it_looks_at<'a>(source: &'a SourceFiles, model: &str) -> Result<(&'a Path, Vec<ModelLayers>), Error> {
    let name = &source.name;
    let Some(path) = &source.images else {
        return Err(Error::Usage(format!(
            "source {name:?}: a model needs `images`: a folder, an .npy stack or a .pt file of the stimuli, called \
             by their numbers or names"
        )));
    };
    let texts = match source.layers.as_slice() {
        [] => vec![model.to_owned()],
        layers => layers.iter().map(|layer| format!("{model}:{layer}")).collect(),
    };
    let parsed = |text: &String| text.parse().map_err(|error| Error::Usage(format!("source {name:?}: {error}")));
    Ok((path, texts.iter().map(parsed).collect::<Result<_, Error>>()?))
}

/// Runs a model on the images of the stimuli, except for those that an earlier run has observed.
fn look(
    source: &SourceFiles,
    model: &str,
    stimuli: &[StimulusId],
    settings: &RunSettings,
    (findings, progress): (&mut Vec<Finding>, &dyn Progress),
) -> Result<Vec<Layer>, Error> {
    let (path, with) = what_it_looks_at(source, model)?;
    let settings = RunSettings {
        out: settings.out.join(OBSERVATIONS),
        // A fit needs every stimulus.
        on_failure: Some(OnFailure::Stop),
        ..settings.clone()
    };
    let images = of_stimuli(path, stimuli)?;
    let reading = ImageReading {
        values: source.values,
        alpha: source.alpha,
    };
    for found in images.settle(reading, &path.display().to_string())? {
        if !findings.contains(&found) {
            findings.push(found);
        }
    }
    let preset = source.preset.unwrap_or(ImagePreset::Published);
    let record = InputRecord::of_items(Role::IMAGES, &images, progress)?;
    let preparation = (preset, source.antialias);
    let matrices = perceive_features((images, record), &with, preparation, &settings, progress)?;
    let layers = matrices.into_iter().flat_map(|StepResult { name, model, paths, .. }| {
        let of_model = name.strip_prefix(&format!("{}.", model.id));
        let layer = of_model.unwrap_or(&name).to_owned();
        paths.into_iter().map(move |path| (layer.clone(), path))
    });
    Ok(layers.collect())
}

/// The images of these stimuli: a stem is the stimulus' name, or its number, with or without leading zeros.
fn of_stimuli(path: &Path, stimuli: &[StimulusId]) -> Result<ImageSource, Error> {
    let mut images = ImageSource::open(path)?;
    images.retain(|stem| stimuli.binary_search(&StimulusId::from(stem)).is_ok());
    for stimulus in stimuli {
        let mut stems = images.stems().iter();
        let mut found = stems.by_ref().filter(|stem| StimulusId::from(stem.as_str()) == *stimulus);
        let reason = match (found.next(), found.next()) {
            (Some(_), None) => continue,
            (Some(one), Some(other)) => format!("{one:?} and {other:?} are both its image"),
            (None, _) => {
                "no image is called by its number or name, such as 12.png, 00012.png or dog_12s.jpg".to_owned()
            }
        };
        let error = Problem::invalid(format!("stimulus {stimulus}"), reason).at(path);
        return Err(error.into());
    }
    Ok(images)
}

/// The rows of a source's matrices for these stimuli, concatenated.
fn side_by_side(
    name: &str,
    layers: &[Layer],
    stimuli: &[StimulusId],
    findings: &mut Vec<Finding>,
) -> Result<SourceFeatures, Error> {
    let mut matrices = Vec::new();
    let mut blocks = Vec::new();
    for (layer, path) in layers {
        let Embeddings { rows: found, ids, .. } = embeddings::read_exactly(path)?;
        let n_rows = found.ids().len();
        let rows = match &ids {
            Some(_) => stimuli.iter().map(|stimulus| row_of(path, found.ids(), stimulus)).collect(),
            None if n_rows == stimuli.len() => Ok((0..stimuli.len()).collect()),
            None => Err(Problem::content(
                format!("{n_rows} rows and no ids.json"),
                format!("{}, one for each stimulus", stimuli.len()),
            )
            .at(path)),
        };
        let rows: Vec<usize> = rows?;
        let taken = Finding::read_as("features", Form::of_rows(ids.is_some()).words);
        if !findings.contains(&taken) {
            findings.push(taken);
        }
        blocks.push((layer.clone(), found.n_features()));
        matrices.push((found, rows));
    }
    let places: Vec<(usize, usize)> = blocks
        .iter()
        .enumerate()
        .flat_map(|(block, (_, n))| (0..*n).map(move |column| (block, column)))
        .collect();
    let features = Matrix::from_fn(stimuli.len(), places.len(), |stimulus, feature| {
        let (block, column) = places[feature];
        let (found, rows) = &matrices[block];
        found.row(rows[stimulus])[column]
    });
    Ok(SourceFeatures {
        name: name.to_owned(),
        features,
        blocks,
    })
}

/// The row of a stimulus, whose id is its name, or its number with or without leading zeros.
fn row_of(path: &Path, ids: &[String], stimulus: &StimulusId) -> Result<usize, FormatError> {
    let is_it = |id: &String| StimulusId::from(id.as_str()) == *stimulus;
    ids.iter().position(is_it).ok_or_else(|| {
        let reason = format!(
            "no row has its number or name as id; the ids are {}. If the stimuli have other names, list these as the target's `stimuli`",
            first_names(ids)
        );
        Problem::invalid(format!("stimulus {stimulus}"), reason).at(path)
    })
}

impl SourceFiles {
    /// The description of the source in tables; layers that are not named there are named after the features.
    pub fn described(&self, features: Option<&SourceFeatures>) -> SourceDescription {
        let blocks = features.map(|own| own.blocks.iter().map(|(name, _)| name).join(", "));
        SourceDescription {
            name: self.name.clone(),
            architecture: self.architecture.clone(),
            state: Some(self.state),
            seed: self.seed,
            weights: self.weights.clone(),
            layers: self.layer_names.clone().or(blocks),
            layer: self.layer(),
        }
    }

    pub fn layer(&self) -> Option<String> {
        if !self.each_layer {
            return None;
        }
        let of_features = |path| self.layer_names.clone().unwrap_or_else(|| array_file::name_of(path));
        self.layers.first().cloned().or_else(|| self.features.first().map(|path| of_features(path)))
    }

    /// The names of the feature matrices, with the layer if the source has several.
    fn names_of_features(&self) -> Vec<String> {
        match (&self.layer_names, self.features.as_slice()) {
            (Some(layer), [_]) if self.each_layer => vec![layer.clone()],
            (_, features) => array_file::names_of(features),
        }
    }

    fn of_no_kind(&self) -> Error {
        let of_model = self.model.as_ref().filter(|_| self.name.is_empty());
        let name = of_model.unwrap_or(&self.name);
        Error::Usage(format!("source {name:?}: expected either `features` or `model`"))
    }

    /// The source, or one source for each of its layers if requested.
    pub(super) fn by_layer(&self) -> Vec<SourceFiles> {
        if !self.each_layer {
            return vec![self.clone()];
        }
        let of_layer = |layer: &str| SourceFiles {
            name: format!("{} {layer}", self.name),
            layer_names: None,
            ..self.clone()
        };
        let names = self.names_of_features().into_iter();
        let features = names.zip(&self.features).map(|(layer, path)| SourceFiles {
            features: vec![path.clone()],
            layer_names: Some(layer.clone()),
            ..of_layer(&layer)
        });
        let layers = self.layers.iter().map(|layer| SourceFiles {
            layers: vec![layer.clone()],
            ..of_layer(layer)
        });
        features.chain(layers).collect()
    }

    /// Fills in the name, the architecture and the origin of the weights from the model's id. The name of a placeholder
    /// ends in a dagger.
    pub(super) fn completed(&self) -> Result<SourceFiles, Error> {
        let mut source = self.filled_in()?;
        if self.is_stand_in()? && !source.name.ends_with(DAGGER) {
            source.name.push(DAGGER);
        }
        Ok(source)
    }

    /// Is the model a placeholder, or did one make the features?
    fn is_stand_in(&self) -> Result<bool, Error> {
        let mut is_stand_in = match &self.model {
            Some(model) => model == PLACEHOLDER_IMAGE_MODEL,
            None => false,
        };
        for path in &self.features {
            is_stand_in |= recipe::warning::<Features>(path)?.is_some();
        }
        Ok(is_stand_in)
    }

    fn filled_in(&self) -> Result<SourceFiles, Error> {
        let mut source = self.clone();
        if self.each_layer && self.layers.is_empty() && self.features.is_empty() {
            return Err(Error::Usage(format!(
                "source {:?}: `each_layer` takes the names of its `layers`",
                self.model.as_ref().unwrap_or(&self.name)
            )));
        }
        let Some(model) = &self.model else {
            if self.name.is_empty() {
                return Err(Error::Usage("a source of `features` needs a `name`".to_owned()));
            }
            if self.features.is_empty() {
                return Err(self.of_no_kind());
            }
            if !self.layers.is_empty() {
                return Err(Error::Usage(format!(
                    "source {:?}: `layers` are those of a `model`; for `features`, name a matrix for each layer there \
                     (`file.npz:layer` for one of several in a file), and leave out `layers`",
                    self.name
                )));
            }
            return Ok(source);
        };
        if !self.features.is_empty() {
            return Err(self.of_no_kind());
        }
        if source.name.is_empty() {
            source.name.clone_from(model);
        }
        let seed = LocalImageModel::seed(model);
        if self.seed.is_some() && self.seed != seed {
            return Err(Error::Usage(format!(
                "source {:?}: `seed` belongs to `features`; the seed of a model's random weights is part of its \
                 id, such as resnet18-untrained-{}",
                source.name,
                self.seed.unwrap_or_default()
            )));
        }
        what_it_looks_at(&source, model)?;
        let state = if seed.is_some() {
            SourceState::Random
        } else {
            SourceState::Pretrained
        };
        if self.state == SourceState::Random && state != self.state {
            return Err(Error::Usage(format!(
                "source {:?}: the weights of {model} are not random; those of {model}-untrained-SEED are",
                source.name
            )));
        }
        let base = LocalImageModel::base(model).to_owned();
        source.architecture.get_or_insert(base);
        Ok(SourceFiles { state, seed, ..source })
    }
}
