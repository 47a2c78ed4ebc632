//! Describes the images of one source.

use super::recipe::CaptionRecipe;
use crate::Error;
use crate::dataset::InputRecord;
use crate::journal::Journal;
use crate::perceive::pipeline::{BATCH, in_batches, n_workers};
use crate::progress::Progress;
use neurogauge_core::Image;
use neurogauge_formats::image_source::ImageSource;
use neurogauge_models::{Captioner, LocalCaptioner, ModelError};
use serde::{Deserialize, Serialize};

/// An image without a caption.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Uncaptioned {
    /// Side and kind (`gt/images`), or `images`.
    pub role: String,
    /// Its stem.
    pub stem: String,
    /// Why.
    pub reason: String,
}

/// The captions of the images of a source.
pub(super) struct Described {
    /// One for each image, where there is one.
    pub(super) captions: Vec<Option<String>>,
    pub(super) without: Vec<Uncaptioned>,
    /// Images that the model had to see.
    pub(super) n_seen: usize,
}

/// A captioner that is read when the first image needs it.
pub(crate) struct Describer {
    pub(crate) recipe: CaptionRecipe,
    found: LocalCaptioner,
    loaded: Option<Box<dyn Captioner>>,
}

impl Describer {
    pub(super) fn new(recipe: CaptionRecipe, found: LocalCaptioner) -> Self {
        Describer {
            recipe,
            found,
            loaded: None,
        }
    }

    /// The captions of the images of `source`, of which `record` has the hashes. What the journal has is not
    /// made again, and what is made is kept there.
    pub(super) fn describe(
        &mut self,
        source: &ImageSource,
        record: &InputRecord,
        journal: &mut Journal<String>,
        progress: &dyn Progress,
    ) -> Result<Described, Error> {
        let items = record.items.iter();
        let keys: Vec<String> = items
            .map(|(_, sha256)| self.recipe.key(&record.form, sha256))
            .collect();
        let missing: Vec<usize> = (0..keys.len())
            .filter(|&index| journal.get(&keys[index]).is_none())
            .collect();
        let mut without = Vec::new();
        if !missing.is_empty() {
            let captioner = match self.loaded.take() {
                Some(captioner) => captioner,
                None => self.found.load()?,
            };
            let looking = Looking {
                source,
                role: &record.role,
                recipe: &self.recipe,
                captioner: captioner.as_ref(),
            };
            let done = (keys.len() - missing.len()) as u64;
            let stage = format!("{} {}", self.recipe.model.id, record.role);
            progress.start(&stage, keys.len() as u64, done);
            let seen = looking.look(&missing, &keys, journal, progress);
            progress.finish();
            self.loaded = Some(captioner);
            without = seen?;
        }
        for image in &without {
            progress.note(&format!("image {:?}: {}", image.stem, image.reason));
        }
        let known = |key: &String| journal.get(key)?.as_ref().ok().cloned();
        Ok(Described {
            captions: keys.iter().map(known).collect(),
            without,
            n_seen: missing.len(),
        })
    }
}

struct Looking<'a> {
    source: &'a ImageSource,
    role: &'a str,
    recipe: &'a CaptionRecipe,
    captioner: &'a dyn Captioner,
}

impl Looking<'_> {
    fn look(
        &self,
        missing: &[usize],
        keys: &[String],
        journal: &mut Journal<String>,
        progress: &dyn Progress,
    ) -> Result<Vec<Uncaptioned>, Error> {
        let mut without = Vec::new();
        let prepare = |index: usize| Ok(self.prepare(index));
        in_batches(missing, n_workers(), prepare, |items, prepared| {
            let mut images = Vec::with_capacity(BATCH);
            let mut of_images = Vec::with_capacity(BATCH);
            for (&item, prepared) in items.iter().zip(prepared) {
                match prepared {
                    Ok(image) => {
                        images.push(image.clone());
                        of_images.push(item);
                    }
                    Err(reason) => without.push(self.without(item, reason.clone())),
                }
            }
            let mut entries = Vec::with_capacity(images.len());
            for (item, caption) in of_images.into_iter().zip(self.captions(&images)?) {
                match caption {
                    Ok(caption) => entries.push((keys[item].clone(), Ok(caption))),
                    Err(reason) => without.push(self.without(item, reason)),
                }
            }
            journal.record(entries)?;
            progress.advance(items.len() as u64);
            Ok(())
        })?;
        without.sort_by(|a, b| neurogauge_core::natural_cmp(&a.stem, &b.stem));
        Ok(without)
    }

    fn prepare(&self, index: usize) -> Result<Image<f32>, String> {
        let image = self.source.load(index).map_err(|error| error.to_string())?;
        let prepared = self.recipe.preprocessing.apply(&image);
        prepared.map_err(|error| error.to_string())
    }

    /// The captions of a batch. Where the batch fails, each image goes by itself, to find the one at fault.
    fn captions(&self, images: &[Image<f32>]) -> Result<Vec<Result<String, String>>, Error> {
        if images.is_empty() {
            return Ok(Vec::new());
        }
        let options = &self.recipe.options;
        match self.captioner.caption(images, options, &|_| {}) {
            Ok(captions) => Ok(captions.into_iter().map(Ok).collect()),
            Err(error) if !is_of_an_image(&error) => Err(error.into()),
            Err(error) if images.len() == 1 => Ok(vec![Err(error.to_string())]),
            Err(_) => {
                let alone = images.chunks(1).map(|image| self.captions(image));
                Ok(alone.collect::<Result<Vec<_>, Error>>()?.concat())
            }
        }
    }

    fn without(&self, item: usize, reason: String) -> Uncaptioned {
        Uncaptioned {
            role: self.role.to_owned(),
            stem: self.source.stems()[item].clone(),
            reason,
        }
    }
}

/// Could another image be described although this one cannot?
fn is_of_an_image(error: &ModelError) -> bool {
    matches!(
        error,
        ModelError::Logits { .. } | ModelError::ImageSize { .. } | ModelError::Detokenize { .. }
    )
}
