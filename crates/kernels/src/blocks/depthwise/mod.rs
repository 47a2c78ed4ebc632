//! Depthwise convolution, in which every channel has its own window.

mod windows;

use crate::blocks::activation::Activation;
use crate::blocks::maps::{MapShape, Window};
use crate::blocks::shared_rows::n_threads_for;
use crate::blocks::slices::{LANES, Output, on_values, room, zeros};
use crate::blocks::tensors::{TensorDepthwise, is_packed};
use candle_core::{Layout, Result, Tensor, bail};
use rayon::prelude::*;
use std::ops::Range;
use windows::row_of_windows;

/// `y = f(x ∗ W + b)` with one input channel per output channel, vectorised over channels.
#[derive(Debug, Clone)]
pub struct DepthwiseConvolution {
    /// The weights of all channels, tap by tap, padded to whole lanes.
    taps: Vec<f32>,
    /// Padded to whole lanes.
    bias: Vec<f32>,
    /// Used on a GPU instead of the two above.
    tensors: Option<TensorDepthwise>,
    n_channels: usize,
    window: Window,
    activation: Activation,
}

impl DepthwiseConvolution {
    /// Builds it from a weight of shape (`n_channels`, 1, size, size) and a bias of `n_channels`, with this stride and
    /// symmetric padding.
    pub fn new(weight: &Tensor, bias: &Tensor, stride: usize, padding: usize, activation: Activation) -> Result<Self> {
        let (n_channels, one, height, width) = weight.dims4()?;
        if one != 1 {
            bail!("a depthwise weight has one input channel, not {one}");
        }
        let (mut taps, mut lanes, mut tensors) = (Vec::new(), Vec::new(), None);
        if is_packed(weight) {
            (taps, lanes) = packed(weight, bias)?;
        } else {
            tensors = Some(TensorDepthwise::new(weight, bias)?);
        }
        Ok(DepthwiseConvolution {
            taps,
            bias: lanes,
            tensors,
            n_channels,
            window: Window {
                height,
                width,
                stride,
                padding: (padding, padding),
                ceil: false,
            },
            activation,
        })
    }

    /// The output for maps of shape (image, row, column, channel).
    pub fn forward(&self, x: &Tensor) -> Result<Tensor> {
        match &self.tensors {
            Some(tensors) => tensors.forward(x, self.window, self.activation),
            None => on_values([x], |[x], [layout]| self.computed(x, layout)),
        }
    }

    pub(super) fn output(&self, map: &MapShape) -> Result<MapShape> {
        self.window.slide(map, self.n_channels)
    }

    pub(super) fn n_channels(&self) -> usize {
        self.n_channels
    }

    /// The rows of the map that output rows `y` depend on.
    pub(super) fn rows(&self, y: Range<usize>, map: &MapShape) -> Range<usize> {
        let covers = |y| {
            let (height, padding) = (self.window.height, self.window.padding.0);
            self.window.covers(y, height, padding, map.height)
        };
        covers(y.start).start..covers(y.end.saturating_sub(1)).end
    }

    /// Computes output row `y` from the available rows of an image, which begin at row `top`.
    pub(super) fn row(&self, map: &MapShape, top: usize, rows: &[f32], y: usize, out: &mut [f32]) {
        row_of_windows(self, map, top, rows, y, out);
    }
}

/// Weights tap by tap, and the bias, both padded to whole lanes.
fn packed(weight: &Tensor, bias: &Tensor) -> Result<(Vec<f32>, Vec<f32>)> {
    let (n_channels, _, height, width) = weight.dims4()?;
    let weight = weight.flatten_all()?.to_vec1::<f32>()?;
    let n_taps = height * width;
    let whole = n_channels.next_multiple_of(LANES);
    let mut taps = zeros(n_taps * whole);
    for (tap, row) in taps.chunks_exact_mut(whole).enumerate() {
        for (channel, value) in row[..n_channels].iter_mut().enumerate() {
            *value = weight[channel * n_taps + tap];
        }
    }
    let mut bias = bias.to_vec1()?;
    bias.resize(whole, 0.0);
    Ok((taps, bias))
}

impl DepthwiseConvolution {
    fn computed(&self, x: &[f32], layout: &Layout) -> Output {
        let map = MapShape::of(layout, self.n_channels)?;
        let output = self.output(&map)?;
        let mut out = room(output.len());
        if output.len() > 0 {
            let n_threads = n_threads_for(output.len() * self.window.height * self.window.width);
            let line = output.width * self.n_channels;
            let lines = (output.n_images * output.height).div_ceil(n_threads);
            let fill = |(part, out): (usize, &mut [f32])| {
                for (index, out) in out.chunks_exact_mut(line).enumerate() {
                    let row = part * lines + index;
                    let image = &x[row / output.height * map.image_len()..][..map.image_len()];
                    self.row(&map, 0, image, row % output.height, out);
                }
            };
            match n_threads {
                1 => fill((0, &mut out)),
                _ => {
                    let parts = out.par_chunks_mut(lines * line).enumerate();
                    parts.for_each(fill);
                }
            }
        }
        Ok((out, output.dims().into()))
    }
}
