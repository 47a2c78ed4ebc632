//! Image features: which layer of which model users request, and how a matrix of them was made.

mod embedding;
mod recipe;

pub use embedding::model_of_family;
pub use recipe::{FeatureRecipe, ModelLayers};
