//! Attention of a map's positions to names: the name that fits a position best decides.

use super::csp::{convolution, kernel};
use crate::ModelError;
use crate::checkpoint::Checkpoint;
use candle_core::{D, Result, Tensor};
use neurogauge_kernels::blocks::{Activation, Convolution, Linear};

/// Scales each head of a map's channels at each position by σ(max over names of (embedding · name) / √width + bias).
pub(super) struct TextAttention {
    /// Maps a name's vector to the heads.
    guide: Linear,
    bias: Tensor,
    n_heads: usize,
    /// Maps the map's channels to the heads, if their numbers differ.
    embed: Option<Convolution>,
    project: Convolution,
}

impl TextAttention {
    pub(super) fn build(checkpoint: &mut Checkpoint, name: &str) -> std::result::Result<Self, ModelError> {
        let guide = format!("{name}.guide_fc");
        let (n_out, n_in) = match checkpoint.shape_of(&format!("{guide}.weight")) {
            Some(&[n_out, n_in]) => (n_out, n_in),
            _ => (1, 1),
        };
        let bias = format!("{name}.bias");
        let n_heads = match checkpoint.shape_of(&bias) {
            Some(&[n_heads]) if n_heads > 0 && n_out % n_heads == 0 => n_heads,
            _ => return Err(checkpoint.contradiction(&format!("{guide}.weight"), &bias)),
        };
        let embed = format!("{name}.embed_conv");
        let embed = match checkpoint.shape_of(&format!("{embed}.conv.weight")).is_some() {
            true => Some(convolution(checkpoint, &embed, 1, Activation::Identity)?),
            false => None,
        };
        let project = format!("{name}.project_conv");
        if !kernel(checkpoint, &format!("{project}.conv"), 1).n_out.is_multiple_of(n_heads) {
            let project = format!("{project}.conv.weight");
            return Err(checkpoint.contradiction(&project, &bias));
        }
        Ok(TextAttention {
            guide: checkpoint.linear(&guide, n_in, n_out)?,
            bias: checkpoint.take(&bias, &[n_heads])?,
            n_heads,
            embed,
            project: convolution(checkpoint, &project, 1, Activation::Identity)?,
        })
    }

    pub(super) fn forward(&self, x: &Tensor, names: &Tensor) -> Result<Tensor> {
        let (n_images, height, width, n_channels) = x.dims4()?;
        let n_places = n_images * height * width;
        let guide = self.guide.forward(names)?;
        let embedded = match &self.embed {
            Some(embed) => &embed.forward(x)?,
            None => x,
        };
        let embedded = embedded.reshape((n_places, ()))?;
        let head = guide.dim(1)? / self.n_heads;
        let mut fits = Vec::with_capacity(self.n_heads);
        for index in 0..self.n_heads {
            let of_head = |rows: &Tensor| rows.narrow(1, index * head, head)?.contiguous();
            let fit = of_head(&embedded)?.matmul(&of_head(&guide)?.t()?)?;
            fits.push(fit.max(D::Minus1)?);
        }
        let fits = (Tensor::stack(&fits, 1)? / (head as f64).sqrt())?.broadcast_add(&self.bias)?;
        let weights = (fits.neg()?.exp()? + 1.0)?.recip()?;
        let x = self.project.forward(x)?.reshape((n_places, self.n_heads, n_channels / self.n_heads))?;
        x.broadcast_mul(&weights.unsqueeze(2)?)?.reshape((n_images, height, width, n_channels))
    }
}
