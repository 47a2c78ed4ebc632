//! Networks that turn images into the outputs of their layers: the traits, and what all of them share.

mod classifier;
mod layer_outputs;
mod outline;
mod pooling;
mod vision_model;

pub(crate) use classifier::{CLASSIFIER_INPUT, Classifier};
pub(crate) use layer_outputs::{Halt, Layer, LayerKind, LayerOutputs, PartOutput, Pass};
pub(crate) use outline::{Outline, Sides};
pub use pooling::Pooling;
pub(crate) use pooling::{OF_TOKENS, POOLINGS};
pub(crate) use vision_model::{VisionModel, outputs};

use crate::ModelError;
use candle_core::Tensor;
use neurogauge_core::{Image, ModelIdentity};
use serde::{Deserialize, Serialize};

/// Turns images into feature vectors, at any of its layers.
pub trait ImageModel: Send + Sync {
    /// Identifies the weights.
    fn identity(&self) -> &ModelIdentity;

    /// The layers that can be requested, in the order of the forward pass, under the reference library's names.
    fn layers(&self) -> Vec<&str>;

    /// The activations of these layers, one matrix for each request, row-major, shape
    /// (`n_images`, `n_features`). Nothing after the last requested layer is computed.
    ///
    /// The images must be preprocessed and have the same size. Values of a layer are in the order of the reference
    /// library's tensor (channels, rows, columns; tokens, features). On the CPU in f32 the row of an image is the same
    /// to the bit alone and in a batch, and with any number of threads; other devices may round differently in another
    /// batch.
    ///
    /// # Errors
    /// A layer that the model does not have; images of different sizes or of a size that the model cannot take.
    fn features(&self, images: &[Image<f32>], requests: &[LayerRequest]) -> Result<Vec<FeatureMatrix>, ModelError>;
}

/// A layer, and how its positions are pooled.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct LayerRequest {
    pub layer: String,
    pub pooling: Pooling,
}

impl LayerRequest {
    pub fn new(layer: &str, pooling: Pooling) -> LayerRequest {
        LayerRequest {
            layer: layer.to_owned(),
            pooling,
        }
    }

    /// Requests all positions of a layer, without pooling.
    pub fn whole(layer: &str) -> LayerRequest {
        LayerRequest::new(layer, Pooling::None)
    }
}

/// Feature vectors, one row per image.
#[derive(Debug, Clone, PartialEq)]
pub struct FeatureMatrix {
    pub n_features: usize,
    /// Shape (image, feature), row-major.
    pub values: Vec<f32>,
}

/// A network that turns preprocessed images into the outputs of its layers.
pub(crate) trait Network: Send + Sync {
    fn outline(&self) -> &Outline;

    /// Number of images in one pass of one thread. With few images, maps stay in the cache; with many, the weights are
    /// read less often.
    fn images_per_pass(&self) -> usize {
        2
    }

    /// The layers after [`CLASSIFIER_INPUT`], the last layer of its forward pass, computed on the whole batch at once.
    fn classifier(&self) -> Option<&Classifier> {
        None
    }

    /// Runs preprocessed images, shape (image, row, column, 3), and offers every layer's output.
    fn forward(&self, images: &Tensor, outputs: &mut LayerOutputs<'_>) -> Pass<()>;
}
