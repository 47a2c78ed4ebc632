//! From torchvision's names to the layers of the network.

use super::config::{Config, EPSILON, STAGE_CHANNELS, STEM_CHANNELS};
use super::model::{Block, ResNet};
use crate::ModelError;
use crate::blocks::Activation;
use crate::checkpoint::Checkpoint;
use crate::checkpoint_layers::Kernel;
use crate::taps::{Layer, LayerKind};

const N_CLASSES: usize = 1000;

impl ResNet {
    pub(crate) fn build(checkpoint: &mut Checkpoint, config: Config) -> Result<Self, ModelError> {
        let stem = Kernel::square(3, STEM_CHANNELS, 7, 2, 3);
        let stem = checkpoint.convolution_norm("conv1", "bn1", stem, EPSILON)?;
        let mut layers = vec![
            Layer::new("relu", LayerKind::Map),
            Layer::new("maxpool", LayerKind::Map),
        ];
        let mut stages = Vec::new();
        let mut n_in = STEM_CHANNELS;
        for (stage, (&n_inner, n_blocks)) in STAGE_CHANNELS.iter().zip(config.n_blocks).enumerate()
        {
            let mut blocks = Vec::new();
            for index in 0..n_blocks {
                let name = format!("layer{}.{index}", stage + 1);
                // The first block of every stage but the first halves the map.
                let stride = if index == 0 && stage > 0 { 2 } else { 1 };
                layers.push(Layer::new(&name, LayerKind::Map));
                blocks.push(block(checkpoint, name, config, n_in, n_inner, stride)?);
                n_in = n_inner * config.expansion();
            }
            layers.push(Layer::new(format!("layer{}", stage + 1), LayerKind::Map));
            stages.push(blocks);
        }
        layers.push(Layer::new("avgpool", LayerKind::Vector));
        let mut classifier = None;
        if config.classifier {
            classifier = Some(checkpoint.linear("fc", n_in, N_CLASSES)?);
            layers.push(Layer::new("fc", LayerKind::Vector));
        }
        Ok(ResNet {
            config,
            layers,
            stem: stem.then(Activation::Relu),
            stages,
            classifier,
        })
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
    let (first, last) = if config.bottleneck {
        let first = [
            Kernel::square(n_in, n_inner, 1, 1, 0),
            Kernel::square(n_inner, n_inner, 3, stride, 1),
        ];
        (first.to_vec(), Kernel::square(n_inner, n_out, 1, 1, 0))
    } else {
        let first = [Kernel::square(n_in, n_inner, 3, stride, 1)];
        (first.to_vec(), Kernel::square(n_inner, n_out, 3, 1, 1))
    };
    let mut number = 0;
    let mut load = |kernel| {
        number += 1;
        let (convolution, norm) = (format!("{name}.conv{number}"), format!("{name}.bn{number}"));
        let convolution = checkpoint.convolution_norm(&convolution, &norm, kernel, EPSILON)?;
        Ok(convolution.then(Activation::Relu))
    };
    let first = first.into_iter().map(&mut load);
    let first = first.collect::<Result<Vec<_>, ModelError>>()?;
    let last = load(last)?;
    let shortcut = if stride != 1 || n_in != n_out {
        let kernel = Kernel::square(n_in, n_out, 1, stride, 0);
        let (convolution, norm) = (
            format!("{name}.downsample.0"),
            format!("{name}.downsample.1"),
        );
        Some(checkpoint.convolution_norm(&convolution, &norm, kernel, EPSILON)?)
    } else {
        None
    };
    Ok(Block {
        name,
        first,
        last,
        shortcut,
    })
}
