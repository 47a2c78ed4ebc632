//! Convolutions.

#[cfg(feature = "cuda")]
use super::cuda;
use super::windows::Taps;
use super::{TensorLinear, activate, dense};
use crate::blocks::maps::MapShape;
use crate::blocks::products::Products;
use crate::blocks::{Activation, Window};
use candle_core::{Result, Tensor, bail};

/// `y = f(x ∗ W + b)` on maps.
#[derive(Debug, Clone)]
pub struct TensorConvolution {
    /// Shape (`n_out`, `n_in` / `n_groups`, height, width).
    weight: Tensor,
    bias: Tensor,
    n_groups: usize,
    /// The convolution as an affine map, if every output pixel depends on one input pixel.
    point: Option<TensorLinear>,
    /// The convolution as an affine map of each window's values.
    #[cfg(feature = "cuda")]
    windows: Option<TensorLinear>,
}

impl TensorConvolution {
    pub fn new(weight: &Tensor, bias: &Tensor, window: Window, n_groups: usize, products: Products) -> Result<Self> {
        let point = if window == Window::square(1, window.stride, 0) && n_groups == 1 {
            let weight = weight.flatten_from(1)?;
            Some(TensorLinear::new(&weight, bias, products)?)
        } else {
            None
        };
        Ok(TensorConvolution {
            weight: weight.contiguous()?,
            bias: bias.contiguous()?,
            n_groups,
            point,
            #[cfg(feature = "cuda")]
            windows: (cuda::takes(weight, 0) && n_groups == 1)
                .then(|| {
                    let rows = weight.permute((0, 2, 3, 1))?.contiguous()?.flatten_from(1)?;
                    TensorLinear::new(&rows, bias, Products::F32)
                })
                .transpose()?,
        })
    }

    /// The residual is added before the activation.
    pub fn forward(
        &self,
        x: &Tensor,
        window: Window,
        residual: Option<&Tensor>,
        activation: Activation,
    ) -> Result<Tensor> {
        let (n_out, n_group_in, ..) = self.weight.dims4()?;
        let map = MapShape::of(x.layout(), n_group_in * self.n_groups)?;
        let output = window.slide(&map, n_out)?;
        if residual.is_some_and(|residual| residual.elem_count() != output.len()) {
            bail!("a residual of another shape than the output, {output:?}");
        }
        if let Some(point) = &self.point {
            let seen = every(&every(x, 1, window.stride)?, 2, window.stride)?;
            return point.forward(&seen, residual, activation);
        }
        #[cfg(feature = "cuda")]
        if let Some(map_of_windows) = &self.windows
            && let Some(n_at_once) = cuda::images_at_once(&map, &output, window)
        {
            let residual = residual.map(|x| x.reshape(output.dims())).transpose()?;
            let parts = (0..map.n_images).step_by(n_at_once).map(|first| {
                let n = n_at_once.min(map.n_images - first);
                let rows = cuda::windows(&x.narrow(0, first, n)?, window)?;
                let residual = residual.as_ref().map(|x| x.narrow(0, first, n));
                map_of_windows.forward(&rows, residual.transpose()?.as_ref(), activation)
            });
            let y = Tensor::cat(&parts.collect::<Result<Vec<_>>>()?, 0)?;
            return y.reshape(output.dims());
        }
        // The engine takes one padding for both directions, and maps of shape (image, channel, row, column).
        let (down, across) = window.padding;
        let both = down.min(across);
        let x = x.pad_with_zeros(1, down - both, down - both)?.pad_with_zeros(2, across - both, across - both)?;
        let x = dense(&x.permute((0, 3, 1, 2))?)?;
        let y = x.conv2d(&self.weight, both, window.stride, 1, self.n_groups)?;
        let y = y.permute((0, 2, 3, 1))?.broadcast_add(&self.bias)?;
        let y = match residual {
            Some(residual) => (y + residual)?,
            None => y,
        };
        activate(&dense(&y)?, activation)
    }
}

/// Every `step`th position along a dimension, from the first on.
fn every(x: &Tensor, dimension: usize, step: usize) -> Result<Tensor> {
    if step == 1 {
        return Ok(x.clone());
    }
    let places = (0..x.dim(dimension)? as u32).step_by(step);
    let places = Tensor::from_iter(places, x.device())?;
    dense(x)?.index_select(&places, dimension)
}

/// One input channel for each output channel. Each tap multiplies whole maps by one weight per channel.
#[derive(Debug, Clone)]
pub struct TensorDepthwise {
    /// Shape (tap, channel).
    taps: Tensor,
    bias: Tensor,
}

impl TensorDepthwise {
    /// Builds it from a weight of shape (`n_channels`, 1, height, width).
    pub fn new(weight: &Tensor, bias: &Tensor) -> Result<Self> {
        Ok(TensorDepthwise {
            taps: weight.flatten_from(1)?.t()?.contiguous()?,
            bias: bias.contiguous()?,
        })
    }

    pub fn forward(&self, x: &Tensor, window: Window, activation: Activation) -> Result<Tensor> {
        #[cfg(feature = "cuda")]
        if cuda::takes(x, 0) {
            return cuda::depthwise(x, &self.taps, &self.bias, window, activation);
        }
        let mut sum: Option<Tensor> = None;
        for (tap, places) in Taps::new(x, window, 0.0)?.iter().enumerate() {
            let part = places?.broadcast_mul(&self.taps.get(tap)?)?;
            sum = Some(match sum {
                Some(sum) => (sum + part)?,
                None => part.broadcast_add(&self.bias)?,
            });
        }
        match sum {
            Some(sum) => activate(&sum, activation),
            None => bail!("a window without places"),
        }
    }
}
