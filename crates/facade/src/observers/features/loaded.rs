//! A model in memory that observes images in memory; nothing is written.

use super::{FeatureRecipe, ImageFeatures, Models, check_row};
use crate::Error;
use crate::execute::{Executor, Items, Model, Session, Sink, image_error};
use crate::progress::Progress;
use crate::settings::RunSettings;
use neurogauge_core::{Image, ModelIdentity};
use neurogauge_models::{
    DeviceChoice, FeatureMatrix, ImageModel, ImagePreset, LayerRequest, ModelError, Preprocessing,
};
use std::path::Path;

/// An image model in memory, with the preparation of its images.
///
/// ```
/// use neurogauge::core::Image;
/// use neurogauge::models::{ImagePreset, PLACEHOLDER_IMAGE_MODEL};
/// use neurogauge::{LoadedImageModel, RunSettings, Silent};
/// let settings = RunSettings::default();
/// let preset = ImagePreset::Published;
/// let model = LoadedImageModel::load(PLACEHOLDER_IMAGE_MODEL, preset, None, &settings, &Silent)?;
/// let grey = Image::new(32, 32, vec![0.5; 32 * 32 * 3]).unwrap();
/// let image = |_| Ok(grey.clone());
/// let features = model.features(2, "images".as_ref(), image, &model.last_layer(), &Silent)?;
/// assert_eq!(features.values.len(), 2 * features.n_features);
/// # Ok::<(), neurogauge::Error>(())
/// ```
pub struct LoadedImageModel {
    model: Box<dyn ImageModel>,
    preprocessing: Preprocessing,
    device: DeviceChoice,
}

impl LoadedImageModel {
    /// Finds and reads the model's weights; missing weights are downloaded if the settings allow it.
    ///
    /// # Errors
    /// The model is unknown; weights are missing or do not fit; the preset does not cover the model; this build or
    /// machine does not have the device.
    pub fn load(
        id: &str,
        preset: ImagePreset,
        antialias: Option<bool>,
        settings: &RunSettings,
        progress: &dyn Progress,
    ) -> Result<Self, Error> {
        settings.models.device.check()?;
        let mut models = Models::new(settings, progress);
        let identity = models.obtain(id)?;
        Ok(LoadedImageModel {
            preprocessing: preset.preprocessing(&identity.id, antialias)?,
            device: models.device_of(&identity),
            model: models.read(&identity)?,
        })
    }

    pub fn identity(&self) -> &ModelIdentity {
        self.model.identity()
    }

    /// Its layers, in the order of the forward pass.
    pub fn layers(&self) -> Vec<&str> {
        self.model.layers()
    }

    /// The last of its layers, with all positions.
    pub fn last_layer(&self) -> LayerRequest {
        LayerRequest::whole(self.layers().last().copied().unwrap_or_default())
    }

    /// Everything that affects the features of this layer, except the image.
    pub fn recipe(&self, request: &LayerRequest) -> FeatureRecipe {
        FeatureRecipe {
            model: self.identity().clone(),
            layer: request.layer.clone(),
            pooling: request.pooling,
            preprocessing: self.preprocessing.clone(),
            device: self.device,
            variant: None,
        }
    }

    /// The features of `n_images` images, bit-identical to those that [`perceive`](crate::perceive) writes. `name` is
    /// the name of the images in messages.
    ///
    /// # Errors
    /// The layer is unknown; errors of `image`; the model cannot process an image, or its features are not finite or
    /// differ in length from those of the first.
    pub fn features(
        &self,
        n_images: usize,
        name: &Path,
        image: impl Fn(usize) -> Result<Image<f32>, Error> + Sync,
        request: &LayerRequest,
        progress: &dyn Progress,
    ) -> Result<FeatureMatrix, Error> {
        let recipe = self.recipe(request);
        let items = InMemory { n_images, name, image };
        let mut sink = Rows {
            recipe: &recipe,
            name,
            matrix: FeatureMatrix {
                n_features: 0,
                values: Vec::new(),
            },
        };
        let executor = Executor::stopping(progress);
        let observer = ImageFeatures::of(&recipe, None, self.device);
        let model = Some(Model::Lent(self.model.as_ref()));
        Session::new(observer, executor).with_model(model).observe(&items, &self.identity().id, &mut sink)?;
        Ok(sink.matrix)
    }
}

/// Images in memory, named by their positions.
struct InMemory<'a, F> {
    n_images: usize,
    /// The name of the images in messages.
    name: &'a Path,
    image: F,
}

impl<F: Fn(usize) -> Result<Image<f32>, Error> + Sync> Items for InMemory<'_, F> {
    type Item = Vec<Image<f32>>;

    fn len(&self) -> usize {
        self.n_images
    }

    fn load(&self, index: usize) -> Result<Vec<Image<f32>>, Error> {
        Ok(vec![(self.image)(index)?])
    }

    fn blame(&self, index: usize, source: ModelError) -> Error {
        image_error(&index.to_string(), self.name, source)
    }
}

struct Rows<'a> {
    recipe: &'a FeatureRecipe,
    name: &'a Path,
    matrix: FeatureMatrix,
}

impl Sink<Vec<Vec<f32>>> for Rows<'_> {
    fn lacks(&self, _item: usize) -> bool {
        true
    }

    fn check(&mut self, item: usize, layers: &Vec<Vec<f32>>) -> Result<(), Error> {
        let (place, n_features) = ((item.to_string(), self.name), &mut self.matrix.n_features);
        layers.iter().try_for_each(|row| check_row(self.recipe, &place, n_features, row))
    }

    fn put(&mut self, results: Vec<(usize, Vec<Vec<f32>>)>) -> Result<(), Error> {
        self.matrix.values.extend(results.into_iter().flat_map(|(_, layers)| layers).flatten());
        Ok(())
    }
}
