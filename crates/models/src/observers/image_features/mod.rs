//! Image features: the trait of image models, what their networks share, and how a model is found by its id.

mod classifier;
mod embedding;
mod layer_outputs;
mod local;
mod network;
mod recipe;

pub(crate) use classifier::{CLASSIFIER_INPUT, Classifier};
pub use embedding::model_of_family;
pub(crate) use layer_outputs::{Halt, Layer, LayerKind, LayerOutputs, Pass};
pub(crate) use local::base_id;
pub use local::{ImageFeatures, LocalImageModel, PLACEHOLDER_IMAGE_MODEL, load_image_model};
pub(crate) use network::{Network, VisionModel, outputs};
pub use recipe::{FeatureRecipe, ModelLayers};

use crate::ModelError;
use neurogauge_core::{Image, ModelIdentity};
use serde::{Deserialize, Serialize};

/// Turns images into feature vectors, at any of its layers.
pub trait ImageModel: Send + Sync {
    /// Which weights these are.
    fn identity(&self) -> &ModelIdentity;

    /// The layers that can be asked for, in the order of the forward pass, under the names that the
    /// reference library gives them.
    fn layers(&self) -> Vec<&str>;

    /// The activations of these layers, one matrix for each request, row-major, shape
    /// (`n_images`, `n_features`). Nothing behind the last of the layers is computed.
    ///
    /// The images are preprocessed ones, all of one size. Values of a layer are in the order of the
    /// reference library's tensor (channels, rows, columns; tokens, features). On the processor in f32
    /// the row of an image is the same to the bit alone and in a batch, and with any number of threads;
    /// other devices may round differently in another batch.
    ///
    /// # Errors
    /// [`ModelError::UnknownLayer`]; images of different sizes or of a size that the model cannot take.
    fn features(
        &self,
        images: &[Image<f32>],
        requests: &[LayerRequest],
    ) -> Result<Vec<FeatureMatrix>, ModelError>;
}

/// A layer and the pooling of its positions.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct LayerRequest {
    /// Name of the layer.
    pub layer: String,
    /// Over the positions.
    pub pooling: Pooling,
}

/// How the positions of a layer (the places of a map, or the tokens of a sequence) are combined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pooling {
    /// All of them, one after the other.
    #[default]
    None,
    /// The mean over all positions, a class token and registers included.
    Mean,
    /// The mean over the patches: all positions except the class token and registers.
    MeanWithoutClassToken,
    /// The class token alone.
    ClassToken,
}

/// Feature vectors, one row for each image.
#[derive(Debug, Clone, PartialEq)]
pub struct FeatureMatrix {
    /// Length of a row.
    pub n_features: usize,
    /// Row-major.
    pub values: Vec<f32>,
}
