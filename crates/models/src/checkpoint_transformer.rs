//! Blocks of transformers from the tensors of a checkpoint.

use crate::ModelError;
use crate::blocks::{Activation, Mlp, SelfAttention, TransformerBlock};
use crate::checkpoint::Checkpoint;
use candle_core::{Result as EngineResult, Tensor};

/// The numbers that shape a block.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BlockShape {
    pub(crate) width: usize,
    pub(crate) n_heads: usize,
    /// Width inside the perceptron.
    pub(crate) n_inner: usize,
    pub(crate) activation: Activation,
    /// In the norms.
    pub(crate) epsilon: f64,
}

/// What a library calls the parts of a block.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BlockNames {
    pub(crate) attention_norm: &'static str,
    pub(crate) projections: Projections,
    /// The map behind the attention.
    pub(crate) output: &'static str,
    pub(crate) mlp_norm: &'static str,
    pub(crate) expand: &'static str,
    pub(crate) contract: &'static str,
}

/// How the maps to queries, keys and values are stored.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Projections {
    /// As PyTorch's `MultiheadAttention` of this name does: one below the other, in `in_proj_weight` and
    /// `in_proj_bias`.
    Fused(&'static str),
    /// Each by itself: the names of the maps to queries, keys and values.
    Separate([&'static str; 3]),
}

impl Checkpoint {
    /// The block called `name`.
    pub(crate) fn transformer_block(
        &mut self,
        name: &str,
        names: &BlockNames,
        shape: BlockShape,
    ) -> Result<TransformerBlock, ModelError> {
        let BlockShape {
            width,
            n_inner,
            epsilon,
            ..
        } = shape;
        let part = |part: &str| format!("{name}.{part}");
        let attention_norm = self.layer_norm(&part(names.attention_norm), width, epsilon)?;
        let projections = match names.projections {
            Projections::Fused(attention) => self.fused(&part(attention), width)?,
            Projections::Separate(maps) => {
                let [query, key, value] =
                    maps.map(|map| self.weight_and_bias(&part(map), width, width));
                [query?, key?, value?]
            }
        };
        let output = self.linear(&part(names.output), width, width)?;
        let attention = self.arranged(|| SelfAttention::new(projections, output, shape.n_heads))?;
        let mlp_norm = self.layer_norm(&part(names.mlp_norm), width, epsilon)?;
        let expand = self.linear(&part(names.expand), width, n_inner)?;
        let contract = self.linear(&part(names.contract), n_inner, width)?;
        Ok(TransformerBlock {
            attention_norm,
            attention,
            mlp_norm,
            mlp: Mlp::new(expand, shape.activation, contract),
        })
    }

    fn fused(&mut self, name: &str, width: usize) -> Result<[(Tensor, Tensor); 3], ModelError> {
        let weight = self.take(&format!("{name}.in_proj_weight"), &[3 * width, width])?;
        let bias = self.take(&format!("{name}.in_proj_bias"), &[3 * width])?;
        let part = |index: usize| -> EngineResult<(Tensor, Tensor)> {
            let first = index * width;
            Ok((
                weight.narrow(0, first, width)?,
                bias.narrow(0, first, width)?,
            ))
        };
        self.arranged(|| Ok([part(0)?, part(1)?, part(2)?]))
    }
}
