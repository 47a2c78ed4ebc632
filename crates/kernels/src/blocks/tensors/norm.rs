//! Normalisation of rows and of groups of channels.

#[cfg(feature = "cuda")]
use super::cuda;
use super::dense;
use candle_core::{D, Result, Tensor};

/// Normalises rows to mean 0 and variance 1, then scales and shifts them.
#[derive(Debug, Clone)]
pub struct TensorNorm {
    pub weight: Tensor,
    pub bias: Tensor,
    pub epsilon: f64,
}

impl TensorNorm {
    pub fn forward(&self, x: &Tensor) -> Result<Tensor> {
        #[cfg(feature = "cuda")]
        if cuda::takes(x, 0) {
            return cuda::normalised_rows(self, x);
        }
        let centred = x.broadcast_sub(&x.mean_keepdim(D::Minus1)?)?;
        let variance = centred.sqr()?.mean_keepdim(D::Minus1)?;
        let deviation = (variance + self.epsilon)?.sqrt()?;
        centred.broadcast_div(&deviation)?.broadcast_mul(&self.weight)?.broadcast_add(&self.bias)
    }
}

/// Normalises each group of channels of a map to mean 0 and variance 1, then scales and shifts every channel.
#[derive(Debug, Clone)]
pub(in crate::blocks) struct TensorGroupNorm {
    pub(in crate::blocks) weight: Tensor,
    pub(in crate::blocks) bias: Tensor,
    pub(in crate::blocks) n_groups: usize,
    pub(in crate::blocks) epsilon: f64,
}

impl TensorGroupNorm {
    pub(in crate::blocks) fn forward(&self, x: &Tensor) -> Result<Tensor> {
        let (n_images, height, width, n_channels) = x.dims4()?;
        let (n_places, of_group) = (height * width, n_channels / self.n_groups);
        let groups = dense(x)?.reshape((n_images, n_places, self.n_groups, of_group))?;
        let groups = dense(&groups.transpose(1, 2)?)?.reshape((n_images, self.n_groups, n_places * of_group))?;
        let centred = groups.broadcast_sub(&groups.mean_keepdim(D::Minus1)?)?;
        let variance = centred.sqr()?.mean_keepdim(D::Minus1)?;
        let normal = centred.broadcast_div(&(variance + self.epsilon)?.sqrt()?)?.reshape((
            n_images,
            self.n_groups,
            n_places,
            of_group,
        ))?;
        dense(&normal.transpose(1, 2)?)?
            .reshape((n_images, height, width, n_channels))?
            .broadcast_mul(&self.weight)?
            .broadcast_add(&self.bias)
    }
}
