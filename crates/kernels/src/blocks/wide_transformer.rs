//! The block that transformers repeat, for few rows at a time.

use crate::blocks::{AffineMap, LayerNorm, WideLinear};
use candle_core::{Result, Tensor};

/// Where the norms of a transformer are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Norms {
    /// On the input of each part ("pre-norm"), and on the last block's output.
    Before,
    /// On the sum of each part and its input ("post-norm"), and on the first block's input.
    Behind,
}

/// Attention, then a perceptron, each with a residual and a normalisation. Every map runs on all threads, since for few
/// rows most of the time is spent reading weights.
pub struct WideTransformerBlock {
    pub attention_norm: LayerNorm,
    pub query_key_value: WideLinear,
    pub attention_output: WideLinear,
    pub mlp_norm: LayerNorm,
    /// The first map of the perceptron, including its activation.
    pub expand: WideLinear,
    pub contract: WideLinear,
}

impl WideTransformerBlock {
    /// Queries, keys and values side by side.
    pub fn projected(&self, x: &Tensor, norms: Norms) -> Result<Tensor> {
        match norms {
            Norms::Before => self.query_key_value.forward(&self.attention_norm.forward(x)?),
            Norms::Behind => self.query_key_value.forward(x),
        }
    }

    /// The block's output for the rows of `x`, given the results of their attention.
    pub fn behind_attention(&self, attended: &Tensor, x: &Tensor, norms: Norms) -> Result<Tensor> {
        let x = self.attention_output.forward_residual(attended, x)?;
        match norms {
            Norms::Before => self.perceived(&self.mlp_norm.forward(&x)?, &x),
            Norms::Behind => {
                let x = self.attention_norm.forward(&x)?;
                self.mlp_norm.forward(&self.perceived(&x, &x)?)
            }
        }
    }

    fn perceived(&self, x: &Tensor, residual: &Tensor) -> Result<Tensor> {
        self.contract.forward_residual(&self.expand.forward(x)?, residual)
    }
}
