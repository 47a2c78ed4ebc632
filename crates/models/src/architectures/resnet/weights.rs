//! Builds the network from torchvision's tensor names.

use super::config::{Config, EPSILON, STAGE_CHANNELS, STEM_CHANNELS};
use super::model::{Block, ResNet, Stage};
use crate::ModelError;
use crate::checkpoint::Checkpoint;
use crate::checkpoint::layers::Kernel;
use crate::network::{Layer, LayerKind, Outline, Sides};
use neurogauge_kernels::blocks::{Activation, Window};

const N_CLASSES: usize = 1000;

impl ResNet {
    pub(crate) fn build(checkpoint: &mut Checkpoint, config: Config) -> Result<Self, ModelError> {
        let stem = Kernel::square(3, STEM_CHANNELS, 7, 2, 3);
        let stem = checkpoint.convolution_norm("conv1", "bn1", stem, EPSILON)?;
        let mut layers = vec![Layer::new("relu", LayerKind::Map), Layer::new("maxpool", LayerKind::Map)];
        let stages = Stage::all(checkpoint, "", config)?;
        layers.extend(stages.iter().flat_map(Stage::layers));
        layers.push(Layer::new("avgpool", LayerKind::Vector));
        let mut classifier = None;
        if config.classifier {
            classifier = Some(checkpoint.linear("fc", config.n_features(), N_CLASSES)?);
            layers.push(Layer::new("fc", LayerKind::Vector));
        }
        Ok(ResNet {
            outline: Outline::new(config.architecture, Sides::AtLeast(1), layers),
            stem: stem.then(Activation::Relu),
            stages,
            classifier,
        })
    }
}

impl Stage {
    /// The four stages, whose names begin with `prefix`.
    pub(crate) fn all(checkpoint: &mut Checkpoint, prefix: &str, config: Config) -> Result<Vec<Stage>, ModelError> {
        let mut stages = Vec::new();
        let mut n_in = STEM_CHANNELS;
        for (stage, (&n_inner, n_blocks)) in STAGE_CHANNELS.iter().zip(config.n_blocks).enumerate() {
            let stage_name = format!("{prefix}layer{}", stage + 1);
            let mut blocks = Vec::new();
            for index in 0..n_blocks {
                let name = format!("{stage_name}.{index}");
                // The first block of every stage except the first halves the map.
                let stride = if index == 0 && stage > 0 { 2 } else { 1 };
                blocks.push(block(checkpoint, name, config, n_in, n_inner, stride)?);
                n_in = n_inner * config.expansion();
            }
            let name = stage_name;
            stages.push(Stage { name, blocks });
        }
        Ok(stages)
    }

    /// The layers that the stage offers.
    pub(crate) fn layers(&self) -> impl Iterator<Item = Layer> {
        let names = self.blocks.iter().map(|block| &block.name);
        names.chain([&self.name]).map(|name| Layer::new(name, LayerKind::Map))
    }
}

fn block(
    checkpoint: &mut Checkpoint,
    name: String,
    config: Config,
    n_in: usize,
    n_inner: usize,
    stride: usize,
) -> Result<Block, ModelError> {
    let n_out = n_inner * config.expansion();
    let halves = stride != 1;
    let pool = (halves && config.pooled_strides).then_some(Window::square(stride, stride, 0));
    let stride = if pool.is_some() { 1 } else { stride };
    let (first, middle, last) = if config.bottleneck {
        let middle = Kernel::square(n_inner, n_inner, 3, stride, 1);
        (Kernel::square(n_in, n_inner, 1, 1, 0), Some(middle), Kernel::square(n_inner, n_out, 1, 1, 0))
    } else {
        (Kernel::square(n_in, n_inner, 3, stride, 1), None, Kernel::square(n_inner, n_out, 3, 1, 1))
    };
    let mut number = 0;
    let mut load = |kernel| {
        number += 1;
        let (convolution, norm) = (format!("{name}.conv{number}"), format!("{name}.bn{number}"));
        let convolution = checkpoint.convolution_norm(&convolution, &norm, kernel, EPSILON)?;
        Ok::<_, ModelError>(convolution.then(Activation::Relu))
    };
    let first = load(first)?;
    let middle = middle.map(&mut load).transpose()?;
    let last = load(last)?;
    let shortcut = if halves || n_in != n_out {
        let kernel = Kernel::square(n_in, n_out, 1, stride, 0);
        let (convolution, norm) = (format!("{name}.downsample.0"), format!("{name}.downsample.1"));
        Some(checkpoint.convolution_norm(&convolution, &norm, kernel, EPSILON)?)
    } else {
        None
    };
    Ok(Block {
        name,
        first,
        middle,
        pool,
        last,
        shortcut,
    })
}
