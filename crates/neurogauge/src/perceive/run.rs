//! Looks at images with one model after the other.

use super::models::Models;
use super::recipe::FeatureRecipe;
use super::request::{ModelLayers, PerceiveRequest};
use super::side::Side;
use crate::Error;
use crate::dataset::{Dataset, InputRecord, Paired};
use crate::observations::Sides;
use crate::pixel_range::beyond_unit;
use crate::progress::Progress;
use crate::request::RunSettings;
use crate::run_folder::RunFolder;
use crate::selection::Selection;
use neurogauge_core::Side as PairSide;
use neurogauge_formats::features;
use neurogauge_formats::image_source::ImageSource;
use neurogauge_models::{ImagePreset, LayerRequest, Pooling};
use std::path::{Path, PathBuf};

/// A feature matrix on disk.
#[derive(Debug, Clone, PartialEq)]
pub struct PerceivedMatrix {
    /// How it was made.
    pub recipe: FeatureRecipe,
    /// The `.npy` file.
    pub path: PathBuf,
    /// Rows.
    pub n_images: usize,
    /// Images that the model had to see for it and the model's other matrices; the rest was known.
    pub n_seen: usize,
}

/// Looks at images and writes `<out>/features/<model>.<layer>.npy` and `ids.json`.
///
/// Images are decoded and prepared on threads of their own, the models are loaded one after the
/// other, and rows are written as they come: memory does not grow with the number of images. An
/// interrupted call goes on where it stopped; rows are made anew only where the image, the
/// weights, the preprocessing, the layer or its pooling changed.
///
/// # Errors
/// A device that this build or machine does not have; unknown models and layers; weights that are neither here nor may be downloaded; images that
/// cannot be read (those before them are kept).
pub fn perceive(
    request: &PerceiveRequest,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<Vec<PerceivedMatrix>, Error> {
    let images = ImageSource::open(&request.images);
    let (preset, antialias) = (request.preset, request.antialias);
    perceive_images(
        &images?,
        &request.with,
        preset,
        antialias,
        settings,
        progress,
    )
}

/// The same of images that are open.
pub(crate) fn perceive_images(
    source: &ImageSource,
    with: &[ModelLayers],
    preset: ImagePreset,
    antialias: Option<bool>,
    settings: &RunSettings,
    progress: &dyn Progress,
) -> Result<Vec<PerceivedMatrix>, Error> {
    settings.device.check()?;
    let mut models = Models::new(settings, progress);
    let mut recipes: Vec<FeatureRecipe> = Vec::new();
    for with in with {
        for recipe in recipes_of(with, preset, antialias, &mut models)? {
            if recipes.iter().all(|known| known.name() != recipe.name()) {
                recipes.push(recipe);
            }
        }
    }
    let record = InputRecord::of_items("images".to_owned(), source, progress)?;
    if let Some(found) = beyond_unit(source)? {
        progress.note(&format!("{}: {found}", source.path().display()));
    }
    let folder = settings.out.join("features");
    let side = Side {
        source,
        record: &record,
        folder: &folder,
        label: "",
    };
    side.prepare(&recipes, progress)?;
    let mut matrices = Vec::new();
    for group in by_model(&recipes) {
        let model = &group[0].model;
        let n_seen = side.perceive(&group, || models.load(model), progress)?;
        matrices.extend(group.into_iter().map(|recipe| PerceivedMatrix {
            path: folder.join(format!("{}.npy", recipe.name())),
            recipe,
            n_images: source.len(),
            n_seen,
        }));
    }
    Ok(matrices)
}

/// Makes the features of a run's images, those of its pool among them, and adds them to the data that
/// it compares.
pub(crate) fn perceive_inputs(
    selection: &Selection,
    dataset: &mut Dataset,
    folder: &RunFolder,
    mut models: Models<'_>,
    progress: &dyn Progress,
) -> Result<(), Error> {
    let recipes = &selection.perceived;
    let Some(images) = dataset.images.as_ref().filter(|_| !recipes.is_empty()) else {
        return Ok(());
    };
    let folders = Sides {
        gt: folder.features_dir(PairSide::Gt.folder()),
        recon: folder.features_dir(PairSide::Recon.folder()),
    };
    let pool_folder = folder.features_dir("pool");
    let of_pool = selection.perceived_of_pool();
    let mut sides = Vec::new();
    for side in PairSide::BOTH {
        if let Some(record) = dataset.input(&format!("{}/images", side.folder())) {
            let side = Side {
                source: images.sides.side(side),
                record,
                folder: folders.side(side),
                label: side.folder(),
            };
            sides.push((side, recipes.clone()));
        }
    }
    if let (Some(source), Some(record)) = (&dataset.pool_images, dataset.input("pool/images")) {
        let side = Side {
            source,
            record,
            folder: &pool_folder,
            label: "pool",
        };
        sides.push((side, of_pool.clone()));
    }
    for (side, wanted) in &sides {
        side.prepare(wanted, progress)?;
    }
    for group in by_model(recipes) {
        let model = &group[0].model;
        for (side, wanted) in &sides {
            let group: Vec<FeatureRecipe> = group
                .iter()
                .filter(|recipe| wanted.contains(recipe))
                .cloned()
                .collect();
            side.perceive(&group, || models.load(model), progress)?;
        }
    }
    drop(models);
    let read = |folder: &Path, recipe: &FeatureRecipe| {
        features::open(
            &folder.join(format!("{}.npy", recipe.name())),
            &folder.join(features::IDS_FILE),
        )
    };
    let mut perceived = Vec::new();
    for recipe in recipes {
        let sides = Sides {
            gt: read(&folders.gt, recipe)?,
            recon: read(&folders.recon, recipe)?,
        };
        if sides.gt.n_features() != sides.recon.n_features() {
            return Err(Error::FeatureWidth {
                path: folders.recon.join(format!("{}.npy", recipe.name())),
                gt: sides.gt.n_features(),
                recon: sides.recon.n_features(),
            });
        }
        let pairs = images.pairs.clone();
        perceived.push((recipe.name(), Paired { sides, pairs }));
    }
    if dataset.pool_images.is_some() {
        for recipe in &of_pool {
            let pool = (recipe.name(), read(&pool_folder, recipe)?);
            dataset.pool.push(pool);
        }
    }
    dataset.features.extend(perceived);
    dataset.check_pools()
}

/// The recipes of one model and one preprocessing each, in the order in which models come.
fn by_model(recipes: &[FeatureRecipe]) -> Vec<Vec<FeatureRecipe>> {
    let mut groups: Vec<Vec<FeatureRecipe>> = Vec::new();
    for recipe in recipes {
        match groups
            .iter_mut()
            .find(|group| group[0].model == recipe.model)
        {
            Some(group) => group.push(recipe.clone()),
            None => groups.push(vec![recipe.clone()]),
        }
    }
    groups
}

fn recipes_of(
    with: &ModelLayers,
    preset: ImagePreset,
    antialias: Option<bool>,
    models: &mut Models<'_>,
) -> Result<Vec<FeatureRecipe>, Error> {
    let model = models.obtain(&with.model)?;
    let preprocessing = preset.preprocessing(&model.id, antialias)?;
    let mut layers = with.layers.clone();
    if layers.is_empty() {
        let known = models.load(&model)?.layers();
        layers.extend(known.last().map(|layer| LayerRequest {
            layer: (*layer).to_owned(),
            pooling: Pooling::None,
        }));
    }
    let recipe = |asked: LayerRequest| FeatureRecipe {
        model: model.clone(),
        layer: asked.layer,
        pooling: asked.pooling,
        preprocessing: preprocessing.clone(),
        device: models.device_of(&model),
    };
    Ok(layers.into_iter().map(recipe).collect())
}
