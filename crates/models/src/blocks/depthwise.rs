//! Depthwise convolution: every channel has its own window.

use crate::blocks::activation::Activation;
use crate::blocks::maps::{MapShape, Window};
use crate::blocks::slices::{LANES, values, zeros};
use candle_core::{CpuStorage, CustomOp1, Layout, Result, Shape, Tensor, bail};

/// Channels that are summed at once: four registers of sums hide the latency of the multiplications.
const CHANNELS: usize = 4 * LANES;

/// `y = f(x ∗ W + b)` with one input channel for each output channel, vectorised over channels.
#[derive(Debug, Clone)]
pub(crate) struct DepthwiseConvolution {
    /// Tap by tap, the weights of all channels, filled up to whole lanes.
    taps: Vec<f32>,
    /// Filled up likewise.
    bias: Vec<f32>,
    n_channels: usize,
    window: Window,
    activation: Activation,
}

impl DepthwiseConvolution {
    /// From a weight of shape (`n_channels`, 1, size, size) and a bias of `n_channels`; with stride and
    /// symmetric padding.
    pub(crate) fn new(
        weight: &Tensor,
        bias: &Tensor,
        stride: usize,
        padding: usize,
        activation: Activation,
    ) -> Result<Self> {
        let (n_channels, one, height, width) = weight.dims4()?;
        if one != 1 {
            bail!("a depthwise weight has one input channel, not {one}");
        }
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
        Ok(DepthwiseConvolution {
            taps,
            bias,
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

    /// The output for maps of (image, row, column, channel).
    pub(crate) fn forward(&self, x: &Tensor) -> Result<Tensor> {
        x.apply_op1_no_bwd(self)
    }
}

impl CustomOp1 for DepthwiseConvolution {
    fn name(&self) -> &'static str {
        "depthwise-convolution"
    }

    fn cpu_fwd(&self, x: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let map = MapShape::of(layout, self.n_channels)?;
        let output = self.window.slide(&map, self.n_channels)?;
        let x = values(x, layout)?;
        let mut out = zeros(output.len());
        let images = x.chunks_exact(map.image_len());
        for (image, out) in images.zip(out.chunks_exact_mut(output.image_len())) {
            for (y, row) in out
                .chunks_exact_mut(output.width * self.n_channels)
                .enumerate()
            {
                row_of_windows(self, &map, image, y, row);
            }
        }
        let shape = (
            output.n_images,
            output.height,
            output.width,
            output.n_channels,
        );
        Ok((CpuStorage::F32(out), shape.into()))
    }
}

/// Output row `y`.
#[multiversion::multiversion(targets = "simd")]
fn row_of_windows(
    layer: &DepthwiseConvolution,
    map: &MapShape,
    image: &[f32],
    y: usize,
    out: &mut [f32],
) {
    let window = &layer.window;
    let n = layer.n_channels;
    let rows = window.covers(y, window.height, window.padding.0, map.height);
    for (x, out) in out.chunks_exact_mut(n).enumerate() {
        let columns = window.covers(x, window.width, window.padding.1, map.width);
        let taps = |row: usize| {
            let tap_y = row + window.padding.0 - y * window.stride;
            let tap_x = columns.start + window.padding.1 - x * window.stride;
            let tap = tap_y * window.width + tap_x;
            let pixel = row * map.width + columns.start;
            (tap, pixel)
        };
        let mut first = 0;
        while first < n {
            let width = if n - first >= CHANNELS {
                CHANNELS
            } else {
                LANES
            };
            macro_rules! sum {
                ($width:expr) => {
                    sum_window::<{ $width }>(layer, image, first, rows.clone(), columns.len(), taps)
                };
            }
            if width == CHANNELS {
                let sums = sum!(CHANNELS);
                out[first..first + CHANNELS].copy_from_slice(&sums);
            } else {
                let sums = sum!(LANES);
                let width = LANES.min(n - first);
                out[first..first + width].copy_from_slice(&sums[..width]);
            }
            first += width;
        }
    }
}

/// `N` channels of one window, from channel `first`. Channels behind the last are not read.
#[inline(always)]
fn sum_window<const N: usize>(
    layer: &DepthwiseConvolution,
    image: &[f32],
    first: usize,
    rows: std::ops::Range<usize>,
    n_columns: usize,
    place: impl Fn(usize) -> (usize, usize),
) -> [f32; N] {
    let (n, whole) = (layer.n_channels, layer.bias.len());
    let mut sums = [0.0_f32; N];
    sums.copy_from_slice(&layer.bias[first..first + N]);
    for row in rows {
        let (tap, pixel) = place(row);
        for column in 0..n_columns {
            let taps = &layer.taps[(tap + column) * whole + first..][..N];
            let pixel = &image[(pixel + column) * n + first..];
            if let Some(pixel) = pixel.first_chunk::<N>() {
                for ((sum, x), w) in sums.iter_mut().zip(pixel).zip(taps) {
                    *sum += x * w;
                }
            } else {
                for ((sum, x), w) in sums.iter_mut().zip(pixel).zip(taps) {
                    *sum += x * w;
                }
            }
        }
    }
    layer.activation.apply(&mut sums);
    sums
}
