//! The forward pass.

use crate::network::{LayerOutputs, Network, Outline, Pass};
use candle_core::{Result, Tensor};
use neurogauge_kernels::blocks::{
    Concatenation, Convolution, Linear, Pool, Window, average_pool, global_average_pool, max_pool,
};

/// A window that halves a map.
const HALVING: Window = Window::square(3, 2, 0);
/// A window that keeps a map's size.
const SMOOTHING: Window = Window::square(3, 1, 1);

/// Stem, blocks of branches, classifier.
pub(crate) struct InceptionV3 {
    pub(super) outline: Outline,
    pub(super) stem: Vec<Stem>,
    pub(super) blocks: Vec<Block>,
    pub(super) classifier: Linear,
}

pub(super) enum Stem {
    Convolution(&'static str, Convolution),
    MaxPool(&'static str),
}

/// Branches whose outputs are concatenated.
pub(super) struct Block {
    pub(super) name: &'static str,
    pub(super) n_out: usize,
    pub(super) branches: Vec<Branch>,
    /// Is the input, max-pooled, concatenated too?
    pub(super) pooled: bool,
}

pub(super) struct Branch {
    pub(super) averaged: bool,
    pub(super) first: Vec<Convolution>,
    /// Convolutions that all read the output of `first`.
    pub(super) last: Vec<Convolution>,
}

impl Block {
    fn forward(&self, x: &Tensor) -> Result<Tensor> {
        let mut out = Concatenation::new(self.n_out);
        for branch in &self.branches {
            let mut inner = if branch.averaged {
                average_pool(x, SMOOTHING)?
            } else {
                x.clone()
            };
            for convolution in &branch.first {
                inner = convolution.forward(&inner)?;
            }
            for convolution in &branch.last {
                out.push(convolution, &inner)?;
            }
        }
        if self.pooled {
            out.push(&Pool::Max(HALVING), x)?;
        }
        out.finish()
    }
}

impl Network for InceptionV3 {
    fn outline(&self) -> &Outline {
        &self.outline
    }

    fn forward(&self, images: &Tensor, outputs: &mut LayerOutputs<'_>) -> Pass<()> {
        let mut x = images.clone();
        for layer in &self.stem {
            let name = match layer {
                Stem::Convolution(name, convolution) => {
                    x = convolution.forward(&x)?;
                    name
                }
                Stem::MaxPool(name) => {
                    x = max_pool(&x, HALVING)?;
                    name
                }
            };
            outputs.offer(name, &x)?;
        }
        for block in &self.blocks {
            x = block.forward(&x)?;
            outputs.offer(block.name, &x)?;
        }
        let x = global_average_pool(&x)?;
        outputs.offer("avgpool", &x)?;
        outputs.offer("fc", &self.classifier.forward(&x)?)
    }
}
