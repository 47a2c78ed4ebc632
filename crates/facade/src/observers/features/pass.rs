//! One pass of an image model over the images of every source: a step that writes a matrix for each layer and source.

use super::{ImageFeatures, Making, Models, SourceFeatures, equal_preparations};
use crate::Error;
use crate::execute::{
    Clips, Executor, Items, Model, Session, Step, StepContext, StepInputs, StepMemory, StepOutput, StepResult,
    is_of_clips, largest_of, n_pixels, recipe_json,
};
use crate::odd_frames::OddFrames;
use crate::store::{StoreFolder, existing};
use neurogauge_core::{ImageSet, ModelIdentity, ObservationKind, Role};
use neurogauge_formats::store::Matrices;
use neurogauge_models::{DeviceChoice, FeatureRecipe, ImageModel, operations};
use serde_json::Value;

/// Some layers of one model, for images prepared in one way.
pub(crate) struct FeaturePass {
    recipes: Vec<FeatureRecipe>,
    /// The recipes that the common pool needs too.
    of_pool: Vec<FeatureRecipe>,
    /// The recipes of all passes of the command, which share folders: those for every source, and those for the pool.
    of_command: [Vec<FeatureRecipe>; 2],
    observer: ImageFeatures,
    odd_frames: OddFrames,
    /// The model, if it is already in memory.
    loaded: Option<Box<dyn ImageModel>>,
}

impl FeaturePass {
    /// The passes that make matrices, in order of the models' first use.
    pub(crate) fn all(
        recipes: &[FeatureRecipe],
        of_pool: &[FeatureRecipe],
        odd_frames: OddFrames,
        models: &mut Models<'_>,
    ) -> Vec<FeaturePass> {
        let passes = by_model(recipes).into_iter().enumerate();
        let pass = |(place, group): (usize, Vec<FeatureRecipe>)| {
            let first = &group[0];
            let observer = ImageFeatures::of(first, models.found(&first.model), models.device());
            FeaturePass {
                of_pool: group.iter().filter(|recipe| of_pool.contains(recipe)).cloned().collect(),
                // Matrices of clips and of images are in separate folders.
                of_command: [recipes, of_pool].map(|recipes| {
                    let is_of = |recipe: &&FeatureRecipe| is_of_clips(&recipe.model.id) == is_of_clips(&first.model.id);
                    recipes.iter().filter(is_of).cloned().collect()
                }),
                odd_frames,
                // Later models are read again, so that only one is in memory at a time.
                loaded: (place == 0).then(|| models.take_loaded(&first.model)).flatten(),
                observer,
                recipes: group,
            }
        };
        passes.map(pass).collect()
    }

    fn of_set(&self, of: ImageSet) -> &[FeatureRecipe] {
        match of {
            ImageSet::Pool => &self.of_pool,
            _ => &self.recipes,
        }
    }

    /// The units of a source that the model sees together.
    fn items<'i>(&self, inputs: &'i dyn StepInputs, of: ImageSet) -> Result<Option<Clips<'i>>, Error> {
        let images = inputs.images(of);
        images.map(|images| Clips::of(images, &self.observer.model.id, self.odd_frames)).transpose()
    }

    /// The most pixels that the model sees together.
    fn input_pixels(&self, inputs: &dyn StepInputs) -> Result<u64, Error> {
        let images = largest_of(inputs, self.makes());
        let frames = inputs.image_sets().into_iter().map(|of| self.items(inputs, of));
        let frames = frames.collect::<Result<Vec<_>, Error>>()?;
        let n_frames = frames.into_iter().flatten().map(|items| items.longest()).max();
        Ok(n_pixels(self.observer.preprocessing.size(images.0, images.1)) * n_frames.unwrap_or(1) as u64)
    }
}

impl Step for FeaturePass {
    fn makes(&self) -> ObservationKind {
        ObservationKind::Features
    }

    fn model(&self) -> &ModelIdentity {
        &self.observer.model
    }

    fn recipe(&self) -> Result<Value, Error> {
        recipe_json(&self.observer.model, &self.recipes)
    }

    fn outputs(&self, image_sets: &[ImageSet]) -> Vec<StepOutput> {
        let outputs = self.recipes.iter().flat_map(|recipe| {
            image_sets.iter().filter(|of| self.of_set(**of).contains(recipe)).map(|&of| StepOutput {
                reads: self.makes().reads(of).collect(),
                writes: Role::new(of, self.makes()),
                features: Some(recipe.name()),
            })
        });
        outputs.collect()
    }

    fn n_cached(&self, output: &StepOutput, step: &StepContext<'_>) -> Result<Option<usize>, Error> {
        let recipe = self.recipes.iter().find(|recipe| Some(recipe.name()) == output.features);
        let items = self.items(step.inputs, output.writes.of)?;
        let (Some(recipe), Some(items)) = (recipe, items) else {
            return Ok(None);
        };
        let id = self.makes().id();
        let Some(store) = existing(id, &step.places.kept.join(id), step.settings) else {
            return Ok(Some(0));
        };
        let made = Making::of(recipe, items.images.record);
        let equal = made.prepared_as(&equal_preparations(recipe, items.images.source));
        let rows = Matrices::open(Some(store.join(recipe.name_of_layer())), made, equal);
        Ok(Some(items.hashes.iter().filter(|hash| rows.has(hash)).count()))
    }

    fn n_items(&self, output: &StepOutput, inputs: &dyn StepInputs) -> Result<usize, Error> {
        let items = self.items(inputs, output.writes.of)?;
        Ok(items.map_or(0, |items| items.len()))
    }

    fn memory(&self, inputs: &dyn StepInputs) -> Result<Option<StepMemory>, Error> {
        let observer = &self.observer;
        let weights = observer.found.as_ref().map(|found| found.weight_memory(observer.device));
        let (input_pixels, batch) = (self.input_pixels(inputs)?, observer.n_together());
        let of = |weights| StepMemory::of_image_network(&observer.model.id, weights, input_pixels, batch);
        Ok(weights.transpose()?.flatten().map(of))
    }

    fn operations(&self, inputs: &dyn StepInputs) -> Result<Option<f64>, Error> {
        match self.observer.device {
            DeviceChoice::Cpu => Ok(operations(&self.observer.model.id, self.input_pixels(inputs)?)),
            _ => Ok(None),
        }
    }

    fn run(self: Box<Self>, step: &StepContext<'_>) -> Result<Vec<StepResult>, Error> {
        let kind = self.makes();
        let own = step.settings.out.join("observations").join(kind.id());
        let store = StoreFolder::open(kind.id(), &own, step.settings)?;
        let mut made: Vec<StepResult> = self
            .recipes
            .iter()
            .map(|recipe| StepResult {
                name: recipe.name(),
                ..StepResult::by(kind, &recipe.model)
            })
            .collect();
        let of_holders = step.inputs.image_sets().into_iter().map(|of| {
            let of_command = &self.of_command[usize::from(of == ImageSet::Pool)];
            let recipes = self.of_set(of).to_vec();
            let items = match recipes.is_empty() {
                true => None,
                false => self.items(step.inputs, of)?,
            };
            Ok((of, items, recipes, of_command.clone()))
        });
        let of_holders = of_holders.collect::<Result<Vec<_>, Error>>()?;
        let executor = Executor::new(step.settings, step.progress);
        let model = self.loaded.map(Model::Own);
        let mut session = Session::new(self.observer, executor).with_model(model);
        for (of, items, recipes, of_command) in of_holders {
            let Some(items) = items else { continue };
            let folder = step.places.features(of, &recipes[0].name());
            let source = SourceFeatures {
                items,
                folder: &folder,
                label: of.folder(),
            };
            if session.executor.shard.is_none() {
                source.prepare(&of_command, step.progress)?;
            }
            let (n_seen, failed) = source.observe(&recipes, &mut session, &store)?;
            for made in made.iter_mut().filter(|made| recipes.iter().any(|recipe| recipe.name() == made.name)) {
                made.paths.push(folder.join(format!("{}.npy", made.name)));
                made.count(source.items.len(), n_seen, failed.clone());
            }
        }
        Ok(made)
    }
}

/// The recipes grouped by model and preprocessing, in order of the models' first use.
fn by_model(recipes: &[FeatureRecipe]) -> Vec<Vec<FeatureRecipe>> {
    let is_together = |one: &FeatureRecipe, other: &FeatureRecipe| {
        one.model == other.model && one.preprocessing == other.preprocessing
    };
    let mut groups: Vec<Vec<FeatureRecipe>> = Vec::new();
    for recipe in recipes {
        match groups.iter_mut().find(|group| is_together(&group[0], recipe)) {
            Some(group) => group.push(recipe.clone()),
            None => groups.push(vec![recipe.clone()]),
        }
    }
    groups
}
