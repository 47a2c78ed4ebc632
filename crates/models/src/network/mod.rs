//! Networks that turn images into the outputs of their layers: the traits, and what all of them share.

mod classifier;
mod layer_outputs;
mod outline;
mod pooling;
mod vision_model;

pub(crate) use classifier::{CLASSIFIER_INPUT, Classifier};
pub(crate) use layer_outputs::{Halt, Layer, LayerKind, LayerOutputs, Pass};
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
    /// A layer that the model does not have; images of different sizes or of a size that the model cannot take.
    fn features(&self, images: &[Image<f32>], requests: &[LayerRequest]) -> Result<Vec<FeatureMatrix>, ModelError>;
}

/// A layer and the pooling of its positions.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct LayerRequest {
    pub layer: String,
    /// Over the positions.
    pub pooling: Pooling,
}

impl LayerRequest {
    pub fn new(layer: &str, pooling: Pooling) -> LayerRequest {
        LayerRequest {
            layer: layer.to_owned(),
            pooling,
        }
    }

    /// All positions of a layer.
    pub fn whole(layer: &str) -> LayerRequest {
        LayerRequest::new(layer, Pooling::None)
    }
}

/// Feature vectors, one row for each image.
#[derive(Debug, Clone, PartialEq)]
pub struct FeatureMatrix {
    /// Length of a row.
    pub n_features: usize,
    /// Row-major.
    pub values: Vec<f32>,
}

/// A network that turns maps of pixels into layers' outputs.
pub(crate) trait Network: Send + Sync {
    fn outline(&self) -> &Outline;

    /// Number of images in one pass of one thread. Few keep the maps in the cache; many read the
    /// weights less often.
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
