//! Builds the network from torchvision's tensor names.

use super::config::{BlockConfig, EPSILON, N_CLASSES, SMALLEST_PX, Step, TRANSFORM_INPUT, blocks};
use super::model::{Block, Branch, InceptionV3, Stem};
use crate::ModelError;
use crate::checkpoint::Checkpoint;
use crate::checkpoint::layers::Kernel;
use crate::network::{Layer, LayerKind, Outline, Sides};
use neurogauge_kernels::blocks::{Activation, Convolution};

impl InceptionV3 {
    pub(crate) fn build(checkpoint: &mut Checkpoint) -> Result<Self, ModelError> {
        let mut layers = Vec::new();
        let (stem, mut n_in) = stem(checkpoint)?;
        for Stem::Convolution(name, _) | Stem::MaxPool(name) in &stem {
            layers.push(Layer::new(*name, LayerKind::Map));
        }
        let mut loaded = Vec::new();
        for config in blocks() {
            let block = block(checkpoint, &config, n_in)?;
            layers.push(Layer::new(block.name, LayerKind::Map));
            n_in = block.n_out;
            loaded.push(block);
        }
        layers.push(Layer::new("avgpool", LayerKind::Vector));
        layers.push(Layer::new("fc", LayerKind::Vector));
        Ok(InceptionV3 {
            outline: Outline::new("Inception v3", Sides::AtLeast(SMALLEST_PX), layers),
            stem,
            blocks: loaded,
            classifier: checkpoint.linear("fc", n_in, N_CLASSES)?,
        })
    }
}

/// The stem and the number of its output channels.
fn stem(checkpoint: &mut Checkpoint) -> Result<(Vec<Stem>, usize), ModelError> {
    let name = "Conv2d_1a_3x3";
    let first = checkpoint.affine_convolution_norm(
        &TRANSFORM_INPUT,
        &format!("{name}.conv"),
        &format!("{name}.bn"),
        Kernel::square(3, 32, 3, 2, 0),
        EPSILON,
    )?;
    let mut stem = vec![Stem::Convolution(name, first.then(Activation::Relu))];
    let mut load = |name, kernel| {
        let convolution = convolution(checkpoint, name, kernel)?;
        Ok::<_, ModelError>(Stem::Convolution(name, convolution))
    };
    stem.push(load("Conv2d_2a_3x3", Kernel::square(32, 32, 3, 1, 0))?);
    stem.push(load("Conv2d_2b_3x3", Kernel::square(32, 64, 3, 1, 1))?);
    stem.push(Stem::MaxPool("maxpool1"));
    stem.push(load("Conv2d_3b_1x1", Kernel::square(64, 80, 1, 1, 0))?);
    stem.push(load("Conv2d_4a_3x3", Kernel::square(80, 192, 3, 1, 0))?);
    stem.push(Stem::MaxPool("maxpool2"));
    Ok((stem, 192))
}

fn block(checkpoint: &mut Checkpoint, config: &BlockConfig, n_in: usize) -> Result<Block, ModelError> {
    let mut n_out = if config.pooled { n_in } else { 0 };
    let mut branches = Vec::new();
    for branch in &config.branches {
        let mut n_inner = n_in;
        let mut load = |step: &Step, n_in: usize| {
            let name = format!("{}.{}", config.name, step.name);
            convolution(checkpoint, &name, kernel(step, n_in))
        };
        let mut first = Vec::new();
        for step in &branch.first {
            first.push(load(step, n_inner)?);
            n_inner = step.n_out;
        }
        let mut last = Vec::new();
        for step in &branch.last {
            last.push(load(step, n_inner)?);
            n_out += step.n_out;
        }
        branches.push(Branch {
            averaged: branch.averaged,
            first,
            last,
        });
    }
    Ok(Block {
        name: config.name,
        n_out,
        branches,
        pooled: config.pooled,
    })
}

fn kernel(step: &Step, n_in: usize) -> Kernel {
    let (height, width) = step.size;
    let (stride, padding) = if step.halves {
        (2, (0, 0))
    } else {
        (1, (height / 2, width / 2))
    };
    Kernel {
        n_in,
        n_out: step.n_out,
        size: step.size,
        stride,
        padding,
    }
}

/// `BasicConv2d`: convolution, normalisation, activation.
fn convolution(checkpoint: &mut Checkpoint, name: &str, kernel: Kernel) -> Result<Convolution, ModelError> {
    let (convolution, norm) = (format!("{name}.conv"), format!("{name}.bn"));
    Ok(checkpoint.convolution_norm(&convolution, &norm, kernel, EPSILON)?.then(Activation::Relu))
}
