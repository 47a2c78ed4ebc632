//! Builds the learned query of a head from the tensors of a checkpoint.

use crate::ModelError;
use crate::checkpoint::Checkpoint;
use crate::checkpoint::transformer::{BlockShape, Projections};
use neurogauge_kernels::blocks::{CrossAttention, LatentPool, Mlp};

/// A library's names of the parts of a learned query.
#[derive(Debug, Clone, Copy)]
pub(super) struct PoolNames {
    pub(super) latent: &'static str,
    pub(super) projections: PoolProjections,
    /// The map after the attention.
    pub(super) output: &'static str,
    pub(super) norm: &'static str,
    pub(super) expand: &'static str,
    pub(super) contract: &'static str,
}

/// How the maps to queries, keys and values are stored.
#[derive(Debug, Clone, Copy)]
pub(super) enum PoolProjections {
    /// One map for the query, and one for keys and values, stacked.
    KeysWithValues([&'static str; 2]),
    /// One map for all three, as in PyTorch's `MultiheadAttention`: the layer's name, and the map's name in it.
    Fused([&'static str; 2]),
}

/// A learned query of `n_heads` heads, for a network with blocks of this shape.
pub(super) fn latent_pool(
    checkpoint: &mut Checkpoint,
    block: BlockShape,
    n_heads: usize,
    names: &PoolNames,
    prefix: &str,
) -> Result<LatentPool, ModelError> {
    let name = |name: &str| format!("{prefix}{name}");
    let width = block.width;
    let latent = checkpoint.take(&name(names.latent), &[1, 1, width])?;
    let projections = match names.projections {
        PoolProjections::KeysWithValues([query, key_value]) => {
            let query = checkpoint.weight_and_bias(&name(query), width, width)?;
            let (weight, bias) = checkpoint.weight_and_bias(&name(key_value), width, 2 * width)?;
            checkpoint.arranged(|| {
                let half = |first| -> candle_core::Result<_> {
                    Ok((weight.narrow(0, first, width)?, bias.narrow(0, first, width)?))
                };
                Ok([query, half(0)?, half(width)?])
            })?
        }
        PoolProjections::Fused([layer, attention]) => {
            checkpoint.projections(&name(layer), Projections::Fused(attention), width)?
        }
    };
    let output = checkpoint.linear(&name(names.output), width, width)?;
    let norm = checkpoint.layer_norm(&name(names.norm), width, block.epsilon)?;
    let expand = checkpoint.linear(&name(names.expand), width, block.n_inner)?;
    let contract = checkpoint.linear(&name(names.contract), block.n_inner, width)?;
    checkpoint.arranged(|| {
        let attention = CrossAttention::new(projections, output, n_heads)?;
        LatentPool::new(&latent, attention, norm, Mlp::new(expand, block.activation, contract))
    })
}
