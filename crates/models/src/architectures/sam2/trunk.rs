//! Hiera (Ryali et al. 2023): maps of an image at four scales.

use super::block::Block;
use super::config::Config;
use crate::ModelError;
use candle_core::{Result as EngineResult, Tensor};
use neurogauge_core::Image;
use neurogauge_core::image::{Filter, resize_float};
use neurogauge_kernels::blocks::Convolution;

pub(super) struct Trunk {
    pub(super) patches: Convolution,
    /// The encodings of positions, added to the first stage's map; shape (1, row, column, channel).
    pub(super) positions: Tensor,
    pub(super) stages: Vec<Vec<Block>>,
}

impl Trunk {
    /// The maps after each stage, the largest first, of an image of shape (1, row, column, 3).
    pub(super) fn forward(
        &self,
        image: &Tensor,
        seen: &mut dyn FnMut(&str, &Tensor) -> EngineResult<()>,
    ) -> EngineResult<Vec<Tensor>> {
        let mut x = self.patches.forward_residual(image, &self.positions)?;
        let mut maps = Vec::new();
        for (stage, blocks) in self.stages.iter().enumerate() {
            for block in blocks {
                x = block.forward(&x)?;
            }
            seen(&format!("stage.{stage}"), &x)?;
            maps.push(x.clone());
        }
        Ok(maps)
    }
}

/// The encodings of `side` x `side` positions, position by position: the sum of an enlarged coarse map and a repeated
/// window map. Both are given channel by channel.
pub(super) fn positions(
    background: &[f32],
    window: &[f32],
    config: &Config,
    side: usize,
) -> Result<Vec<f32>, ModelError> {
    let (n_channels, coarse, size) = (config.n_channels, config.background, config.windows[0]);
    let mut positions = vec![0.0; side * side * n_channels];
    // Enlarge three channels at a time, as if they were an image.
    for first in (0..n_channels).step_by(3) {
        let channels = first..n_channels.min(first + 3);
        let mut values = vec![0.0; coarse * coarse * 3];
        for channel in channels.clone() {
            for place in 0..coarse * coarse {
                values[place * 3 + channel - first] = background[channel * coarse * coarse + place];
            }
        }
        let enlarged = Image::new(coarse, coarse, values)?;
        let enlarged = resize_float(&enlarged, side, side, Filter::Bicubic, false)?;
        for channel in channels {
            for (place, value) in enlarged.data().chunks_exact(3).enumerate() {
                let within = place / side % size * size + place % side % size;
                positions[place * n_channels + channel] =
                    value[channel - first] + window[channel * size * size + within];
            }
        }
    }
    Ok(positions)
}
