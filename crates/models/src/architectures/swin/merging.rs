//! Four neighbouring places become one.

use crate::blocks::{LayerNorm, Linear, neighbours};
use candle_core::{Result, Tensor};

/// Halves the map and doubles its channels.
pub(super) struct Merging {
    pub(super) name: String,
    /// Of the four together.
    pub(super) norm: LayerNorm,
    pub(super) reduction: Linear,
}

impl Merging {
    pub(super) fn forward(&self, x: &Tensor) -> Result<Tensor> {
        self.reduction.forward(&self.norm.forward(&neighbours(x)?)?)
    }
}
