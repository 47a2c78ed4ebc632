//! The forward pass.

use crate::blocks::{Convolution, InvertedBottleneck, Linear, Scratch, global_average_pool};
use crate::observers::image_features::{Layer, Network, Pass, Taps};
use candle_core::Tensor;

/// Stem, seven stages of inverted bottlenecks, head, classifier.
pub(crate) struct EfficientNet {
    pub(super) layers: Vec<Layer>,
    pub(super) stem: Convolution,
    pub(super) stages: Vec<Vec<(String, InvertedBottleneck)>>,
    pub(super) head: Convolution,
    pub(super) classifier: Linear,
}

impl Network for EfficientNet {
    fn architecture(&self) -> &'static str {
        "EfficientNet-B1"
    }

    fn layers(&self) -> &[Layer] {
        &self.layers
    }

    fn refuses(&self, width_px: usize, height_px: usize) -> Option<String> {
        (width_px.min(height_px) == 0).then(|| "at least one pixel".to_owned())
    }

    fn forward(&self, images: &Tensor, taps: &mut Taps<'_>) -> Pass<()> {
        let mut x = self.stem.forward(images)?;
        taps.offer("features.0", &x)?;
        let mut scratch = Scratch::default();
        for (stage, blocks) in self.stages.iter().enumerate() {
            for (name, block) in blocks {
                x = block.forward(&x, &mut scratch)?;
                taps.offer(name, &x)?;
            }
            taps.offer(&format!("features.{}", stage + 1), &x)?;
        }
        let x = self.head.forward(&x)?;
        taps.offer(&format!("features.{}", self.stages.len() + 1), &x)?;
        let x = global_average_pool(&x)?;
        taps.offer("avgpool", &x)?;
        taps.offer("classifier.1", &self.classifier.forward(&x)?)
    }
}
