//! Describes the images of one source.

use super::{Sight, Store, Undescribed};
use crate::dataset::InputRecord;
use crate::perceive::pipeline::{in_batches, n_workers};
use crate::progress::Progress;
use crate::{Error, journal};
use neurogauge_formats::image_source::ImageSource;
use neurogauge_models::ModelError;

/// What became of the images of a source.
pub(crate) struct Described {
    /// For each image the key under which the store has what was said of it, if anything was.
    pub(crate) keys: Vec<Option<String>>,
    pub(crate) without: Vec<Undescribed>,
    /// Images that the model had to see.
    pub(crate) n_seen: usize,
}

/// A model that is read when the first image needs it.
pub(crate) struct Describer<S: Sight> {
    pub(crate) recipe: S::Recipe,
    found: S::Found,
    loaded: Option<Box<S::Model>>,
}

impl<S: Sight> Describer<S> {
    pub(crate) fn new(recipe: S::Recipe, found: S::Found) -> Self {
        Describer {
            recipe,
            found,
            loaded: None,
        }
    }

    /// The key of an image, of which `form` says what its hashed bytes are.
    fn key(&self, form: &str, image_sha256: &str) -> String {
        let recipe = serde_json::to_string(&self.recipe).unwrap_or_default();
        let version = env!("CARGO_PKG_VERSION");
        journal::key(&[version, S::NAME, &recipe, form, image_sha256])
    }

    /// Goes through the images of `source`, of which `record` has the hashes. What the store holds is not made again, and
    /// what is made is kept there.
    pub(crate) fn describe(
        &mut self,
        source: &ImageSource,
        record: &InputRecord,
        store: &mut impl Store<S::Said>,
        progress: &dyn Progress,
    ) -> Result<Described, Error> {
        let items = record.items.iter();
        let keys: Vec<String> = items
            .map(|(_, sha256)| self.key(&record.form, sha256))
            .collect();
        let missing: Vec<usize> = (0..keys.len())
            .filter(|&index| !store.holds(&keys[index]))
            .collect();
        let mut without = Vec::new();
        if !missing.is_empty() {
            let model = match self.loaded.take() {
                Some(model) => model,
                None => S::load(&self.found)?,
            };
            let looking = Looking::<S> {
                source,
                role: &record.role,
                recipe: &self.recipe,
                model: model.as_ref(),
            };
            let done = (keys.len() - missing.len()) as u64;
            let stage = format!("{} {}", S::identity(&self.recipe).id, record.role);
            progress.start(&stage, keys.len() as u64, done);
            let seen = looking.look(&missing, &keys, store, progress);
            progress.finish();
            self.loaded = Some(model);
            without = seen?;
        }
        for image in &without {
            progress.note(&format!("image {:?}: {}", image.stem, image.reason));
        }
        let kept = |key: String| store.holds(&key).then_some(key);
        Ok(Described {
            keys: keys.into_iter().map(kept).collect(),
            without,
            n_seen: missing.len(),
        })
    }
}

struct Looking<'a, S: Sight> {
    source: &'a ImageSource,
    role: &'a str,
    recipe: &'a S::Recipe,
    model: &'a S::Model,
}

impl<S: Sight> Looking<'_, S> {
    fn look(
        &self,
        missing: &[usize],
        keys: &[String],
        store: &mut impl Store<S::Said>,
        progress: &dyn Progress,
    ) -> Result<Vec<Undescribed>, Error> {
        let mut without = Vec::new();
        let (source, recipe) = (self.source, self.recipe);
        let prepare = |index: usize| Ok(prepare::<S>(source, recipe, index));
        let crew = (n_workers(), S::TOGETHER);
        in_batches(missing, crew, prepare, |items, prepared| {
            let mut inputs = Vec::with_capacity(S::TOGETHER);
            let mut of_inputs = Vec::with_capacity(S::TOGETHER);
            for (&item, prepared) in items.iter().zip(prepared) {
                match prepared {
                    Ok(input) => {
                        inputs.push(input.clone());
                        of_inputs.push(item);
                    }
                    Err(reason) => without.push(self.without(item, reason.clone())),
                }
            }
            let mut entries = Vec::with_capacity(inputs.len());
            for (item, said) in of_inputs.into_iter().zip(self.said(&inputs)?) {
                match said {
                    Ok(said) => entries.push((keys[item].clone(), said)),
                    Err(reason) => without.push(self.without(item, reason)),
                }
            }
            store.keep(entries)?;
            progress.advance(items.len() as u64);
            Ok(())
        })?;
        without.sort_by(|a, b| neurogauge_core::natural_cmp(&a.stem, &b.stem));
        Ok(without)
    }

    /// What is said of a batch. Where the batch fails, each image goes by itself, to find the one at fault.
    fn said(&self, inputs: &[S::Input]) -> Result<Vec<Result<S::Said, String>>, Error> {
        if inputs.is_empty() {
            return Ok(Vec::new());
        }
        match S::look(self.recipe, self.model, inputs) {
            Ok(said) => Ok(said.into_iter().map(Ok).collect()),
            Err(error) if !is_of_an_image(&error) => Err(error.into()),
            Err(error) if inputs.len() == 1 => Ok(vec![Err(error.to_string())]),
            Err(_) => {
                let mut all = Vec::with_capacity(inputs.len());
                for input in inputs.chunks(1) {
                    all.extend(self.said(input)?);
                }
                Ok(all)
            }
        }
    }

    fn without(&self, item: usize, reason: String) -> Undescribed {
        Undescribed {
            role: self.role.to_owned(),
            stem: self.source.stems()[item].clone(),
            reason,
        }
    }
}

fn prepare<S: Sight>(
    source: &ImageSource,
    recipe: &S::Recipe,
    index: usize,
) -> Result<S::Input, String> {
    let image = source.load(index).map_err(|error| error.to_string())?;
    S::prepare(recipe, &image).map_err(|error| error.to_string())
}

/// Could another image be described although this one cannot?
fn is_of_an_image(error: &ModelError) -> bool {
    matches!(
        error,
        ModelError::Logits { .. }
            | ModelError::RawDetections { .. }
            | ModelError::ImageSize { .. }
            | ModelError::Detokenize { .. }
    )
}
