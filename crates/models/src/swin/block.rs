//! Attention within windows, then a perceptron.

use super::position_bias::PositionBias;
use super::windows::Windows;
use crate::blocks::{LayerNorm, Mlp, SelfAttention};
use candle_core::{Result, Tensor};

/// Both with a norm before them and the input added to them.
pub(super) struct Block {
    pub(super) attention_norm: LayerNorm,
    pub(super) attention: SelfAttention,
    pub(super) position_bias: PositionBias,
    /// Side of the windows.
    pub(super) window: usize,
    pub(super) shifted: bool,
    /// With its norm.
    pub(super) perceptron: Mlp,
}

impl Block {
    /// The output for maps of (image, row, column, channel), of the same shape.
    pub(super) fn forward(&self, x: &Tensor) -> Result<Tensor> {
        let (n_images, height, width, _) = x.dims4()?;
        let windows = Windows::new(n_images, (height, width), self.window, self.shifted);
        let x = self.attention.forward_arranged_residual(
            &self.attention_norm.forward(x)?,
            &windows.arrangement,
            &self.position_bias.of(&windows),
            x,
        )?;
        self.perceptron.forward_residual(&x, &x)
    }
}
