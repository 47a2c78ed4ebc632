//! A step of a plan: one observer, with its model in memory, observes the items of every source that it reads.

use super::{About, Executor, Images, Observer, Perceived, Places, Session, StepMemory};
use crate::Error;
use crate::progress::Progress;
use crate::settings::RunSettings;
use crate::store::Kept;
use neurogauge_core::{Captions, ImageSet, ModelIdentity, ObservationKind, Role};
use neurogauge_formats::store::KeyPrefix;
use neurogauge_models::WeightPrecision;
use neurogauge_models::segmentation::MaskNames;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A step's output for one source, and the inputs for it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StepOutput {
    /// Its inputs, first the one whose items it observes.
    pub reads: Vec<Role>,
    pub writes: Role,
    /// The name of the feature matrix, if it writes one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub features: Option<String>,
}

/// The inputs of steps: files from the user, or outputs of earlier steps, opened from disk.
pub(crate) trait StepInputs {
    /// The sources: both sides of a run and its pool, or the one source of a command.
    fn image_sets(&self) -> Vec<ImageSet>;
    fn n_items(&self, role: Role) -> usize;
    /// The images of a source.
    fn images(&self, of: ImageSet) -> Option<Images<'_>>;
    /// The captions of a source; images without captions are missing.
    fn captions(&self, of: ImageSet) -> Option<&[(String, Captions)]>;
    /// For each image of a source, the caption of its stimulus, if it has one.
    fn captions_of_stimuli(&self, of: ImageSet) -> Option<Vec<Option<String>>>;
    /// The names of the masks to make in each image of a source.
    ///
    /// # Errors
    /// An image without categories in the user's files.
    fn mask_names(&self, of: ImageSet) -> Result<Option<Vec<Option<MaskNames>>>, Error>;
    /// Were the observations of a role that the user provided made by a placeholder?
    fn is_stand_in(&self, role: Role) -> bool;
    /// Opens a step's outputs, as if the user had provided them.
    ///
    /// # Errors
    /// Files that cannot be read.
    fn open(&mut self, outputs: &[StepOutput], places: &Places) -> Result<(), Error>;
}

/// The context of a running step.
#[derive(Clone, Copy)]
pub(crate) struct StepContext<'a> {
    pub(crate) inputs: &'a dyn StepInputs,
    pub(crate) places: &'a Places,
    pub(crate) settings: &'a RunSettings,
    pub(crate) progress: &'a dyn Progress,
    /// Are results written to files in addition to the store? A part of the work writes only the inputs of its later
    /// steps.
    pub(crate) writes: bool,
}

impl<'a> StepContext<'a> {
    pub(crate) fn session<O: Observer>(&self, observer: O) -> Session<'a, O> {
        Session::new(observer, Executor::new(self.settings, self.progress))
    }

    /// The images of each source that may have this kind of observation.
    pub(crate) fn images(&self, kind: ObservationKind) -> Vec<(ImageSet, Images<'a>)> {
        let image_sets = self.inputs.image_sets().into_iter().filter(|of| has_kind(*of, kind));
        image_sets.filter_map(|of| Some((of, self.inputs.images(of)?))).collect()
    }
}

/// May a source have observations of this kind? A pool only has features.
pub(crate) fn has_kind(of: ImageSet, kind: ObservationKind) -> bool {
    let mut sides = kind.sides().iter();
    of == ImageSet::Alone || sides.any(|side| ImageSet::from(*side) == of)
}

/// An observer as a step of a command.
pub(crate) trait Step: Observer + Sized {
    fn makes(&self) -> ObservationKind {
        Self::ABOUT.makes
    }

    /// Every model that it runs.
    fn models(&self) -> Vec<&ModelIdentity> {
        vec![self.identity()]
    }

    /// Everything that decides its output, except the items: the recipe, and changes to observations when they are
    /// written.
    ///
    /// # Errors
    /// A recipe that cannot be written as JSON.
    fn written_recipe(&self) -> Result<Value, Error> {
        recipe_json(self.identity(), self.recipe())
    }

    /// Its outputs for each source.
    fn outputs(&self, image_sets: &[ImageSet]) -> Vec<StepOutput> {
        let image_sets = image_sets.iter().filter(|of| has_kind(**of, self.makes()));
        let output = |&of: &ImageSet| StepOutput {
            reads: self.makes().reads(of).collect(),
            writes: Role::new(of, self.makes()),
            features: None,
        };
        image_sets.map(output).collect()
    }

    /// Its results in the store.
    ///
    /// # Errors
    /// A store that cannot be read.
    fn kept(&self, step: &StepContext<'_>) -> Result<Kept, Error> {
        let (own, id) = (step.places.kept(), &self.identity().id);
        Kept::journal(self.makes(), id, own, step.settings)
    }

    /// The number of an output's items in the store; `None` if its inputs are not made yet.
    ///
    /// # Errors
    /// A store that cannot be read.
    fn n_cached(&self, output: &StepOutput, step: &StepContext<'_>) -> Result<Option<usize>, Error> {
        let Some(images) = step.inputs.images(output.writes.of) else {
            return Ok(None);
        };
        let keys = images.keys(&prefix(self)?);
        Ok(Some(self.kept(step)?.count(&keys)))
    }

    /// An error if it cannot run although its weights are on this machine; `is_cached`: the store already has all its
    /// results.
    ///
    /// # Errors
    /// A model behind a server whose address is not given.
    fn check_ready(&self, _is_cached: bool) -> Result<(), Error> {
        Ok(())
    }

    /// The main memory that it takes while it runs; `None` if that cannot be known before. `inputs` have the sizes of
    /// images.
    ///
    /// # Errors
    /// Weights that cannot be read.
    fn memory(&self, _inputs: &dyn StepInputs) -> Result<Option<StepMemory>, Error> {
        Ok(None)
    }

    /// Makes the results that the store lacks, and writes files as the context asks.
    ///
    /// # Errors
    /// Errors that no single item causes; a failed item, if the settings stop at it.
    fn run(self, step: &StepContext<'_>) -> Result<Vec<Perceived>, Error>;
}

/// Any observer as a step of a plan.
pub(crate) trait StepObserver {
    fn makes(&self) -> ObservationKind;
    fn model(&self) -> &ModelIdentity;
    fn models(&self) -> Vec<&ModelIdentity>;
    fn recipe(&self) -> Result<Value, Error>;
    fn written_recipe(&self) -> Result<Value, Error>;
    fn outputs(&self, image_sets: &[ImageSet]) -> Vec<StepOutput>;
    fn n_cached(&self, output: &StepOutput, step: &StepContext<'_>) -> Result<Option<usize>, Error>;
    /// The number of items of an output: of most observers, that of its input.
    fn n_items(&self, output: &StepOutput, inputs: &dyn StepInputs) -> Result<usize, Error> {
        let items = output.reads.first();
        Ok(items.map_or(0, |items| inputs.n_items(*items)))
    }
    fn check_ready(&self, is_cached: bool) -> Result<(), Error>;
    fn memory(&self, inputs: &dyn StepInputs) -> Result<Option<StepMemory>, Error>;
    fn run(self: Box<Self>, step: &StepContext<'_>) -> Result<Vec<Perceived>, Error>;
}

impl<S: Step> StepObserver for S {
    fn makes(&self) -> ObservationKind {
        Step::makes(self)
    }

    fn model(&self) -> &ModelIdentity {
        self.identity()
    }

    fn models(&self) -> Vec<&ModelIdentity> {
        Step::models(self)
    }

    fn recipe(&self) -> Result<Value, Error> {
        recipe_json(Observer::identity(self), Observer::recipe(self))
    }

    fn written_recipe(&self) -> Result<Value, Error> {
        Step::written_recipe(self)
    }

    fn outputs(&self, image_sets: &[ImageSet]) -> Vec<StepOutput> {
        Step::outputs(self, image_sets)
    }

    fn n_cached(&self, output: &StepOutput, step: &StepContext<'_>) -> Result<Option<usize>, Error> {
        Step::n_cached(self, output, step)
    }

    fn check_ready(&self, is_cached: bool) -> Result<(), Error> {
        Step::check_ready(self, is_cached)
    }

    fn memory(&self, inputs: &dyn StepInputs) -> Result<Option<StepMemory>, Error> {
        Step::memory(self, inputs)
    }

    fn run(self: Box<Self>, step: &StepContext<'_>) -> Result<Vec<Perceived>, Error> {
        Step::run(*self, step)
    }
}

/// The common prefix of the keys of an observer's results.
pub(crate) fn prefix<O: Observer>(observer: &O) -> Result<KeyPrefix, Error> {
    prefix_of(&O::ABOUT, observer.recipe(), observer.identity())
}

/// The same of a model and a recipe. Where the bits depend on the processor, the keys name its products.
pub(crate) fn prefix_of(about: &About, recipe: &impl Serialize, model: &ModelIdentity) -> Result<KeyPrefix, Error> {
    let revision = match WeightPrecision::products_of(model) {
        None => about.revision.to_owned(),
        Some(products) => format!("{} {products}", about.revision),
    };
    Ok(KeyPrefix::of(about.name, &revision, recipe)?)
}

/// A recipe in the form of the records.
pub(crate) fn recipe_json(model: &ModelIdentity, recipe: &impl Serialize) -> Result<Value, Error> {
    serde_json::to_value(recipe)
        .map_err(|error| Error::Usage(format!("{}: its recipe cannot be written: {error}", model.id)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ABOUT: About = About {
        name: "features",
        revision: "7",
        makes: ObservationKind::Features,
        batch: 1,
    };

    #[test]
    fn keys_of_products_in_bf16_are_those_of_one_kind_of_processor() -> Result<(), Error> {
        let model = |id: &str| ModelIdentity {
            id: id.to_owned(),
            revision: String::new(),
            sha256: String::new(),
            stand_in: false,
        };
        let key = |id: &str| Ok::<_, Error>(prefix_of(&ABOUT, &id, &model(id))?.key(&["image"]));
        let of_revision =
            |id: &str, revision: &str| Ok::<_, Error>(KeyPrefix::of(ABOUT.name, revision, &id)?.key(&["image"]));
        let id = "vit-bf16-products";
        let own = WeightPrecision::products_of(&model(id));
        for products in ["avx512-bf16", "neon-bf16", "fused-f32", "portable"] {
            let by_such = of_revision(id, &format!("7 {products}"))?;
            assert_eq!(key(id)? == by_such, own == Some(products), "{products}");
        }
        assert!(key(id)? != of_revision(id, "7")?);
        // Rounded weights whose products are in f32 give the same everywhere.
        assert!(key("vit-bf16")? == of_revision("vit-bf16", "7")?);
        Ok(())
    }
}
