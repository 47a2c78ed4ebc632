//! The forward pass.

use crate::network::{LayerOutputs, Network, Outline, Pass};
use candle_core::{Result, Tensor};
use neurogauge_kernels::blocks::{Convolution, DepthwiseConvolution, LayerNorm, Linear, Mlp, global_average_pool};

/// A patch stem, four stages with half the map size from one to the next, and a classifier.
pub(crate) struct ConvNext {
    pub(super) outline: Outline,
    pub(super) stem: (Convolution, LayerNorm),
    pub(super) stages: Vec<Stage>,
    pub(super) classifier: (LayerNorm, Linear),
}

/// Blocks, and in all stages except the first the layer that leads to them.
pub(super) struct Stage {
    pub(super) entrance: Option<Entrance>,
    /// The reference's name for the stage and the prefix of its blocks' names.
    pub(super) name: String,
    pub(super) blocks: Vec<(String, Block)>,
}

/// The layer that halves the map before a stage.
pub(super) struct Entrance {
    pub(super) name: String,
    pub(super) norm: LayerNorm,
    pub(super) convolution: Convolution,
}

/// A window over every channel separately, then a perceptron over the channels of every place.
pub(super) struct Block {
    pub(super) window: DepthwiseConvolution,
    /// The perceptron and its norm; the block's scale is folded into its last weights.
    pub(super) perceptron: Mlp,
}

impl Block {
    fn forward(&self, x: &Tensor) -> Result<Tensor> {
        self.perceptron.forward_residual(&self.window.forward(x)?, x)
    }
}

impl Network for ConvNext {
    fn outline(&self) -> &Outline {
        &self.outline
    }

    fn forward(&self, images: &Tensor, outputs: &mut LayerOutputs<'_>) -> Pass<()> {
        let (convolution, norm) = &self.stem;
        let mut x = norm.forward(&convolution.forward(images)?)?;
        outputs.offer("features.0", &x)?;
        for stage in &self.stages {
            if let Some(entrance) = &stage.entrance {
                x = entrance.convolution.forward(&entrance.norm.forward(&x)?)?;
                outputs.offer(&entrance.name, &x)?;
            }
            for (name, block) in &stage.blocks {
                x = block.forward(&x)?;
                outputs.offer(name, &x)?;
            }
            outputs.offer(&stage.name, &x)?;
        }
        x = global_average_pool(&x)?;
        outputs.offer("avgpool", &x)?;
        let (norm, linear) = &self.classifier;
        outputs.offer("classifier.2", &linear.forward(&norm.forward(&x)?)?)
    }
}
