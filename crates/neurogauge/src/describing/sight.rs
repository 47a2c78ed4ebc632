//! Kinds of things that models say of images.

use crate::progress::Progress;
use crate::request::RunSettings;
use neurogauge_core::{Image, ModelIdentity};
use neurogauge_models::{DeviceChoice, ModelError};
use serde::Serialize;

/// A kind of thing that a model says of one image.
pub(crate) trait Sight {
    /// All that decides what is said, but the image.
    type Recipe: Serialize + Sync;
    /// A model whose weights are at hand.
    type Found;
    /// A model that is in memory.
    type Model: ?Sized;
    /// An image as the model takes it.
    type Input: Clone + Send;
    /// What is said.
    type Said;

    /// Its name, which keys hold.
    const NAME: &'static str;
    /// Images that are in memory together.
    const TOGETHER: usize;

    /// The model of a recipe.
    fn identity(recipe: &Self::Recipe) -> &ModelIdentity;
    /// Reads the weights.
    fn load(found: &Self::Found) -> Result<Box<Self::Model>, ModelError>;
    /// Prepares an image.
    fn prepare(recipe: &Self::Recipe, image: &Image<f32>) -> Result<Self::Input, ModelError>;
    /// What the model says of each.
    fn look(
        recipe: &Self::Recipe,
        model: &Self::Model,
        inputs: &[Self::Input],
    ) -> Result<Vec<Self::Said>, ModelError>;
}

/// Says that a model runs on the processor, where another device was asked for.
pub(crate) fn note_device(model: &str, settings: &RunSettings, progress: &dyn Progress) {
    if settings.device != DeviceChoice::Cpu {
        progress.note(&format!(
            "{model} runs on the processor (cpu); --device {} is where image models run that give features",
            settings.device
        ));
    }
}
