//! Image models, which turn images into feature matrices, one for each layer.
//!
//! - [`ImageFeatures`]: an observer for some layers of one model. [`SourceFeatures`]: the matrices of one source of
//!   images.
//! - `models`: finds each model once and keeps one in memory at a time.
//! - [`LoadedImageModel`]: a model for images in memory, with nothing on disk.

mod loaded;
mod models;
mod pass;
#[cfg(test)]
mod tests;

pub use loaded::LoadedImageModel;
pub(crate) use models::Models;
pub use neurogauge_models::FeatureRecipe;
pub(crate) use pass::FeaturePass;

use super::captions::BATCH;
use super::{About, Observer};
use crate::Error;
use crate::execute::{Clips, FailedItem, Items, Seen, Session, Sink};
use crate::odd_frames::OddFrames;
use crate::progress::Progress;
use crate::settings::Shard;
use crate::store::StoreFolder;
use neurogauge_core::option_words::option;
use neurogauge_core::{Image, ModelIdentity, ObservationKind};
use neurogauge_formats::image_source::ImageSource;
use neurogauge_formats::input_record::InputRecord;
use neurogauge_formats::store::{GrowingMatrix, MatrixFiles, RowKeys, name_of};
use neurogauge_formats::{IoResult, features, json};
use neurogauge_models::preprocess::Arithmetic;
use neurogauge_models::{
    DeviceChoice, ImageModel, ImagePreset, LayerRequest, LocalImageModel, ModelError, Preprocessing,
};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Waiting for the disk after every batch would take longer than a fast model. An interruption may lose this much work.
const BETWEEN_SAVES: Duration = Duration::from_secs(1);

/// Clips that a model sees at a time. Each is as large as its frames together, and several batches are in memory.
const CLIPS_IN_BATCH: usize = 2;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PerceptionOptions {
    /// How images are prepared (convention `image-presets`).
    pub preset: ImagePreset,
    /// How images are prepared for the EffNet in SEED (convention `seed-images`); `None`: as in `preset`.
    pub seed: Option<ImagePreset>,
    /// Smooth before shrinking? `None`: as in the preset.
    pub antialias: Option<bool>,
    /// Use a placeholder without weights, whose numbers mean nothing, for every image model.
    pub stand_in: bool,
    /// What to do with frames that do not fill a model's clip (convention `odd-frames`).
    #[serde(skip_serializing_if = "neurogauge_core::words::is_default")]
    pub odd_frames: OddFrames,
}

impl Default for PerceptionOptions {
    fn default() -> Self {
        PerceptionOptions {
            preset: ImagePreset::default(),
            seed: Some(ImagePreset::SEED),
            antialias: None,
            stand_in: false,
            odd_frames: OddFrames::default(),
        }
    }
}

pub(crate) struct ImageFeatures {
    model: ModelIdentity,
    layers: Vec<LayerRequest>,
    preprocessing: Preprocessing,
    /// `None` if the model is already in memory.
    found: Option<LocalImageModel>,
    device: DeviceChoice,
}

impl ImageFeatures {
    fn of(recipe: &FeatureRecipe, found: Option<LocalImageModel>, device: DeviceChoice) -> Self {
        ImageFeatures {
            model: recipe.model.clone(),
            layers: vec![recipe.request()],
            preprocessing: recipe.preprocessing.clone(),
            found,
            device,
        }
    }

    /// Number of images or clips that the model sees together.
    fn n_together(&self) -> usize {
        match LocalImageModel::is_of_clips(&self.model.id) {
            true => CLIPS_IN_BATCH,
            false => BATCH,
        }
    }
}

impl Observer for ImageFeatures {
    /// The frames that the model sees together; a model of images sees one.
    type Item = Vec<Image<f32>>;
    type Recipe = Preprocessing;
    type Model = dyn ImageModel;
    type Input = Image<f32>;
    type Output = Vec<Vec<f32>>;

    const ABOUT: About = About::of("features", "0.1.1", ObservationKind::Features, BATCH);

    fn identity(&self) -> &ModelIdentity {
        &self.model
    }

    fn recipe(&self) -> &Preprocessing {
        &self.preprocessing
    }

    fn load(&self) -> Result<Box<dyn ImageModel>, Error> {
        Ok(self.found.as_ref().ok_or_else(|| LocalImageModel::unknown(&self.model.id))?.load_on(self.device)?)
    }

    fn batch(&self, _model: &dyn ImageModel) -> usize {
        self.n_together()
    }

    fn prepare(&self, frames: Vec<Image<f32>>) -> Result<Image<f32>, ModelError> {
        self.preprocessing.apply_to_frames(&frames)
    }

    fn observe(
        &self,
        model: &dyn ImageModel,
        images: &[Image<f32>],
        _progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Vec<Vec<Vec<f32>>>, ModelError> {
        let size = |image: &Image<f32>| (image.width_px(), image.height_px());
        let mut rows = vec![Vec::with_capacity(self.layers.len()); images.len()];
        let mut start = 0;
        // The images in a batch must have the same size.
        for alike in images.chunk_by(|a, b| size(a) == size(b)) {
            for features in model.features(alike, &self.layers)? {
                let of_layer = features.values.chunks(features.n_features.max(1));
                for (of_image, row) in rows[start..].iter_mut().zip(of_layer) {
                    of_image.push(row.to_vec());
                }
            }
            start += alike.len();
        }
        Ok(rows)
    }
}

/// The images of one source, and the folder of their matrices.
pub(crate) struct SourceFeatures<'a> {
    pub(crate) items: Clips<'a>,
    pub(crate) folder: &'a Path,
    /// The source's name in messages; may be empty.
    pub(crate) label: &'a str,
}

impl SourceFeatures<'_> {
    /// Prepares the folder for matrices of these images. A matrix that this program did not write is never replaced;
    /// complete matrices of other images are moved aside, since they share `ids.json` with the new ones.
    pub(crate) fn prepare(&self, wanted: &[FeatureRecipe], progress: &dyn Progress) -> Result<(), Error> {
        let wanted: Vec<String> = wanted.iter().map(FeatureRecipe::name).collect();
        let (folder, ids) = (self.folder, &*self.items.stems);
        std::fs::create_dir_all(folder).when("creating", folder)?;
        let names = features::list(folder)?;
        let ids_path = folder.join(features::IDS_FILE);
        let are_of_these = ids_path.exists() && json::read::<Vec<String>>(&ids_path)? == ids;
        let is_in_the_way = |name: &&String| {
            let is_foreign = !MatrixFiles::of(folder, name).is_ours();
            is_foreign && (!are_of_these || wanted.contains(name))
        };
        if let Some(name) = names.iter().find(is_in_the_way) {
            return Err(Error::foreign(&folder.join(format!("{name}.npy")), ".keys.json", "the file"));
        }
        if are_of_these {
            return Ok(());
        }
        for name in &names {
            MatrixFiles::of(folder, name).set_aside()?;
        }
        json::write(&ids_path, &ids)?;
        let aside: Vec<String> = names.into_iter().filter(|n| !wanted.contains(n)).collect();
        if !aside.is_empty() {
            progress.note(&format!(
                "{}: {} set aside, being of other images; ask for them again to bring them up to \
                 date",
                folder.display(),
                aside.join(", ")
            ));
        }
        Ok(())
    }

    /// Brings the matrices of some layers of the session's model up to date; failed images have no row in them. Returns
    /// the number of images that the model had to observe, and the failed ones. Rows in the store are reused. A shard
    /// writes its rows only to the store, and no matrix.
    pub(crate) fn observe(
        &self,
        recipes: &[FeatureRecipe],
        session: &mut Session<'_, ImageFeatures>,
        store: &StoreFolder,
    ) -> Result<(usize, Vec<FailedItem>), Error> {
        let record = self.items.images.record;
        let shard = session.executor.shard;
        let n_items = self.items.len();
        let items = shard.map_or(0..n_items, |s: Shard| s.items(n_items));
        let hashes: Vec<&str> = self.items.hashes[items.clone()].iter().map(|hash| &**hash).collect();
        let mut rows_of: HashMap<&str, Vec<usize>> = HashMap::new();
        for (row, hash) in hashes.iter().enumerate() {
            rows_of.entry(hash).or_default().push(row);
        }
        let mut rows = FeatureRows {
            of: &self.items,
            items,
            rows_of,
            waiting: BTreeMap::new(),
            matrices: Vec::new(),
            saved: Instant::now(),
        };
        session.observer.layers.clear();
        // The recipes of a session share one preparation.
        let equal =
            recipes.first().map_or_else(Vec::new, |recipe| equal_preparations(recipe, self.items.images.source));
        for recipe in recipes {
            let made = Making::of(recipe, record);
            let name = recipe.name();
            let of_recipe = store.path.join(recipe.name_of_layer());
            let (folder, name) = match shard {
                None => (self.folder.to_owned(), name),
                Some(_) => (of_recipe.clone(), name_of(&made, &hashes)?),
            };
            let kept = (store.is_shared || of_recipe.exists()).then_some(of_recipe);
            let files = MatrixFiles::of(&folder, &name);
            let equal = made.prepared_as(&equal);
            if let Some(matrix) = GrowingMatrix::open(files, kept, made, equal, &hashes)? {
                session.observer.layers.push(recipe.request());
                let n_features = matrix.n_features().unwrap_or_default();
                rows.matrices.push((recipe, matrix, n_features));
            }
        }
        let stage = format!("{} {}", session.observer.model.id, self.label);
        let seen = session.observe(&self.items, stage.trim_end(), &mut rows);
        // Computed rows are saved before a failure is reported. Rows that wait for others are saved only if the others
        // will not come.
        if seen.is_ok() {
            rows.put_waiting(n_items)?;
        }
        rows.save()?;
        let Seen { failures, n_seen } = seen?;
        let stems = shard.map_or(&*self.items.stems, |_| &[]);
        for (_, matrix, _) in rows.matrices {
            matrix.finish(stems)?;
        }
        let executor = session.executor;
        let failures = failures.into_iter().map(|(item, reason)| (self.items.stems[item].as_str(), reason));
        let failed = executor.failed(("image", &record.role), failures);
        Ok((n_seen, failed))
    }
}

/// The matrices of several layers, which grow together.
struct FeatureRows<'a> {
    of: &'a Clips<'a>,
    /// The range of items that have rows.
    items: Range<usize>,
    rows_of: HashMap<&'a str, Vec<usize>>,
    /// Features for later rows with the same content as an earlier one: a matrix takes its rows in order.
    waiting: BTreeMap<usize, Arc<Vec<Vec<f32>>>>,
    /// Each matrix with its recipe and the length of its rows, which is 0 before the first row.
    matrices: Vec<(&'a FeatureRecipe, GrowingMatrix<'a, Making>, usize)>,
    saved: Instant,
}

impl FeatureRows<'_> {
    fn save(&mut self) -> Result<(), Error> {
        for (_, matrix, _) in &mut self.matrices {
            matrix.save()?;
        }
        self.saved = Instant::now();
        Ok(())
    }

    fn put_row(&mut self, row: usize, of_layers: &[Vec<f32>]) -> Result<(), Error> {
        for ((_, matrix, _), features) in self.matrices.iter_mut().zip(of_layers) {
            matrix.put(row, features)?;
        }
        Ok(())
    }

    /// Adds the waiting rows before `end`.
    fn put_waiting(&mut self, end: usize) -> Result<(), Error> {
        while let Some(first) = self.waiting.first_entry()
            && *first.key() < end
        {
            let (row, of_layers) = first.remove_entry();
            self.put_row(row, &of_layers)?;
        }
        Ok(())
    }
}

impl Sink<Vec<Vec<f32>>> for FeatureRows<'_> {
    fn lacks(&self, item: usize) -> bool {
        let row = item - self.items.start;
        self.matrices.iter().any(|(_, matrix, _)| matrix.lacks(row))
    }

    fn content(&self, item: usize) -> Option<&str> {
        Some(&*self.of.hashes[item])
    }

    fn check(&mut self, item: usize, of_layers: &Vec<Vec<f32>>) -> Result<(), Error> {
        let place = (self.of.stems[item].clone(), self.of.path());
        let mut rows = self.matrices.iter_mut().zip(of_layers);
        rows.try_for_each(|((recipe, _, n_features), row)| check_row(recipe, &place, n_features, row))
    }

    fn put(&mut self, results: Vec<(usize, Vec<Vec<f32>>)>) -> Result<(), Error> {
        for (item, of_layers) in results {
            let row = item - self.items.start;
            self.put_waiting(row)?;
            self.put_row(row, &of_layers)?;
            let of_layers = Arc::new(of_layers);
            let later = self.rows_of.get(&*self.of.hashes[item]).into_iter().flatten().filter(|later| **later > row);
            self.waiting.extend(later.map(|later| (*later, Arc::clone(&of_layers))));
        }
        if self.saved.elapsed() >= BETWEEN_SAVES {
            self.save()?;
        }
        Ok(())
    }
}

/// Fails unless the features of the image `stem` are finite and as many as those of earlier images. `n_features` is 0
/// before the first.
fn check_row(
    recipe: &FeatureRecipe,
    (stem, images): &(String, &Path),
    n_features: &mut usize,
    row: &[f32],
) -> Result<(), Error> {
    let expected = match *n_features {
        0 => row.len(),
        known => known,
    };
    let (image, features, found) = (format!("image {stem:?} ({})", images.display()), recipe.name(), row.len());
    if expected != found {
        return Err(Error::Data(format!(
            "{image} gives {found} values of {features}, those before it {expected}: the prepared images differ in shape; {} \
             and published make them square",
            option("preset", "nsd8-mindeye2")
        )));
    }
    if let Some(value) = row.iter().find(|value| !value.is_finite()) {
        return Err(Error::Data(format!(
            "{image} gives {value} among the values of {features}; are its pixels within [0, 1] and the weights sound?"
        )));
    }
    *n_features = expected;
    Ok(())
}

/// The recipes of some layers of a model; by default, of the last layer.
pub(crate) fn recipes_of(
    (model, layers): (&str, &[LayerRequest]),
    (preset, antialias): (ImagePreset, Option<bool>),
    models: &mut Models<'_>,
) -> Result<Vec<FeatureRecipe>, Error> {
    models.check_layers(model, layers)?;
    let model = models.obtain(model)?;
    let preprocessing = preset.preprocessing(&model.id, antialias)?;
    let mut layers = layers.to_vec();
    if layers.is_empty() {
        layers.extend(models.load(&model)?.layers().last().map(|layer| LayerRequest::whole(layer)));
    }
    let device = models.device_of(&model);
    let recipe = |asked: LayerRequest| FeatureRecipe {
        model: model.clone(),
        layer: asked.layer,
        pooling: asked.pooling,
        preprocessing: preprocessing.clone(),
        device,
        variant: None,
    };
    Ok(layers.into_iter().map(recipe).collect())
}

/// Everything that affects the rows of a matrix, except the images.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Making {
    /// The observer's revision; in older files, the program's version.
    #[serde(rename = "neurogauge")]
    revision: String,
    recipe: FeatureRecipe,
    /// The form of an image's bytes; see [`InputRecord::form`](crate::InputRecord::form).
    form: String,
}

impl Making {
    fn of(recipe: &FeatureRecipe, images: &InputRecord) -> Self {
        Making {
            revision: ImageFeatures::ABOUT.revision.to_owned(),
            recipe: FeatureRecipe {
                variant: None,
                ..recipe.clone()
            },
            form: images.form.clone(),
        }
    }

    /// Alternatives for images that were prepared in these ways.
    fn prepared_as(&self, preparations: &[Preprocessing]) -> Vec<Making> {
        let made = |preprocessing: &Preprocessing| Making {
            recipe: FeatureRecipe {
                preprocessing: preprocessing.clone(),
                ..self.recipe.clone()
            },
            ..self.clone()
        };
        preparations.iter().map(made).collect()
    }
}

/// Other preparations that give the same input for these images: with or without a step that resizes to the size that
/// all of them already have. Headers of files are read only if a preparation can have an equal one.
fn equal_preparations(recipe: &FeatureRecipe, images: &ImageSource) -> Vec<Preprocessing> {
    let preparation = &recipe.preprocessing;
    let size_px = match preparation.arithmetic {
        Arithmetic::Float => images.common_size_px(),
        Arithmetic::EightBit => None,
    };
    size_px.map_or_else(Vec::new, |size_px| preparation.equal_at(size_px))
}

/// The recipe of a matrix that this program made, if its folder has one.
pub(crate) fn recorded_recipe(folder: &Path, name: &str) -> Option<FeatureRecipe> {
    let keys: RowKeys<Making> = json::read(&MatrixFiles::of(folder, name).keys).ok()?;
    Some(keys.made.recipe)
}
