//! Captioners: images to captions.

use super::{About, Observer};
use crate::Error;
use crate::execute::{
    FailedItem, Images, Observed, Perceived, Session, Step, StepContext, StepInputs, StepMemory, n_pixels,
};
use crate::model_weights::obtain;
use crate::progress::Progress;
use crate::settings::RunSettings;
use crate::store::journal;
use neurogauge_core::{Captions, Image, ModelIdentity, ObservationKind};
use neurogauge_formats::image_source::ImageSource;
use neurogauge_formats::store::Store;
use neurogauge_formats::{captions, npy};
use neurogauge_models::{CaptionOptions, Captioner, DeviceChoice, LocalCaptioner, ModelError, Preprocessing};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Images in memory together, unless they are large.
pub(crate) const BATCH: usize = 8;

/// The requested captioner and its options.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaptionerChoice {
    pub model: String,
    /// How captions are written (convention `caption-decoding`).
    #[serde(default)]
    pub options: CaptionOptions,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CaptionRecipe {
    pub model: ModelIdentity,
    /// How images were preprocessed.
    pub preprocessing: Preprocessing,
    /// How the captions were written.
    pub options: CaptionOptions,
}

/// A captioner whose weights are on this machine.
pub(crate) struct CaptionObserver {
    recipe: CaptionRecipe,
    found: LocalCaptioner,
}

impl CaptionObserver {
    /// Finds the weights of a captioner; missing ones are downloaded if allowed.
    pub(crate) fn find(
        CaptionerChoice { model, options }: &CaptionerChoice,
        settings: &RunSettings,
        progress: &dyn Progress,
    ) -> Result<Self, Error> {
        let found: LocalCaptioner = obtain(model, settings, progress)?;
        Ok(CaptionObserver {
            recipe: CaptionRecipe {
                model: found.identity().clone(),
                preprocessing: found.preprocessing()?,
                options: *options,
            },
            found,
        })
    }
}

impl Observer for CaptionObserver {
    type Item = Image<f32>;
    type Recipe = CaptionRecipe;
    type Model = dyn Captioner;
    type Input = Image<f32>;
    type Output = String;

    const ABOUT: About = About {
        name: "caption",
        revision: "0.1.0",
        makes: ObservationKind::Captions,
        batch: BATCH,
    };

    fn identity(&self) -> &ModelIdentity {
        &self.recipe.model
    }

    fn recipe(&self) -> &CaptionRecipe {
        &self.recipe
    }

    fn load(&self) -> Result<Box<dyn Captioner>, Error> {
        Ok(self.found.load()?)
    }

    fn batch(&self, model: &dyn Captioner) -> usize {
        model.images_per_call()
    }

    fn prepare(&self, image: Image<f32>) -> Result<Image<f32>, ModelError> {
        self.recipe.preprocessing.apply(&image)
    }

    fn observe(
        &self,
        model: &dyn Captioner,
        images: &[Image<f32>],
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Vec<String>, ModelError> {
        model.caption(images, &self.recipe.options, progress)
    }
}

impl Step for CaptionObserver {
    fn memory(&self, inputs: &dyn StepInputs) -> Result<Option<StepMemory>, Error> {
        let CaptionRecipe {
            model, preprocessing, ..
        } = &self.recipe;
        let weights = self.found.weight_memory(DeviceChoice::of(model))?;
        let prepared = |(width_px, height_px)| n_pixels(preprocessing.size(width_px, height_px));
        Ok(StepMemory::of_large_images(&model.id, weights, Self::ABOUT, inputs, prepared))
    }

    fn run(self, step: &StepContext<'_>) -> Result<Vec<Perceived>, Error> {
        let kind = Self::ABOUT.makes;
        let mut made = Perceived::by(kind, &self.recipe.model);
        let own = step.places.journal(kind, &self.recipe.model.id);
        let mut session = step.session(self);
        for (of, images) in step.images(kind) {
            let found = caption_images(&mut session, &images, &own, step.settings)?;
            if step.writes {
                let path = step.places.file(of, kind);
                found.write(&path, images.source, step.places.is_official())?;
                made.paths.push(path);
            }
            made.count(images.source.len(), found.n_seen, found.failed);
        }
        Ok(vec![made])
    }
}

/// The captions of the images of one source.
struct SourceCaptions {
    /// In the order of the source; failed images are missing.
    captions: Vec<(String, Captions)>,
    failed: Vec<FailedItem>,
    n_seen: usize,
}

impl SourceCaptions {
    /// Writes the captions, as JSON or in the form of SEED's code.
    fn write(&self, path: &Path, source: &ImageSource, is_official: bool) -> Result<(), Error> {
        let known = self.captions.iter().enumerate().filter(|(_, (_, texts))| !texts.0.is_empty());
        if is_official {
            let entries =
                known.filter_map(|(item, (_, texts))| Some((file_name(source, item), texts.0.last()?.clone())));
            return Ok(npy::write_pickled_dict(path, &entries.collect::<Vec<_>>())?);
        }
        let known: Vec<_> = known.map(|(_, entry)| entry.clone()).collect();
        Ok(captions::write_json(path, &known)?)
    }
}

/// The name of an image's file, which SEED's code uses as key; an image of a stack is named as a PNG.
fn file_name(source: &ImageSource, item: usize) -> String {
    let name = source.file_path(item).and_then(|path| path.file_name());
    name.map_or_else(|| format!("{}.png", source.stems()[item]), |name| name.to_string_lossy().into_owned())
}

/// Describes the images of a source. Captions in the store are not made again; without a cache, the store is the
/// journal `own`.
fn caption_images(
    session: &mut Session<'_, CaptionObserver>,
    images: &Images<'_>,
    own: &Path,
    settings: &RunSettings,
) -> Result<SourceCaptions, Error> {
    let id = &session.observer.recipe.model.id;
    let mut store = journal::<String>(ObservationKind::Captions, id, own, settings)?;
    let Observed { keys, failed, n_seen } = session.observe_images(images, &mut store)?;
    let mut captions = Vec::with_capacity(keys.len());
    for (stem, key) in images.source.stems().iter().zip(keys) {
        let text = key.map(|key| store.get(&key)).transpose()?.flatten();
        captions.push((stem.clone(), Captions(text.into_iter().collect())));
    }
    Ok(SourceCaptions {
        captions,
        failed,
        n_seen,
    })
}
