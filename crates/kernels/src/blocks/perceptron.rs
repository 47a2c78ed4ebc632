//! A perceptron of any number of layers.

use crate::blocks::Linear;
use candle_core::{Result, Tensor};

/// Consecutive affine maps, each with its own activation.
#[derive(Debug, Clone)]
pub struct Perceptron {
    pub layers: Vec<Linear>,
}

impl Perceptron {
    /// Maps every row.
    pub fn forward(&self, x: &Tensor) -> Result<Tensor> {
        let mut x = x.clone();
        for layer in &self.layers {
            x = layer.forward(&x)?;
        }
        Ok(x)
    }
}
