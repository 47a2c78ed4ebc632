//! A step of a plan: one observer, its model in memory, goes through the items of every source that it reads.

use super::{Executor, Images, Observer, Perceived, Places, Session};
use crate::Error;
use crate::progress::Progress;
use crate::settings::RunSettings;
use crate::store::Kept;
use neurogauge_core::{Captions, ImageSet, ModelIdentity, ObservationKind, Role};
use neurogauge_formats::store::KeyPrefix;
use neurogauge_models::segmentation::MaskNames;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a step writes for one source, and what it reads for that.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StepOutput {
    /// What it reads, first that whose items it goes through.
    pub reads: Vec<Role>,
    /// What it writes.
    pub writes: Role,
    /// The feature matrix that it writes, if it writes one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub features: Option<String>,
}

/// What steps read: what the user gave, or what an earlier step wrote, opened from disk.
pub(crate) trait StepInputs {
    /// The sources: both sides of a run and its pool, or the one source of a command.
    fn image_sets(&self) -> Vec<ImageSet>;
    /// How many items there are of what a role names.
    fn n_items(&self, role: Role) -> usize;
    /// The images of a source.
    fn images(&self, of: ImageSet) -> Option<Images<'_>>;
    /// The captions of a source; none of an image that has none.
    fn captions(&self, of: ImageSet) -> Option<&[(String, Captions)]>;
    /// For each image of a source the caption of its stimulus, where it has one.
    fn captions_of_stimuli(&self, of: ImageSet) -> Option<Vec<Option<String>>>;
    /// What masks are asked for in each image of a source.
    ///
    /// # Errors
    /// An image without categories, where the user gave them.
    fn mask_names(&self, of: ImageSet) -> Result<Option<Vec<Option<MaskNames>>>, Error>;
    /// Opens what a step wrote, as if a user had brought it.
    ///
    /// # Errors
    /// What cannot be read.
    fn open(&mut self, outputs: &[StepOutput], places: &Places) -> Result<(), Error>;
}

/// What an observer at work is told.
#[derive(Clone, Copy)]
pub(crate) struct StepContext<'a> {
    pub(crate) inputs: &'a dyn StepInputs,
    pub(crate) places: &'a Places,
    pub(crate) settings: &'a RunSettings,
    pub(crate) progress: &'a dyn Progress,
    /// Is what it makes written beside being kept in the store? A part of the work writes only what its later steps read.
    pub(crate) writes: bool,
}

impl<'a> StepContext<'a> {
    pub(crate) fn session<O: Observer>(&self, observer: O) -> Session<'a, O> {
        Session::new(observer, Executor::new(self.settings, self.progress))
    }

    /// The images of each source that has this kind of observation.
    pub(crate) fn images(&self, kind: ObservationKind) -> Vec<(ImageSet, Images<'a>)> {
        let image_sets = self.inputs.image_sets().into_iter();
        let image_sets = image_sets.filter(|of| has_kind(*of, kind));
        let images = image_sets.filter_map(|of| Some((of, self.inputs.images(of)?)));
        images.collect()
    }
}

/// Does a source have observations of this kind? A pool has features only.
pub(crate) fn has_kind(of: ImageSet, kind: ObservationKind) -> bool {
    let mut sides = kind.sides().iter();
    of == ImageSet::Alone || sides.any(|side| ImageSet::from(*side) == of)
}

/// How an observer makes observations of the sources of a command.
pub(crate) trait Step: Observer + Sized {
    /// What it makes.
    fn makes(&self) -> ObservationKind {
        Self::ABOUT.makes
    }

    /// Every model that runs.
    fn models(&self) -> Vec<&ModelIdentity> {
        vec![self.identity()]
    }

    /// What decides what is written, but the items: the recipe, and what is done to observations as they are written.
    ///
    /// # Errors
    /// A recipe that cannot be written as JSON.
    fn written_recipe(&self) -> Result<Value, Error> {
        recipe_json(self.identity(), self.recipe())
    }

    /// What it writes for each source.
    fn outputs(&self, image_sets: &[ImageSet]) -> Vec<StepOutput> {
        let image_sets = image_sets.iter().filter(|of| has_kind(**of, self.makes()));
        let output = |&of: &ImageSet| StepOutput {
            reads: self.makes().reads(of).collect(),
            writes: Role::new(of, self.makes()),
            features: None,
        };
        image_sets.map(output).collect()
    }

    /// What the store has of its results.
    ///
    /// # Errors
    /// A store that cannot be read.
    fn kept(&self, step: &StepContext<'_>) -> Result<Kept, Error> {
        let (own, id) = (step.places.kept(), &self.identity().id);
        Kept::journal(self.makes(), id, own, step.settings)
    }

    /// How many items of an output the store has; `None` where what it reads is not made yet.
    ///
    /// # Errors
    /// A store that cannot be read.
    fn n_cached(
        &self,
        output: &StepOutput,
        step: &StepContext<'_>,
    ) -> Result<Option<usize>, Error> {
        let Some(images) = step.inputs.images(output.writes.of) else {
            return Ok(None);
        };
        let keys = images.keys(&prefix(self)?);
        Ok(Some(self.kept(step)?.count(&keys)))
    }

    /// An error if it could not run although its weights are here; `is_cached`: the store has all that it would make.
    ///
    /// # Errors
    /// A model behind a server that nobody named.
    fn check_ready(&self, _is_cached: bool) -> Result<(), Error> {
        Ok(())
    }

    /// Makes what the store lacks, and writes what the context says.
    ///
    /// # Errors
    /// What no single item is to blame for; a failed item, where the settings say that it stops.
    fn run(self, step: &StepContext<'_>) -> Result<Vec<Perceived>, Error>;
}

/// Any observer, as a plan has it.
pub(crate) trait StepObserver {
    fn makes(&self) -> ObservationKind;
    fn model(&self) -> &ModelIdentity;
    fn models(&self) -> Vec<&ModelIdentity>;
    fn recipe(&self) -> Result<Value, Error>;
    fn written_recipe(&self) -> Result<Value, Error>;
    fn outputs(&self, image_sets: &[ImageSet]) -> Vec<StepOutput>;
    fn n_cached(&self, output: &StepOutput, step: &StepContext<'_>)
    -> Result<Option<usize>, Error>;
    fn check_ready(&self, is_cached: bool) -> Result<(), Error>;
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

    fn n_cached(
        &self,
        output: &StepOutput,
        step: &StepContext<'_>,
    ) -> Result<Option<usize>, Error> {
        Step::n_cached(self, output, step)
    }

    fn check_ready(&self, is_cached: bool) -> Result<(), Error> {
        Step::check_ready(self, is_cached)
    }

    fn run(self: Box<Self>, step: &StepContext<'_>) -> Result<Vec<Perceived>, Error> {
        Step::run(*self, step)
    }
}

/// What the keys of an observer's results have in common.
pub(crate) fn prefix<O: Observer>(observer: &O) -> Result<KeyPrefix, Error> {
    let about = O::ABOUT;
    Ok(KeyPrefix::of(
        about.name,
        about.revision,
        observer.recipe(),
    )?)
}

/// A recipe as records have it.
pub(crate) fn recipe_json(model: &ModelIdentity, recipe: &impl Serialize) -> Result<Value, Error> {
    serde_json::to_value(recipe).map_err(|error| {
        Error::Usage(format!(
            "{}: its recipe cannot be written: {error}",
            model.id
        ))
    })
}
