//! A step of a plan: one observer, with its model in memory, observes the items of every source that it reads.

use super::{About, Images, Observer, Places, StepMemory, StepResult};
use crate::Error;
use crate::progress::Progress;
use crate::settings::RunSettings;
use crate::store::{StoreFolder, journal};
use neurogauge_core::{Captions, ImageSet, ModelIdentity, ObservationKind, Role};
use neurogauge_formats::store::{KeyPrefix, Store};
use neurogauge_models::WeightPrecision;
use neurogauge_models::segmentation::MaskNames;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::PathBuf;

/// A step's output for one source, and the inputs for it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StepOutput {
    /// Its inputs. Its items are those of the first.
    pub reads: Vec<Role>,
    pub writes: Role,
    /// The name of the feature matrix, if it writes one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub features: Option<String>,
}

/// The inputs of steps: files from the user, or outputs of earlier steps, opened from disk.
pub(crate) trait StepInputs {
    /// The sources: both sides of a run and its pool, or the one source of a command.
    fn image_sets(&self) -> Vec<ImageSet>;
    fn n_items(&self, role: Role) -> usize;
    fn images(&self, of: ImageSet) -> Option<Images<'_>>;
    /// The captions of a source; images without captions are missing.
    fn captions(&self, of: ImageSet) -> Option<&[(String, Captions)]>;
    /// For each image of a source, the caption of its stimulus, if any.
    fn captions_of_stimuli(&self, of: ImageSet) -> Option<Vec<Option<String>>>;
    /// The names of the masks to make in each image of a source.
    fn mask_names(&self, of: ImageSet) -> Result<Option<Vec<Option<MaskNames>>>, Error>;
    /// Did a placeholder make the observations that the user provided for this role?
    fn is_stand_in(&self, role: Role) -> bool;
    /// Opens a step's outputs, as if the user had provided them.
    fn open(&mut self, outputs: &[StepOutput], places: &Places) -> Result<(), Error>;
}

#[derive(Clone, Copy)]
pub(crate) struct StepContext<'a> {
    pub(crate) inputs: &'a dyn StepInputs,
    pub(crate) places: &'a Places,
    pub(crate) settings: &'a RunSettings,
    pub(crate) progress: &'a dyn Progress,
    /// Are results written to files in addition to the store? A shard writes only the inputs of its later
    /// steps.
    pub(crate) writes: bool,
}

impl StepContext<'_> {
    pub(crate) fn journal<T: Clone + Serialize + DeserializeOwned + Send + 'static>(
        &self,
        kind: ObservationKind,
        observer: &str,
    ) -> Result<Box<dyn Store<T> + Send>, Error> {
        let own = self.places.journal(kind, observer);
        Ok(Box::new(journal::<T>(kind, observer, &own, self.settings)?))
    }

    /// The folder of an observer that keeps a file for each result; without a cache, it is in the run's folder.
    pub(crate) fn files(&self, kind: ObservationKind, observer: &str) -> Result<PathBuf, Error> {
        StoreFolder::of_observer(kind.id(), observer, &self.places.by_content(kind), self.settings)
    }
}

/// Can a source have observations of this kind? A pool has only features.
pub(crate) fn has_kind(of: ImageSet, kind: ObservationKind) -> bool {
    let mut sides = kind.sides().iter();
    of == ImageSet::Alone || sides.any(|side| ImageSet::from(*side) == of)
}

pub(crate) trait Step {
    fn makes(&self) -> ObservationKind;

    fn model(&self) -> &ModelIdentity;

    fn models(&self) -> Vec<&ModelIdentity> {
        vec![self.model()]
    }

    /// Everything that affects its results, except the items.
    fn recipe(&self) -> Result<Value, Error>;

    /// The recipe, including changes to observations when they are written.
    fn written_recipe(&self) -> Result<Value, Error> {
        self.recipe()
    }

    fn outputs(&self, image_sets: &[ImageSet]) -> Vec<StepOutput>;

    /// The number of items of an output: for most observers, that of its input.
    ///
    /// # Errors
    /// Frames do not make clips.
    fn n_items(&self, output: &StepOutput, inputs: &dyn StepInputs) -> Result<usize, Error> {
        let items = output.reads.first();
        Ok(items.map_or(0, |items| inputs.n_items(*items)))
    }

    /// The number of an output's items in the store; `None` if its inputs are not made yet.
    fn n_cached(&self, output: &StepOutput, step: &StepContext<'_>) -> Result<Option<usize>, Error>;

    /// Fails if the step cannot run although its weights are on this machine. `is_cached` means that the store already
    /// has all its results.
    fn check_ready(&self, _is_cached: bool) -> Result<(), Error> {
        Ok(())
    }

    /// The main memory that the step takes while it runs; `None` if that cannot be known before. `inputs` have the
    /// sizes of images.
    fn memory(&self, inputs: &dyn StepInputs) -> Result<Option<StepMemory>, Error>;

    /// The operations that an item takes ([`operations`](neurogauge_models::operations)); `None` if they are not counted.
    ///
    /// # Errors
    /// Frames do not make clips.
    fn operations(&self, _inputs: &dyn StepInputs) -> Result<Option<f64>, Error> {
        Ok(None)
    }

    /// Makes the results that the store lacks, and writes files if the context says so.
    ///
    /// # Errors
    /// Errors that no single item causes; a failed item, if the settings stop at it.
    fn run(self: Box<Self>, step: &StepContext<'_>) -> Result<Vec<StepResult>, Error>;
}

/// The common prefix of the keys of an observer's results.
pub(crate) fn prefix<O: Observer>(observer: &O) -> Result<KeyPrefix, Error> {
    prefix_of(&O::ABOUT, observer.recipe(), observer.identity())
}

/// The prefix for a model and a recipe. If the bits depend on the processor, the keys name its kind of products.
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

    const ABOUT: About = About::of("features", "7", ObservationKind::Features, 1);

    #[test]
    fn keys_of_products_in_bf16_are_those_of_one_kind_of_processor() -> Result<(), Error> {
        let model = |id: &str| ModelIdentity::named(id);
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
        // Rounded weights with products in f32 give the same result everywhere.
        assert!(key("vit-bf16")? == of_revision("vit-bf16", "7")?);
        Ok(())
    }
}
