//! Images to feature matrices: decoded and prepared on some threads, read by a model on others,
//! written row by row, and never computed twice.
//!
//! - [`perceive`]: a source of images and some models in, a features folder out.
//! - `models`: found once each, one in memory at a time.
//! - `plan`: which features a run needs that nobody has computed.
//! - `pipeline`: prepared images in order, few of them in memory at a time.
//! - [`LoadedImageModel`]: a model in memory, images in memory, nothing on disk.
//! - `features_folder`, `matrix`: what is on disk, and what of it still holds.

mod batch;
mod features_folder;
mod loaded;
mod matrix;
mod models;
pub(crate) mod pipeline;
mod plan;
mod recipe;
#[cfg(test)]
mod refusals;
mod request;
mod run;
mod side;

pub use loaded::LoadedImageModel;
pub(crate) use matrix::recorded_recipe;
pub(crate) use models::Models;
pub(crate) use plan::{Perceivable, Plan};
pub use recipe::FeatureRecipe;
pub use request::{ModelLayers, PerceiveRequest, PerceptionOptions};
pub use run::{PerceivedMatrix, perceive};
pub(crate) use run::{perceive_images, perceive_inputs};
