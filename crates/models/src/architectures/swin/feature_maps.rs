//! A Swin Transformer as the backbone of a detector: maps of several stages.

use super::config::{EPSILON, PATCH};
use super::model::Stage;
use super::weights::{StageShapes, stem};
use crate::ModelError;
use crate::checkpoint::Checkpoint;
use candle_core::{Result as EngineResult, Tensor};
use neurogauge_kernels::blocks::{Convolution, LayerNorm, Shift};

/// The numbers that shape a backbone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BackboneConfig {
    /// Channels of the first stage; each further stage has twice as many as the one before it.
    pub(crate) n_channels: usize,
    /// Number of blocks of each stage, and of heads in its attention.
    pub(crate) stages: Vec<(usize, usize)>,
    /// Side of the windows, in positions of the map.
    pub(crate) window: usize,
    /// The stages whose maps are output, counted from 0.
    pub(crate) outputs: Vec<usize>,
}

impl BackboneConfig {
    /// Channels of each map.
    pub(crate) fn channels(&self) -> impl Iterator<Item = usize> {
        self.outputs.iter().map(|stage| self.n_channels << stage)
    }
}

/// Patches and stages; the maps of some stages, each with its own norm. Images may have any size: they are padded with
/// zeros to whole patches, and maps to whole windows. Windows are shifted even if one covers the whole map.
pub(crate) struct FeatureMaps {
    stem: (Convolution, LayerNorm),
    stages: Vec<(Stage, Option<LayerNorm>)>,
}

impl FeatureMaps {
    /// Builds the backbone from tensors whose names begin with `prefix`: torchvision's names, and `norms.N` for stage
    /// N.
    pub(crate) fn build(
        checkpoint: &mut Checkpoint,
        prefix: &str,
        config: &BackboneConfig,
    ) -> Result<Self, ModelError> {
        let shape = StageShapes {
            n_channels: config.n_channels,
            stages: &config.stages,
            window: config.window,
            shift: Shift::Always,
        };
        let stem = stem(checkpoint, prefix, config.n_channels)?;
        let mut stages = Vec::new();
        for (index, stage) in shape.build(checkpoint, prefix)?.into_iter().enumerate() {
            let norm = if config.outputs.contains(&index) {
                let name = format!("{prefix}norms.{index}");
                Some(checkpoint.layer_norm(&name, shape.channels(index), EPSILON)?)
            } else {
                None
            };
            stages.push((stage, norm));
        }
        Ok(FeatureMaps { stem, stages })
    }

    /// The maps of an image, shape (1, row, column, 3), in the order of the stages.
    pub(crate) fn forward(&self, image: &Tensor) -> EngineResult<Vec<Tensor>> {
        let (_, height, width, _) = image.dims4()?;
        let missing = |size: usize| size.next_multiple_of(PATCH) - size;
        let image = image.pad_with_zeros(1, 0, missing(height))?.pad_with_zeros(2, 0, missing(width))?.contiguous()?;
        let (convolution, norm) = &self.stem;
        let mut x = norm.forward(&convolution.forward(&image)?)?;
        let mut maps = Vec::new();
        for (stage, norm) in &self.stages {
            if let Some(merging) = &stage.merging {
                x = merging.forward(&x)?;
            }
            for (_, block) in &stage.blocks {
                x = block.forward(&x)?;
            }
            if let Some(norm) = norm {
                maps.push(norm.forward(&x)?);
            }
        }
        Ok(maps)
    }
}
