//! The two-layer perceptron of a transformer block.

use crate::blocks::Linear;
use candle_core::{Result, Tensor};

/// Two affine maps with a Gaussian error linear unit between them.
#[derive(Debug, Clone)]
pub(crate) struct Mlp {
    expand: Linear,
    contract: Linear,
}

impl Mlp {
    /// From its two maps.
    pub(crate) fn new(expand: Linear, contract: Linear) -> Self {
        Mlp { expand, contract }
    }

    /// Maps every row of `x`.
    pub(crate) fn forward(&self, x: &Tensor) -> Result<Tensor> {
        self.contract.forward(&self.expand.forward_gelu(x)?)
    }
}
