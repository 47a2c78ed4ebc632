//! Image models in memory.

use crate::arrays::Images;
use crate::errors::{Failure, bug};
use crate::{options, work};
use neurogauge::core::Finding;
use neurogauge::core::image::{Background, ImageReading};
use neurogauge::formats::image_file::read_rgb8_on;
use neurogauge::formats::image_source::ImageSource;
use neurogauge::models::{FeatureMatrix, LayerRequest, LocalImageModel};
use neurogauge::{Error, LoadedImageModel, ModelChoices, Progress, RunSettings};
use numpy::ndarray::Array2;
use numpy::{PyArray2, ToPyArray};
use pyo3::prelude::*;
use std::path::{Path, PathBuf};

/// A loaded model, with its preprocessing of images.
#[pyclass(frozen, module = "neurogauge._neurogauge")]
pub(crate) struct LoadedModel(LoadedImageModel);

/// A model's images.
#[derive(FromPyObject)]
enum Pictures<'py> {
    /// In memory.
    Arrays(Images<'py>),
    /// A folder or a stack.
    Source(PathBuf),
    /// Files, one for each image.
    Files(Vec<PathBuf>),
}

/// Ids of the image models.
#[pyfunction]
pub(crate) fn image_model_ids() -> Vec<&'static str> {
    LocalImageModel::ids()
}

/// Finds a model's weights, or downloads them if that is allowed, and loads them.
#[pyfunction]
#[pyo3(signature = (name, weights, checkpoint, preset, antialias, device, progress))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn load_image_model(
    py: Python<'_>,
    name: &str,
    weights: Option<PathBuf>,
    checkpoint: Option<PathBuf>,
    preset: &str,
    antialias: Option<bool>,
    device: &str,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<LoadedModel> {
    let settings = RunSettings {
        weights,
        allow_download: true,
        models: ModelChoices {
            checkpoints: checkpoint.map(|path| (name.to_owned(), path)).into_iter().collect(),
            device: device.parse().map_err(Failure::Usage)?,
            ..ModelChoices::default()
        },
        ..RunSettings::default()
    };
    let preset = options::word("preset", preset)?;
    let found = work::run(py, progress, |work| {
        let found = LoadedImageModel::load(name, preset, antialias, &settings, work)?;
        Ok(found)
    })?;
    Ok(LoadedModel(found))
}

#[pymethods]
impl LoadedModel {
    /// Identifies the weights: id, revision, SHA-256.
    #[getter]
    fn identity(&self) -> (String, String, String) {
        let identity = self.0.identity();
        (identity.id.clone(), identity.revision.clone(), identity.sha256.clone())
    }

    /// Is it a placeholder?
    #[getter]
    fn stand_in(&self) -> bool {
        self.0.identity().stand_in
    }

    /// Its layers.
    #[getter]
    fn layers(&self) -> Vec<String> {
        self.0.layers().into_iter().map(str::to_owned).collect()
    }

    /// Everything that affects the features of a layer except the images, as JSON.
    fn recipe(&self, layer: Option<&str>, pooling: &str) -> PyResult<String> {
        let recipe = self.0.recipe(&self.request(layer, pooling)?);
        Ok(serde_json::to_string(&recipe).map_err(|_| bug())?)
    }

    /// Features of images, a row for each. `reading` is the same JSON as in `run.json` and applies to files and stacks.
    #[pyo3(signature = (images, layer, pooling, reading, progress))]
    fn features<'py>(
        &self,
        py: Python<'py>,
        images: Pictures<'py>,
        layer: Option<&str>,
        pooling: &str,
        reading: &str,
        progress: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let request = self.request(layer, pooling)?;
        let reading: ImageReading = options::read(reading)?;
        let settle = |source: &ImageSource, work: &work::Work| -> Result<(), Error> {
            let found = source.settle(reading, "images")?.into_iter();
            found.filter(Finding::is_warning).for_each(|warning| work.warn(&warning.to_string()));
            Ok(())
        };
        let (n_images, found) = match &images {
            Pictures::Arrays(images) => {
                let images = images.view();
                let unreadable = |index: usize| Error::Usage(format!("image {index} cannot be read"));
                let image = |index: usize| images.image(index).map_err(|_| unreadable(index));
                let name = Path::new("images");
                let found = work::run(py, progress, |work| {
                    Ok(self.0.features(images.n_images(), name, image, &request, work)?)
                });
                (images.n_images(), found?)
            }
            Pictures::Source(path) => work::run(py, progress, |work| {
                let source = ImageSource::open(path).map_err(Error::from)?;
                settle(&source, work)?;
                let image = |index: usize| Ok(source.load(index)?);
                let found = self.0.features(source.len(), path, image, &request, work)?;
                Ok((source.len(), found))
            })?,
            Pictures::Files(paths) => work::run(py, progress, |work| {
                let name = Path::new("images");
                settle(&ImageSource::of_paths(name, paths), work)?;
                let background = reading.alpha.unwrap_or(Background::AsStored);
                let image = |index: usize| Ok(read_rgb8_on(&paths[index], background)?.to_unit_float());
                let found = self.0.features(paths.len(), name, image, &request, work)?;
                Ok((paths.len(), found))
            })?,
        };
        let FeatureMatrix { n_features, values } = found;
        Ok(Array2::from_shape_vec((n_images, n_features), values).map_err(|_| bug())?.to_pyarray(py))
    }
}

impl LoadedModel {
    fn request(&self, layer: Option<&str>, pooling: &str) -> Result<LayerRequest, Failure> {
        let layer = match layer {
            Some(layer) => layer.to_owned(),
            None => self.0.last_layer().layer,
        };
        let pooling = options::word("pooling", pooling)?;
        Ok(LayerRequest { layer, pooling })
    }
}
