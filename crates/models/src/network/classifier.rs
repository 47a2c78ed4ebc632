//! The fully connected layers at the end of the older networks.

use super::{Layer, LayerKind, LayerOutputs, Pass};
use crate::ModelError;
use crate::checkpoint::Checkpoint;
use candle_core::Tensor;
use neurogauge_kernels::blocks::{Activation, WideLinear};

/// Number of features between the layers.
const WIDTH: usize = 4096;
const N_CLASSES: usize = 1000;

/// Three fully connected layers that follow [`CLASSIFIER_INPUT`], with a ReLU after each except the last. Their
/// hundreds of megabytes of weights take longer to read than to use, so they are read once for all images of a batch,
/// not once in each pass.
pub(crate) struct Classifier {
    layers: [(String, WideLinear); 3],
}

/// The layer that a classifier starts from.
pub(crate) const CLASSIFIER_INPUT: &str = "avgpool";

impl Classifier {
    /// Builds it from torchvision's `classifier`, given the positions of the three layers and of the outputs offered
    /// for each.
    pub(crate) fn build(
        checkpoint: &mut Checkpoint,
        n_in: usize,
        positions: [usize; 3],
        offered: [usize; 3],
    ) -> Result<Self, ModelError> {
        let mut linear = |layer: usize, n_in, n_out| {
            checkpoint.wide_linear(&format!("classifier.{}", positions[layer]), n_in, n_out)
        };
        let first = linear(0, n_in, WIDTH)?.then(Activation::Relu);
        let second = linear(1, WIDTH, WIDTH)?.then(Activation::Relu);
        let third = linear(2, WIDTH, N_CLASSES)?;
        let [a, b, c] = offered.map(|position| format!("classifier.{position}"));
        Ok(Classifier {
            layers: [(a, first), (b, second), (c, third)],
        })
    }

    /// The layers that can be requested.
    pub(crate) fn layers(&self) -> impl Iterator<Item = Layer> {
        self.layers.iter().map(|(name, _)| name).map(|name| Layer::new(name, LayerKind::Vector))
    }

    /// Does this layer belong to the classifier?
    pub(crate) fn has(&self, name: &str) -> bool {
        self.layers.iter().any(|(own, _)| own == name)
    }

    /// Classifies the rows of a whole batch on all threads, and offers every layer's output.
    pub(crate) fn forward(&self, rows: &Tensor, outputs: &mut LayerOutputs<'_>) -> Pass<()> {
        let mut x = rows.clone();
        for (name, linear) in &self.layers {
            x = linear.forward(&x)?;
            outputs.offer(name, &x)?;
        }
        Ok(())
    }
}
