//! Builds the network from torchvision's tensor names.

use super::config::{Config, EPSILON, EXPANSION, MERGED, N_CLASSES, PATCH, WINDOW};
use super::model::{Block, ConvNext, Entrance, Stage};
use crate::ModelError;
use crate::checkpoint::Checkpoint;
use crate::checkpoint::layers::Kernel;
use crate::network::{Layer, LayerKind, Outline, Sides};
use neurogauge_kernels::blocks::{Activation, Linear, Mlp};

impl ConvNext {
    pub(crate) fn build(checkpoint: &mut Checkpoint, config: Config) -> Result<Self, ModelError> {
        let mut n_in = config.stages[0].0;
        let patches = Kernel::square(3, n_in, PATCH, PATCH, 0);
        let stem = (
            checkpoint.convolution("features.0.0", patches)?,
            checkpoint.layer_norm("features.0.1", n_in, EPSILON)?,
        );
        let mut layers = vec![Layer::new("features.0", LayerKind::Map)];
        let mut stages = Vec::new();
        for (index, (n_channels, n_blocks)) in config.stages.into_iter().enumerate() {
            let entrance = if index > 0 {
                let name = format!("features.{}", 2 * index);
                layers.push(Layer::new(&name, LayerKind::Map));
                Some(entrance(checkpoint, name, n_in, n_channels)?)
            } else {
                None
            };
            let name = format!("features.{}", 2 * index + 1);
            let mut blocks = Vec::new();
            for block_index in 0..n_blocks {
                let name = format!("{name}.{block_index}");
                layers.push(Layer::new(&name, LayerKind::Map));
                let block = block(checkpoint, &name, n_channels)?;
                blocks.push((name, block));
            }
            layers.push(Layer::new(&name, LayerKind::Map));
            stages.push(Stage { entrance, name, blocks });
            n_in = n_channels;
        }
        layers.push(Layer::new("avgpool", LayerKind::Vector));
        layers.push(Layer::new("classifier.2", LayerKind::Vector));
        // The stem and three halvings reduce the image by this factor.
        let least = PATCH << (stages.len() - 1);
        Ok(ConvNext {
            outline: Outline::new(config.architecture, Sides::AtLeast(least), layers),
            stem,
            stages,
            classifier: (
                checkpoint.layer_norm("classifier.0", n_in, EPSILON)?,
                checkpoint.linear("classifier.2", n_in, N_CLASSES)?,
            ),
        })
    }
}

fn entrance(checkpoint: &mut Checkpoint, name: String, n_in: usize, n_out: usize) -> Result<Entrance, ModelError> {
    let kernel = Kernel::square(n_in, n_out, MERGED, MERGED, 0);
    Ok(Entrance {
        norm: checkpoint.layer_norm(&format!("{name}.0"), n_in, EPSILON)?,
        convolution: checkpoint.convolution(&format!("{name}.1"), kernel)?,
        name,
    })
}

fn block(checkpoint: &mut Checkpoint, name: &str, n: usize) -> Result<Block, ModelError> {
    let part = |index: usize| format!("{name}.block.{index}");
    let kernel = Kernel::square(n, n, WINDOW, 1, WINDOW / 2);
    let n_inner = EXPANSION * n;
    let scale = checkpoint.take(&format!("{name}.layer_scale"), &[n, 1, 1])?;
    let window = checkpoint.depthwise(&part(0), kernel)?;
    let norm = checkpoint.layer_norm(&part(2), n, EPSILON)?;
    let expand = checkpoint.linear(&part(3), n, n_inner)?;
    let (weight, bias) = checkpoint.weight_and_bias(&part(5), n_inner, n)?;
    let contract = checkpoint.arranged(|| Linear::scaled(&weight, &bias, &scale.flatten_all()?))?;
    Ok(Block {
        window,
        perceptron: Mlp::new(expand, Activation::Gelu, contract).after(norm),
    })
}
