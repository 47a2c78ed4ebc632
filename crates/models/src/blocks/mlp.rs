//! The two-layer perceptron of a transformer block.

use crate::blocks::{Activation, Linear};
use candle_core::{Result, Tensor};

/// Two affine maps with an activation between them.
#[derive(Debug, Clone)]
pub(crate) struct Mlp {
    expand: Linear,
    contract: Linear,
}

impl Mlp {
    /// From its two maps.
    pub(crate) fn new(expand: Linear, activation: Activation, contract: Linear) -> Self {
        Mlp {
            expand: expand.then(activation),
            contract,
        }
    }

    /// Maps every row of `x` and adds the residual.
    pub(crate) fn forward_residual(&self, x: &Tensor, residual: &Tensor) -> Result<Tensor> {
        self.contract
            .forward_residual(&self.expand.forward(x)?, residual)
    }
}
