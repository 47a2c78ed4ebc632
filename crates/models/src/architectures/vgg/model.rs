//! The network and where its weights are.

use crate::ModelError;
use crate::checkpoint::Checkpoint;
use crate::checkpoint::layers::Kernel;
use crate::network::{CLASSIFIER_INPUT, Classifier, Layer, LayerKind, LayerOutputs, Network, Outline, Pass, Sides};
use candle_core::Tensor;
use neurogauge_kernels::blocks::{Activation, Convolution, Window, adaptive_average_pool, max_pool};

/// Channels and number of convolutions of each stage; a pooling layer ends it.
const STAGES: [(usize, usize); 5] = [(64, 2), (128, 2), (256, 3), (512, 3), (512, 3)];
/// Side of the map that the classifier sees, regardless of the size of the image.
const POOLED: usize = 7;

/// Thirteen convolutions and three fully connected layers.
pub(crate) struct Vgg16 {
    outline: Outline,
    stages: Vec<Vec<(String, Convolution)>>,
    classifier: Classifier,
}

impl Vgg16 {
    /// Builds the network from torchvision's tensor names.
    pub(crate) fn build(checkpoint: &mut Checkpoint) -> Result<Self, ModelError> {
        let mut layers = Vec::new();
        let mut stages = Vec::new();
        let (mut position, mut n_in) = (0, 3);
        for (n_out, n_convolutions) in STAGES {
            let mut stage = Vec::new();
            for _ in 0..n_convolutions {
                let kernel = Kernel::square(n_in, n_out, 3, 1, 1);
                let convolution = checkpoint.convolution(&format!("features.{position}"), kernel)?;
                let activated = format!("features.{}", position + 1);
                layers.push(Layer::new(&activated, LayerKind::Map));
                stage.push((activated, convolution.then(Activation::Relu)));
                (position, n_in) = (position + 2, n_out);
            }
            layers.push(Layer::new(format!("features.{position}"), LayerKind::Map));
            position += 1;
            stages.push(stage);
        }
        layers.push(Layer::new(CLASSIFIER_INPUT, LayerKind::Map));
        let n_in = n_in * POOLED * POOLED;
        let classifier = Classifier::build(checkpoint, n_in, [0, 3, 6], [1, 4, 6])?;
        layers.extend(classifier.layers());
        Ok(Vgg16 {
            outline: Outline::new("VGG-16", Sides::AtLeast(32), layers),
            stages,
            classifier,
        })
    }
}

impl Network for Vgg16 {
    fn outline(&self) -> &Outline {
        &self.outline
    }

    fn classifier(&self) -> Option<&Classifier> {
        Some(&self.classifier)
    }

    fn forward(&self, images: &Tensor, outputs: &mut LayerOutputs<'_>) -> Pass<()> {
        let mut x = images.clone();
        let mut position = 0;
        for stage in &self.stages {
            for (name, convolution) in stage {
                x = convolution.forward(&x)?;
                outputs.offer(name, &x)?;
            }
            x = max_pool(&x, Window::square(2, 2, 0))?;
            position += 2 * stage.len();
            outputs.offer(&format!("features.{position}"), &x)?;
            position += 1;
        }
        x = adaptive_average_pool(&x, POOLED)?;
        outputs.offer(CLASSIFIER_INPUT, &x)
    }
}
