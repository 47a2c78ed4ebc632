//! The network and where its weights are.

use crate::ModelError;
use crate::checkpoint::Checkpoint;
use crate::checkpoint::layers::Kernel;
use crate::network::{CLASSIFIER_INPUT, Classifier, Layer, LayerKind, LayerOutputs, Network, Outline, Pass, Sides};
use candle_core::Tensor;
use neurogauge_kernels::blocks::{Activation, Convolution, Window, adaptive_average_pool, max_pool};

/// Side of the map that the classifier sees, regardless of the size of the image.
const POOLED: usize = 6;

/// Each convolution's position in torchvision's `features`, and its shape.
const CONVOLUTIONS: [(usize, Kernel); 5] = [
    (0, Kernel::square(3, 64, 11, 4, 2)),
    (3, Kernel::square(64, 192, 5, 1, 2)),
    (6, Kernel::square(192, 384, 3, 1, 1)),
    (8, Kernel::square(384, 256, 3, 1, 1)),
    (10, Kernel::square(256, 256, 3, 1, 1)),
];
/// Positions of the pooling layers in torchvision's `features`.
const POOLS: [usize; 3] = [2, 5, 12];

/// Five convolutions and three fully connected layers.
pub(crate) struct AlexNet {
    outline: Outline,
    convolutions: Vec<Convolution>,
    classifier: Classifier,
}

impl AlexNet {
    /// Builds the network from torchvision's tensor names.
    pub(crate) fn build(checkpoint: &mut Checkpoint) -> Result<Self, ModelError> {
        let mut layers = Vec::new();
        let mut convolutions = Vec::new();
        for (position, kernel) in CONVOLUTIONS {
            let convolution = checkpoint.convolution(&format!("features.{position}"), kernel)?;
            convolutions.push(convolution.then(Activation::Relu));
            layers.push(position + 1);
        }
        layers.extend(POOLS);
        layers.sort_unstable();
        let mut layers: Vec<Layer> = layers
            .into_iter()
            .map(|position| Layer::new(format!("features.{position}"), LayerKind::Map))
            .collect();
        layers.push(Layer::new(CLASSIFIER_INPUT, LayerKind::Map));
        let n_in = 256 * POOLED * POOLED;
        let classifier = Classifier::build(checkpoint, n_in, [1, 4, 6], [2, 5, 6])?;
        layers.extend(classifier.layers());
        Ok(AlexNet {
            outline: Outline::new("AlexNet", Sides::AtLeast(63), layers),
            convolutions,
            classifier,
        })
    }
}

impl Network for AlexNet {
    fn outline(&self) -> &Outline {
        &self.outline
    }

    fn classifier(&self) -> Option<&Classifier> {
        Some(&self.classifier)
    }

    fn forward(&self, images: &Tensor, outputs: &mut LayerOutputs<'_>) -> Pass<()> {
        let mut x = images.clone();
        for ((position, _), convolution) in CONVOLUTIONS.iter().zip(&self.convolutions) {
            x = convolution.forward(&x)?;
            outputs.offer(&format!("features.{}", position + 1), &x)?;
            if POOLS.contains(&(position + 2)) {
                x = max_pool(&x, Window::square(3, 2, 0))?;
                outputs.offer(&format!("features.{}", position + 2), &x)?;
            }
        }
        x = adaptive_average_pool(&x, POOLED)?;
        outputs.offer(CLASSIFIER_INPUT, &x)
    }
}
