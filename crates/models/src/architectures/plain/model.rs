//! The networks and where their weights are.

use crate::ModelError;
use crate::checkpoint::Checkpoint;
use crate::checkpoint::layers::Kernel;
use crate::network::{CLASSIFIER_INPUT, Classifier, Layer, LayerKind, LayerOutputs, Network, Outline, Pass, Sides};
use candle_core::Tensor;
use neurogauge_kernels::blocks::{Activation, Convolution, Window, adaptive_average_pool, max_pool};

/// A convolution with its ReLU, or a pooling layer.
enum Part<C> {
    Convolution(C),
    Pool(Window),
}

use Part::Pool;

/// Convolutions and pooling layers, and three fully connected layers unless only maps are wanted.
pub(crate) struct Plain {
    outline: Outline,
    /// Each part with the name of its output.
    parts: Vec<(String, Part<Convolution>)>,
    /// Side of the map that the classifier sees, regardless of the size of the image.
    pooled: usize,
    classifier: Option<Classifier>,
}

impl Plain {
    /// Builds AlexNet from torchvision's tensor names.
    pub(crate) fn alexnet(checkpoint: &mut Checkpoint, classifies: bool) -> Result<Self, ModelError> {
        let of =
            |n_in, n_out, size, stride, padding| Part::Convolution(Kernel::square(n_in, n_out, size, stride, padding));
        let window = Window::square(3, 2, 0);
        let parts = vec![
            of(3, 64, 11, 4, 2),
            Pool(window),
            of(64, 192, 5, 1, 2),
            Pool(window),
            of(192, 384, 3, 1, 1),
            of(384, 256, 3, 1, 1),
            of(256, 256, 3, 1, 1),
            Pool(window),
        ];
        let classifier = classifies.then_some([[1, 4, 6], [2, 5, 6]]);
        Plain::build(checkpoint, "AlexNet", (63, 6), parts, (256, classifier))
    }

    /// Builds VGG-16 from torchvision's tensor names.
    pub(crate) fn vgg16(checkpoint: &mut Checkpoint, classifies: bool) -> Result<Self, ModelError> {
        let (mut parts, mut n_in) = (Vec::new(), 3);
        for (n_out, n_convolutions) in [(64, 2), (128, 2), (256, 3), (512, 3), (512, 3)] {
            for _ in 0..n_convolutions {
                parts.push(Part::Convolution(Kernel::square(n_in, n_out, 3, 1, 1)));
                n_in = n_out;
            }
            parts.push(Pool(Window::square(2, 2, 0)));
        }
        let classifier = classifies.then_some([[0, 3, 6], [1, 4, 6]]);
        Plain::build(checkpoint, "VGG-16", (32, 7), parts, (n_in, classifier))
    }

    /// The smallest side of an image and that of the classifier's map; the parts; and the channels, the positions and
    /// the outputs of the classifier.
    fn build(
        checkpoint: &mut Checkpoint,
        name: &'static str,
        (smallest, pooled): (usize, usize),
        parts: Vec<Part<Kernel>>,
        (n_channels, classifier): (usize, Option<[[usize; 3]; 2]>),
    ) -> Result<Self, ModelError> {
        let (mut own, mut position) = (Vec::new(), 0);
        for part in parts {
            let part = match part {
                Part::Convolution(kernel) => {
                    let convolution = checkpoint.convolution(&format!("features.{position}"), kernel)?;
                    // The ReLU has a position of its own.
                    position += 1;
                    Part::Convolution(convolution.then(Activation::Relu))
                }
                Pool(window) => Pool(window),
            };
            own.push((format!("features.{position}"), part));
            position += 1;
        }
        let n_in = n_channels * pooled * pooled;
        let classifier = classifier
            .map(|[positions, offered]| Classifier::build(checkpoint, n_in, positions, offered))
            .transpose()?;
        let maps = own.iter().map(|(name, _)| name.as_str()).chain([CLASSIFIER_INPUT]);
        let layers = maps
            .map(|name| Layer::new(name, LayerKind::Map))
            .chain(classifier.iter().flat_map(Classifier::layers));
        Ok(Plain {
            outline: Outline::new(name, Sides::AtLeast(smallest), layers.collect()),
            parts: own,
            pooled,
            classifier,
        })
    }
}

impl Network for Plain {
    fn outline(&self) -> &Outline {
        &self.outline
    }

    fn classifier(&self) -> Option<&Classifier> {
        self.classifier.as_ref()
    }

    fn forward(&self, images: &Tensor, outputs: &mut LayerOutputs<'_>) -> Pass<()> {
        let mut x = images.clone();
        for (name, part) in &self.parts {
            x = match part {
                Part::Convolution(convolution) => convolution.forward(&x)?,
                Pool(window) => max_pool(&x, *window)?,
            };
            outputs.offer(name, &x)?;
        }
        x = adaptive_average_pool(&x, self.pooled)?;
        outputs.offer(CLASSIFIER_INPUT, &x)
    }
}
