//! The network and where its weights are.

use crate::ModelError;
use crate::blocks::{
    Activation, Convolution, Linear, Window, adaptive_average_pool, flattened, max_pool,
};
use crate::checkpoint::Checkpoint;
use crate::checkpoint_layers::Kernel;
use crate::taps::{Layer, LayerKind, Pass, Taps};
use crate::vision_model::Network;
use candle_core::Tensor;

/// Channels and number of convolutions of each stage; a pooling layer ends it.
const STAGES: [(usize, usize); 5] = [(64, 2), (128, 2), (256, 3), (512, 3), (512, 3)];
/// Side of the map that the classifier sees, whatever the size of the image.
const POOLED: usize = 7;
const N_CLASSES: usize = 1000;

/// Thirteen convolutions and three fully connected layers.
pub(crate) struct Vgg16 {
    layers: Vec<Layer>,
    stages: Vec<Vec<(String, Convolution)>>,
    classifier: [(&'static str, Linear); 3],
}

impl Vgg16 {
    /// From torchvision's names.
    pub(crate) fn build(checkpoint: &mut Checkpoint) -> Result<Self, ModelError> {
        let mut layers = Vec::new();
        let mut stages = Vec::new();
        let (mut position, mut n_in) = (0, 3);
        for (n_out, n_convolutions) in STAGES {
            let mut stage = Vec::new();
            for _ in 0..n_convolutions {
                let kernel = Kernel::square(n_in, n_out, 3, 1, 1);
                let convolution =
                    checkpoint.convolution(&format!("features.{position}"), kernel)?;
                let activated = format!("features.{}", position + 1);
                layers.push(Layer::new(&activated, LayerKind::Map));
                stage.push((activated, convolution.then(Activation::Relu)));
                (position, n_in) = (position + 2, n_out);
            }
            layers.push(Layer::new(format!("features.{position}"), LayerKind::Map));
            position += 1;
            stages.push(stage);
        }
        layers.push(Layer::new("avgpool", LayerKind::Map));
        for name in ["classifier.1", "classifier.4", "classifier.6"] {
            layers.push(Layer::new(name, LayerKind::Vector));
        }
        let first = checkpoint.linear("classifier.0", n_in * POOLED * POOLED, 4096)?;
        let second = checkpoint.linear("classifier.3", 4096, 4096)?;
        let third = checkpoint.linear("classifier.6", 4096, N_CLASSES)?;
        Ok(Vgg16 {
            layers,
            stages,
            classifier: [
                ("classifier.1", first.then(Activation::Relu)),
                ("classifier.4", second.then(Activation::Relu)),
                ("classifier.6", third),
            ],
        })
    }
}

impl Network for Vgg16 {
    fn architecture(&self) -> &'static str {
        "VGG-16"
    }

    fn layers(&self) -> &[Layer] {
        &self.layers
    }

    fn refuses(&self, width_px: usize, height_px: usize) -> Option<String> {
        (width_px.min(height_px) < 32).then(|| "at least 32 px on each side".to_owned())
    }

    fn images_per_pass(&self) -> usize {
        // The classifier's weights, 495 MB, are read once in each pass.
        4
    }

    fn forward(&self, images: &Tensor, taps: &mut Taps<'_>) -> Pass<()> {
        let mut x = images.clone();
        let mut position = 0;
        for stage in &self.stages {
            for (name, convolution) in stage {
                x = convolution.forward(&x)?;
                taps.offer(name, &x)?;
            }
            x = max_pool(&x, Window::square(2, 2, 0))?;
            position += 2 * stage.len();
            taps.offer(&format!("features.{position}"), &x)?;
            position += 1;
        }
        x = adaptive_average_pool(&x, POOLED)?;
        taps.offer("avgpool", &x)?;
        x = flattened(&x)?;
        for (name, linear) in &self.classifier {
            x = linear.forward(&x)?;
            taps.offer(name, &x)?;
        }
        Ok(())
    }
}
