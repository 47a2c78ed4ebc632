//! Builds the network from torchvision's tensor names.

use super::block::Block;
use super::config::{Config, EPSILON, EXPANSION, N_CLASSES, PATCH};
use super::model::{Merging, Stage, Swin};
use super::position_bias::PositionBias;
use crate::ModelError;
use crate::checkpoint::Checkpoint;
use crate::checkpoint::layers::Kernel;
use crate::checkpoint::transformer::Projections;
use crate::network::{Layer, LayerKind, Outline, Sides};
use neurogauge_kernels::blocks::{Activation, Convolution, LayerNorm, Linear, Mlp, SelfAttention, Shift};

impl Swin {
    pub(crate) fn build(checkpoint: &mut Checkpoint, config: Config) -> Result<Self, ModelError> {
        let shape = StageShapes {
            n_channels: config.n_channels,
            stages: config.stages,
            window: config.window,
            shift: Shift::WhereThereAreSeveral,
        };
        let stem = stem(checkpoint, "", config.n_channels)?;
        let stages = shape.build(checkpoint, "")?;
        let map = |name: &str| Layer::new(name, LayerKind::MapChannelsLast);
        let mut layers = vec![map("features.0")];
        for stage in &stages {
            layers.extend(stage.merging.as_ref().map(|merging| map(&merging.name)));
            layers.extend(stage.blocks.iter().map(|(name, _)| map(name)));
            layers.push(map(&stage.name));
        }
        layers.push(map("norm"));
        for name in ["avgpool", "flatten", "head"] {
            layers.push(Layer::new(name, LayerKind::Vector));
        }
        let n_channels = shape.channels(config.stages.len() - 1);
        Ok(Swin {
            outline: Outline::new(config.architecture, Sides::AtLeast(PATCH), layers),
            stem,
            stages,
            norm: checkpoint.layer_norm("norm", n_channels, EPSILON)?,
            head: checkpoint.linear("head", n_channels, N_CLASSES)?,
        })
    }
}

/// The stem, which maps each patch to a position of the first map.
pub(super) fn stem(
    checkpoint: &mut Checkpoint,
    prefix: &str,
    n_channels: usize,
) -> Result<(Convolution, LayerNorm), ModelError> {
    let patches = Kernel::square(3, n_channels, PATCH, PATCH, 0);
    Ok((
        checkpoint.convolution(&format!("{prefix}features.0.0"), patches)?,
        checkpoint.layer_norm(&format!("{prefix}features.0.2"), n_channels, EPSILON)?,
    ))
}

#[derive(Debug, Clone, Copy)]
pub(super) struct StageShapes<'a> {
    pub(super) n_channels: usize,
    /// Number of blocks of each stage, and of heads in its attention.
    pub(super) stages: &'a [(usize, usize)],
    pub(super) window: usize,
    /// The shift of the windows in every second block.
    pub(super) shift: Shift,
}

impl StageShapes<'_> {
    pub(super) fn channels(&self, stage: usize) -> usize {
        self.n_channels << stage
    }

    /// Builds the stages from tensors whose names begin with `prefix`.
    pub(super) fn build(&self, checkpoint: &mut Checkpoint, prefix: &str) -> Result<Vec<Stage>, ModelError> {
        let mut stages = Vec::new();
        for (index, &(n_blocks, n_heads)) in self.stages.iter().enumerate() {
            let n_channels = self.channels(index);
            let merging = if index > 0 {
                let name = format!("{prefix}features.{}", 2 * index);
                Some(merging(checkpoint, name, n_channels)?)
            } else {
                None
            };
            let name = format!("{prefix}features.{}", 2 * index + 1);
            let mut blocks = Vec::new();
            for block_index in 0..n_blocks {
                let name = format!("{name}.{block_index}");
                let shape = BlockShape {
                    n_channels,
                    n_heads,
                    window: self.window,
                    shift: if block_index % 2 == 1 { self.shift } else { Shift::None },
                };
                let block = Block::build(checkpoint, &format!("{name}."), shape)?;
                blocks.push((name, block));
            }
            stages.push(Stage { merging, name, blocks });
        }
        Ok(stages)
    }
}

/// Merges the channels of 2 x 2 positions into `n_out`, twice as many as each had.
fn merging(checkpoint: &mut Checkpoint, name: String, n_out: usize) -> Result<Merging, ModelError> {
    let n_in = 2 * n_out;
    let norm = checkpoint.layer_norm(&format!("{name}.norm"), n_in, EPSILON)?;
    let weight = checkpoint.take(&format!("{name}.reduction.weight"), &[n_out, n_in])?;
    let shared = checkpoint.shares_rows();
    let reduction = checkpoint.arranged(|| Ok(Linear::without_bias(&weight)?.shared(shared)))?;
    Ok(Merging { name, norm, reduction })
}

#[derive(Debug, Clone, Copy)]
pub(super) struct BlockShape {
    pub(super) n_channels: usize,
    pub(super) n_heads: usize,
    pub(super) window: usize,
    pub(super) shift: Shift,
}

impl Block {
    /// Builds a block from tensors whose names begin with `prefix`.
    pub(super) fn build(checkpoint: &mut Checkpoint, prefix: &str, shape: BlockShape) -> Result<Block, ModelError> {
        let BlockShape {
            n_channels: n,
            n_heads,
            window,
            shift,
        } = shape;
        let name = |part: &str| format!("{prefix}{part}");
        let attention_norm = checkpoint.layer_norm(&name("norm1"), n, EPSILON)?;
        let projections = checkpoint.projections(&name("attn"), Projections::Stacked("qkv"), n)?;
        let output = checkpoint.linear(&name("attn.proj"), n, n)?;
        let n_differences = (2 * window - 1).pow(2);
        let table = name("attn.relative_position_bias_table");
        let table = checkpoint.take(&table, &[n_differences, n_heads])?;
        let (attention, position_bias) = checkpoint.arranged(|| {
            let attention = SelfAttention::new(projections, output, n_heads)?;
            Ok((attention, PositionBias::new(&table, window)?))
        })?;
        let perceptron_norm = checkpoint.layer_norm(&name("norm2"), n, EPSILON)?;
        let expand = checkpoint.linear(&name("mlp.0"), n, EXPANSION * n)?;
        let contract = checkpoint.linear(&name("mlp.3"), EXPANSION * n, n)?;
        Ok(Block {
            attention_norm,
            attention,
            position_bias,
            window,
            shift,
            perceptron: Mlp::new(expand, Activation::Gelu, contract).after(perceptron_norm),
        })
    }
}
