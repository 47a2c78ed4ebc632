//! The forward pass.

use crate::network::{LayerOutputs, Network, Outline, Pass};
use candle_core::{Result, Tensor};
use neurogauge_kernels::blocks::slices::release;
use neurogauge_kernels::blocks::{Convolution, Linear, Window, average_pool, global_average_pool, max_pool};

/// Stem, four stages of blocks, and an optional classifier.
pub(crate) struct ResNet {
    pub(super) outline: Outline,
    pub(super) stem: Convolution,
    pub(super) stages: Vec<Stage>,
    pub(super) classifier: Option<Linear>,
}

/// Consecutive blocks on maps of one size.
pub(crate) struct Stage {
    pub(super) name: String,
    pub(super) blocks: Vec<Block>,
}

/// Consecutive convolutions, and the shortcut around them.
pub(super) struct Block {
    pub(super) name: String,
    pub(super) first: Convolution,
    pub(super) middle: Option<Convolution>,
    /// Halves the maps before the last convolution and before the shortcut.
    pub(super) pool: Option<Window>,
    /// Its output is added to the shortcut before its activation.
    pub(super) last: Convolution,
    pub(super) shortcut: Option<Convolution>,
}

impl Block {
    fn forward(&self, x: &Tensor) -> Result<Tensor> {
        let pooled = |x: Tensor| match self.pool {
            Some(window) => average_pool(&x, window),
            None => Ok(x),
        };
        let mut inner = self.first.forward(x)?;
        if let Some(middle) = &self.middle {
            let next = middle.forward(&inner)?;
            release(&inner)?;
            inner = next;
        }
        let inner = pooled(inner)?;
        let out = match &self.shortcut {
            Some(shortcut) => {
                let around = shortcut.forward(&pooled(x.clone())?)?;
                let out = self.last.forward_residual(&inner, &around)?;
                release(&around)?;
                out
            }
            None => self.last.forward_residual(&inner, x)?,
        };
        release(&inner)?;
        Ok(out)
    }
}

impl Stage {
    /// Runs the blocks and offers the output of each.
    pub(crate) fn forward(&self, mut x: Tensor, outputs: &mut LayerOutputs<'_>) -> Pass<Tensor> {
        for block in &self.blocks {
            let next = block.forward(&x)?;
            outputs.release(&x)?;
            x = next;
            outputs.offer(&block.name, &x)?;
        }
        outputs.offer(&self.name, &x)?;
        Ok(x)
    }
}

impl Network for ResNet {
    fn outline(&self) -> &Outline {
        &self.outline
    }

    fn images_per_pass(&self) -> usize {
        1
    }

    fn forward(&self, images: &Tensor, outputs: &mut LayerOutputs<'_>) -> Pass<()> {
        let stem = self.stem.forward(images)?;
        outputs.offer("relu", &stem)?;
        let mut x = max_pool(&stem, Window::square(3, 2, 1))?;
        outputs.release(&stem)?;
        outputs.offer("maxpool", &x)?;
        for stage in &self.stages {
            x = stage.forward(x, outputs)?;
        }
        let x = global_average_pool(&x)?;
        outputs.offer("avgpool", &x)?;
        if let Some(classifier) = &self.classifier {
            outputs.offer("fc", &classifier.forward(&x)?)?;
        }
        Ok(())
    }
}
