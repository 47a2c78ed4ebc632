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
            | ModelError::NonFiniteDetection { .. }
            | ModelError::NonFinitePixel { .. }
            | ModelError::ImageSize { .. }
            | ModelError::Detokenize { .. }
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::Journal;
    use crate::progress::Silent;
    use neurogauge_core::{Image, ModelIdentity};
    use neurogauge_formats::npy;
    use neurogauge_models::{Captioner, ColourWords, ModelError};

    /// Says the value of the first pixel; cannot look at 0.75, and breaks down at 1.
    enum FirstPixel {}

    impl Sight for FirstPixel {
        type Recipe = ModelIdentity;
        type Found = ();
        type Model = ();
        type Input = f32;
        type Said = String;

        const NAME: &'static str = "first pixel";
        const TOGETHER: usize = 3;

        fn identity(recipe: &ModelIdentity) -> &ModelIdentity {
            recipe
        }

        fn load((): &()) -> Result<Box<()>, ModelError> {
            Ok(Box::new(()))
        }

        fn prepare(_: &ModelIdentity, image: &Image<f32>) -> Result<f32, ModelError> {
            Ok(image.at(0, 0, 0))
        }

        fn look(_: &ModelIdentity, (): &(), values: &[f32]) -> Result<Vec<String>, ModelError> {
            if values.contains(&1.0) {
                return Err(ModelError::PillowAntialias);
            }
            if values.contains(&0.75) {
                let reason = "no".to_owned();
                return Err(ModelError::RawDetections { reason });
            }
            Ok(values.iter().map(f32::to_string).collect())
        }
    }

    fn describe(values: &[f32]) -> Result<(Described, Vec<Option<String>>, usize), Error> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("images.npy");
        let pixels: Vec<f32> = values.iter().flat_map(|value| [*value; 3]).collect();
        npy::write_f32(&path, &[values.len() as u64, 1, 1, 3], &pixels).unwrap();
        let source = ImageSource::open(&path).unwrap();
        let record = InputRecord::of_items("images".to_owned(), &source, &Silent).unwrap();
        let mut journal: Journal<String> = Journal::open(&dir.path().join("journal")).unwrap();
        let identity = ColourWords::new().identity().clone();
        let mut describer = Describer::<FirstPixel>::new(identity, ());
        let first = describer.describe(&source, &record, &mut journal, &Silent)?;
        let said = first.keys.iter().map(|key| journal.value(key.clone()));
        let said = said.collect();
        let again = describer.describe(&source, &record, &mut journal, &Silent)?;
        Ok((first, said, again.n_seen))
    }

    #[test]
    fn the_one_image_at_fault_is_found_among_those_it_came_with() {
        let values = [0.0, 0.125, 0.25, 0.5, 0.75, 0.875, 0.375];
        let (described, said, n_seen_again) = describe(&values).unwrap();
        let expected = values.map(|value| (value != 0.75).then(|| value.to_string()));
        assert_eq!(said, expected);
        assert_eq!(described.n_seen, 7);
        let [without] = &described.without[..] else {
            panic!("{:?}", described.without);
        };
        assert_eq!(
            (without.role.as_str(), without.stem.as_str()),
            ("images", "4")
        );
        assert_eq!(n_seen_again, 1);
    }

    #[test]
    fn a_fault_that_is_no_image_s_stops() {
        assert!(describe(&[0.0, 1.0]).is_err());
    }
}
