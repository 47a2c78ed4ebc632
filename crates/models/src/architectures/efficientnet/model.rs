//! The forward pass.

use crate::network::{LayerOutputs, Network, Outline, Pass};
use candle_core::Tensor;
use neurogauge_kernels::blocks::{Convolution, InvertedBottleneck, Linear, Scratch, global_average_pool};

/// Stem, seven stages of inverted bottlenecks, head, classifier.
pub(crate) struct EfficientNet {
    pub(super) outline: Outline,
    pub(super) stem: Convolution,
    pub(super) stages: Vec<Vec<(String, InvertedBottleneck)>>,
    pub(super) head: Convolution,
    pub(super) classifier: Linear,
}

impl Network for EfficientNet {
    fn outline(&self) -> &Outline {
        &self.outline
    }

    fn forward(&self, images: &Tensor, outputs: &mut LayerOutputs<'_>) -> Pass<()> {
        let mut x = self.stem.forward(images)?;
        outputs.offer("features.0", &x)?;
        let mut scratch = Scratch::default();
        for (stage, blocks) in self.stages.iter().enumerate() {
            for (name, block) in blocks {
                let next = block.forward(&x, &mut scratch)?;
                outputs.release(&x)?;
                x = next;
                outputs.offer(name, &x)?;
            }
            outputs.offer(&format!("features.{}", stage + 1), &x)?;
        }
        let x = self.head.forward(&x)?;
        outputs.offer(&format!("features.{}", self.stages.len() + 1), &x)?;
        let x = global_average_pool(&x)?;
        outputs.offer("avgpool", &x)?;
        outputs.offer("classifier.1", &self.classifier.forward(&x)?)
    }
}
