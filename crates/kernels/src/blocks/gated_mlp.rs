//! The gated perceptron, whose middle layer is the product of two maps.

use crate::blocks::{Activation, AffineMap, Linear};
use candle_core::{Result, Tensor};

/// `W (f(G x) · V x)`: two maps of the same row, one with an activation, are multiplied, and a third maps the product.
#[derive(Debug, Clone)]
pub struct GatedMlp<M = Linear> {
    gate: M,
    expand: M,
    contract: M,
}

impl<M: AffineMap> GatedMlp<M> {
    /// Builds it from the map with the activation, the other map, and the map of their product.
    pub fn new(gate: M, activation: Activation, expand: M, contract: M) -> Self {
        GatedMlp {
            gate: gate.then(activation),
            expand,
            contract,
        }
    }

    /// Maps every row of `x` and adds the residual.
    pub fn forward_residual(&self, x: &Tensor, residual: &Tensor) -> Result<Tensor> {
        let inner = (self.gate.forward(x)? * self.expand.forward(x)?)?;
        self.contract.forward_residual(&inner, residual)
    }
}
