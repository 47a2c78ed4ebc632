//! The backbone and the neck.

use super::csp::{Csp, PyramidPool, convolution};
use super::head::{Head, Places};
use crate::ModelError;
use crate::checkpoint::Checkpoint;
use candle_core::{Result, Tensor};
use neurogauge_kernels::blocks::{Activation, Convolution};

/// The network without its text tower.
pub(super) struct Network {
    stem: Convolution,
    stages: Vec<(Convolution, Csp)>,
    pool: PyramidPool,
    /// Layers that lead to the fourth stage's map, then to the third's.
    top_down: [Csp; 2],
    downsample: [Convolution; 2],
    bottom_up: [Csp; 2],
    head: Head,
}

const BACKBONE: &str = "backbone.image_model";

impl Network {
    pub(super) fn build(checkpoint: &mut Checkpoint) -> std::result::Result<Self, ModelError> {
        let halving = |checkpoint: &mut Checkpoint, name: &str| convolution(checkpoint, name, 2, Activation::Silu);
        let stem = halving(checkpoint, &format!("{BACKBONE}.stem"))?;
        let mut stages = Vec::new();
        for stage in 1..=4 {
            let name = format!("{BACKBONE}.stage{stage}");
            let first = halving(checkpoint, &format!("{name}.0"))?;
            stages.push((first, Csp::build(checkpoint, &format!("{name}.1"), false)?));
        }
        let pool = PyramidPool::build(checkpoint, &format!("{BACKBONE}.stage4.2"))?;
        let attending = |checkpoint: &mut Checkpoint, name: &str| Csp::build(checkpoint, &format!("neck.{name}"), true);
        Ok(Network {
            stem,
            stages,
            pool,
            top_down: [attending(checkpoint, "top_down_layers.0")?, attending(checkpoint, "top_down_layers.1")?],
            downsample: [
                halving(checkpoint, "neck.downsample_layers.0")?,
                halving(checkpoint, "neck.downsample_layers.1")?,
            ],
            bottom_up: [attending(checkpoint, "bottom_up_layers.0")?, attending(checkpoint, "bottom_up_layers.1")?],
            head: Head::build(checkpoint)?,
        })
    }

    /// Logits and boxes of all positions of the three maps, for images of shape (image, row, column, channel) and a
    /// vector for each name. `seen` gets the maps, by name.
    pub(super) fn forward(
        &self,
        images: &Tensor,
        names: &Tensor,
        seen: &mut dyn FnMut(&str, &Tensor) -> Result<()>,
    ) -> Result<Places> {
        let mut x = self.stem.forward(images)?;
        let mut maps = Vec::new();
        for (index, (first, csp)) in self.stages.iter().enumerate() {
            x = csp.forward(&[first.forward(&x)?], names)?;
            if index == 3 {
                x = self.pool.forward(&x)?;
            }
            if index > 0 {
                seen(&format!("stage{}", index + 1), &x)?;
                maps.push(x.clone());
            }
        }
        let [fourth, third] = &self.top_down;
        let fourth = fourth.forward(&[enlarged(&maps[2])?, maps[1].clone()], names)?;
        let third = third.forward(&[enlarged(&fourth)?, maps[0].clone()], names)?;
        let smaller = self.downsample[0].forward(&third)?;
        let fourth = self.bottom_up[0].forward(&[smaller, fourth], names)?;
        let smaller = self.downsample[1].forward(&fourth)?;
        let fifth = self.bottom_up[1].forward(&[smaller, maps[2].clone()], names)?;
        let maps = [third, fourth, fifth];
        for (level, map) in maps.iter().enumerate() {
            seen(&format!("neck.{level}"), map)?;
        }
        self.head.forward(&maps, names)
    }
}

/// Repeats every position as 2 x 2.
fn enlarged(x: &Tensor) -> Result<Tensor> {
    let (n_images, height, width, n_channels) = x.dims4()?;
    x.reshape((n_images * height, 1, width, 1, n_channels))?
        .broadcast_as((n_images * height, 2, width, 2, n_channels))?
        .reshape((n_images, 2 * height, 2 * width, n_channels))
}
