//! The images of one source, and what is known about them.

use super::batch::look_at;
use super::features_folder;
use super::matrix::{Making, Matrix};
use super::pipeline::{BATCH, in_batches, n_workers};
use super::recipe::FeatureRecipe;
use crate::Error;
use crate::dataset::InputRecord;
use crate::progress::Progress;
use neurogauge_core::Image;
use neurogauge_formats::image_source::ImageSource;
use neurogauge_models::{ImageModel, LayerRequest, ModelError, Preprocessing};
use std::path::Path;
use std::time::{Duration, Instant};

/// Waiting for the disk after every batch would cost more than a fast model; so much work an
/// interruption may lose.
const BETWEEN_SAVES: Duration = Duration::from_secs(1);

/// Images to look at, and the folder where what is seen goes.
pub(super) struct Side<'a> {
    pub(super) source: &'a ImageSource,
    pub(super) record: &'a InputRecord,
    pub(super) folder: &'a Path,
    /// Name for messages; may be empty.
    pub(super) label: &'a str,
}

impl Side<'_> {
    /// Makes the folder ready; see [`features_folder::prepare`].
    pub(super) fn prepare(
        &self,
        wanted: &[FeatureRecipe],
        progress: &dyn Progress,
    ) -> Result<(), Error> {
        let wanted: Vec<String> = wanted.iter().map(FeatureRecipe::name).collect();
        let aside = features_folder::prepare(self.folder, self.source.stems(), &wanted)?;
        if !aside.is_empty() {
            progress.note(&format!(
                "{}: {} set aside, being of other images; ask for them again to bring them up to \
                 date",
                self.folder.display(),
                aside.join(", ")
            ));
        }
        Ok(())
    }

    /// Brings the matrices of some layers of one model up to date, all of them prepared in the same
    /// way. Returns the number of images that the model had to see. `model` is called only if there
    /// are any.
    pub(super) fn perceive<'m>(
        &self,
        recipes: &[FeatureRecipe],
        model: impl FnOnce() -> Result<&'m dyn ImageModel, Error>,
        progress: &dyn Progress,
    ) -> Result<usize, Error> {
        let Some(first) = recipes.first() else {
            return Ok(0);
        };
        let hashes: Vec<&str> = self
            .record
            .items
            .iter()
            .map(|(_, hash)| hash.as_str())
            .collect();
        let mut matrices = Vec::new();
        for recipe in recipes {
            let making = Making {
                neurogauge: env!("CARGO_PKG_VERSION").to_owned(),
                recipe: recipe.clone(),
                form: self.record.form.clone(),
            };
            if let Some(matrix) = Matrix::open(self.folder, making, &hashes)? {
                matrices.push((recipe, matrix));
            }
        }
        let n_images = hashes.len();
        let missing: Vec<usize> = (0..n_images)
            .filter(|&image| matrices.iter().any(|(_, matrix)| matrix.lacks(image)))
            .collect();
        if !missing.is_empty() {
            let model = model()?;
            let done = (n_images - missing.len()) as u64;
            let stage = format!("{} {}", first.model.id, self.label);
            progress.start(stage.trim_end(), n_images as u64, done);
            let preprocessing = &first.preprocessing;
            let seen = self.look(&missing, model, preprocessing, &mut matrices, progress);
            progress.finish();
            seen?;
        }
        for (_, matrix) in matrices {
            matrix.finish()?;
        }
        Ok(missing.len())
    }

    fn look(
        &self,
        missing: &[usize],
        model: &dyn ImageModel,
        preprocessing: &Preprocessing,
        matrices: &mut [(&FeatureRecipe, Matrix<'_>)],
        progress: &dyn Progress,
    ) -> Result<(), Error> {
        let requests: Vec<LayerRequest> = matrices
            .iter()
            .map(|(recipe, _)| recipe.request())
            .collect();
        let load = |index: usize| -> Result<Image<f32>, Error> {
            let image = self.source.load(index)?;
            let prepared = preprocessing.apply(&image);
            prepared.map_err(|source| self.blame(index, source))
        };
        let mut saved = Instant::now();
        let looked = in_batches(missing, (n_workers(), BATCH), load, |items, images| {
            let blame = |place: usize, source| self.blame(items[place], source);
            look_at(model, images, &requests, blame, |place, request, row| {
                let (recipe, matrix) = &mut matrices[request];
                let expected = matrix.n_features().unwrap_or(row.len());
                recipe.check_row(&self.stem(items[place]), self.source.path(), expected, row)?;
                Ok(matrix.put(items[place], row)?)
            })?;
            if saved.elapsed() >= BETWEEN_SAVES {
                save(matrices)?;
                saved = Instant::now();
            }
            progress.advance(items.len() as u64);
            Ok(())
        });
        // What could be computed is saved before a failure is reported.
        let saved = save(matrices);
        looked.and(saved)
    }

    fn blame(&self, index: usize, source: ModelError) -> Error {
        match source {
            ModelError::PillowAntialias => Error::Model(source),
            source => Error::Image {
                stem: self.stem(index),
                path: self.source.path().to_owned(),
                source,
            },
        }
    }

    fn stem(&self, index: usize) -> String {
        self.source.stems().get(index).cloned().unwrap_or_default()
    }
}

fn save(matrices: &mut [(&FeatureRecipe, Matrix<'_>)]) -> Result<(), Error> {
    for (_, matrix) in matrices {
        matrix.save()?;
    }
    Ok(())
}
