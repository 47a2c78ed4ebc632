//! The forward pass.

use super::block::Block;
use crate::network::{LayerOutputs, Network, Outline, Pass};
use candle_core::{Result, Tensor};
use neurogauge_kernels::blocks::{Convolution, LayerNorm, Linear, global_average_pool, neighbours};

/// A patch stem, stages of blocks with half the map size from one to the next, and a classifier.
pub(crate) struct Swin {
    pub(super) outline: Outline,
    pub(super) stem: (Convolution, LayerNorm),
    pub(super) stages: Vec<Stage>,
    pub(super) norm: LayerNorm,
    pub(super) head: Linear,
}

/// Blocks, and in all stages except the first the layer that leads to them.
pub(super) struct Stage {
    pub(super) merging: Option<Merging>,
    /// The reference's name for the stage and the prefix of its blocks' names.
    pub(super) name: String,
    pub(super) blocks: Vec<(String, Block)>,
}

impl Network for Swin {
    fn outline(&self) -> &Outline {
        &self.outline
    }

    fn forward(&self, images: &Tensor, outputs: &mut LayerOutputs<'_>) -> Pass<()> {
        let (convolution, norm) = &self.stem;
        let mut x = norm.forward(&convolution.forward(images)?)?;
        outputs.offer("features.0", &x)?;
        for stage in &self.stages {
            if let Some(merging) = &stage.merging {
                x = merging.forward(&x)?;
                outputs.offer(&merging.name, &x)?;
            }
            for (name, block) in &stage.blocks {
                x = block.forward(&x)?;
                outputs.offer(name, &x)?;
            }
            outputs.offer(&stage.name, &x)?;
        }
        x = self.norm.forward(&x)?;
        outputs.offer("norm", &x)?;
        x = global_average_pool(&x)?;
        outputs.offer("avgpool", &x)?;
        outputs.offer("flatten", &x)?;
        outputs.offer("head", &self.head.forward(&x)?)
    }
}

/// Merges 2 x 2 positions into one: halves the map and doubles its channels.
pub(super) struct Merging {
    pub(super) name: String,
    /// The norm over the features of all four positions.
    pub(super) norm: LayerNorm,
    pub(super) reduction: Linear,
}

impl Merging {
    pub(super) fn forward(&self, x: &Tensor) -> Result<Tensor> {
        self.reduction.forward(&self.norm.forward(&neighbours(x)?)?)
    }
}
