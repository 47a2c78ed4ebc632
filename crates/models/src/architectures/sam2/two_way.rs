//! The transformer in which tokens and image attend to each other.

use candle_core::{Result, Tensor};
use neurogauge_kernels::blocks::{CrossAttention, LayerNorm, Mlp, sum};

pub(super) struct TwoWay {
    pub(super) layers: Vec<TwoWayLayer>,
    pub(super) last: CrossAttention<2>,
    pub(super) last_norm: LayerNorm,
}

/// The parts of a layer. Each has a residual (except the first layer's attention among tokens) and a norm of the sum.
pub(super) struct TwoWayLayer {
    pub(super) among_tokens: CrossAttention<2>,
    pub(super) to_image: CrossAttention<2>,
    pub(super) perceptron: Mlp,
    pub(super) to_tokens: CrossAttention<2>,
    /// A norm after each of the four parts.
    pub(super) norms: [LayerNorm; 4],
}

impl TwoWay {
    /// The tokens and the map after the transformer. Tokens have shape (prompt, token, channel) and are their own
    /// encodings; every prompt gets its own copy of the image's `map`, whose positions are encoded by `positions`.
    pub(super) fn forward(&self, tokens: &Tensor, map: &Tensor, positions: &Tensor) -> Result<(Tensor, Tensor)> {
        let (mut x, mut map) = (tokens.clone(), map.clone());
        for (index, layer) in self.layers.iter().enumerate() {
            x = if index == 0 {
                layer.among_tokens.forward(&x, [&x, &x])?
            } else {
                let placed = sum(&x, tokens)?;
                layer.among_tokens.forward_residual(&placed, [&placed, &x], &x)?
            };
            x = layer.norms[0].forward(&x)?;
            let placed_map = sum(&map, positions)?;
            x = (layer.to_image).forward_residual(&sum(&x, tokens)?, [&placed_map, &map], &x)?;
            x = layer.norms[1].forward(&x)?;
            x = layer.perceptron.forward_residual(&x, &x)?;
            x = layer.norms[2].forward(&x)?;
            map = (layer.to_tokens).forward_residual(&placed_map, [&sum(&x, tokens)?, &x], &map)?;
            map = layer.norms[3].forward(&map)?;
        }
        let placed_map = sum(&map, positions)?;
        x = (self.last).forward_residual(&sum(&x, tokens)?, [&placed_map, &map], &x)?;
        Ok((self.last_norm.forward(&x)?, map))
    }
}
