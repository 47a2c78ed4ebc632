//! The block of EfficientNet and similar networks.

mod strip;

use crate::blocks::convolution::Convolution;
use crate::blocks::depthwise::DepthwiseConvolution;
use crate::blocks::maps::MapShape;
use crate::blocks::shared_rows::{n_threads_for, on_this_thread};
use crate::blocks::slices::{Output, on_values, room};
use crate::blocks::squeeze_excite::{ChannelMeans, SqueezeExcite, scale};
use candle_core::{Layout, Result, Tensor, bail};
use rayon::prelude::*;
use std::ops::Range;
use strip::Strip;

/// Number of values of expanded rows held at a time: a share of a second-level cache.
const STRIP: usize = 1 << 17;
/// Number of pixels that are weighted and projected at a time, while they are in the cache.
const PIXELS: usize = 64;

/// Expansion to more channels, depthwise convolution, squeeze and excitation, and projection to fewer channels:
/// `MBConv` (Tan & Le 2019).
///
/// It runs image by image and, up to the squeeze, strip by strip, so that the expanded maps never leave the cache.
#[derive(Debug, Clone)]
pub struct InvertedBottleneck {
    expand: Option<Convolution>,
    depthwise: DepthwiseConvolution,
    weigh: SqueezeExcite,
    project: Convolution,
    residual: bool,
}

/// Buffers that blocks use one after the other.
#[derive(Debug, Default)]
pub struct Scratch {
    /// A strip of expanded rows.
    strip: Vec<f32>,
    /// The output of the depthwise convolution for one image.
    inner: Vec<f32>,
}

impl InvertedBottleneck {
    /// Builds it from its layers with their activations; `residual` adds the input to the output. The first and the
    /// last convolution are 1 x 1.
    pub fn new(
        expand: Option<Convolution>,
        depthwise: DepthwiseConvolution,
        weigh: SqueezeExcite,
        project: Convolution,
        residual: bool,
    ) -> Result<Self> {
        if !project.is_point() || !expand.as_ref().is_none_or(Convolution::is_point) {
            bail!("a bottleneck begins and ends with 1 x 1 convolutions");
        }
        Ok(InvertedBottleneck {
            expand,
            depthwise,
            weigh,
            project,
            residual,
        })
    }

    /// The output for maps of shape (image, row, column, channel).
    pub fn forward(&self, x: &Tensor, scratch: &mut Scratch) -> Result<Tensor> {
        if self.project.is_packed() {
            return on_values([x], |[x], [layout]| self.computed(x, layout, scratch));
        }
        let inner = match &self.expand {
            Some(expand) => self.depthwise.forward(&expand.forward(x)?)?,
            None => self.depthwise.forward(x)?,
        };
        let inner = self.weigh.forward(&inner)?;
        if self.residual {
            self.project.forward_residual(&inner, x)
        } else {
            self.project.forward(&inner)
        }
    }

    /// Writes the depthwise convolution of the expanded image into `scratch.inner`; returns the channels' means.
    fn inner(&self, map: &MapShape, output: &MapShape, image: &[f32], scratch: &mut Scratch) -> Vec<f32> {
        let n = self.depthwise.n_channels();
        let mut means = ChannelMeans::new(n);
        let line = output.width * n;
        let inner = &mut scratch.inner[..output.image_len()];
        let expansion = self.expand.as_ref().map_or(1, Convolution::n_in);
        let n_threads = n_threads_for(output.image_len() * expansion);
        if n_threads == 1 {
            let ys = 0..output.height;
            let strip = &mut scratch.strip;
            self.inner_rows(map, output, image, ys, (inner, strip), |row| means.add(row));
            return means.finish();
        }
        let n_rows = output.height.div_ceil(n_threads);
        let parts = inner.par_chunks_mut(n_rows * line).enumerate();
        parts.for_each(|(part, out)| {
            let first = part * n_rows;
            let ys = first..first + out.len() / line;
            let to = (out, &mut Vec::new());
            on_this_thread(|| self.inner_rows(map, output, image, ys, to, |_| ()));
        });
        // Added in the order of rows, so that the sums have the same bits.
        inner.chunks_exact(line).for_each(|row| means.add(row));
        means.finish()
    }

    /// Writes its rows `ys` to `out`; `each` is called with every row.
    fn inner_rows(
        &self,
        map: &MapShape,
        output: &MapShape,
        image: &[f32],
        ys: Range<usize>,
        (out, values): (&mut [f32], &mut Vec<f32>),
        mut each: impl FnMut(&[f32]),
    ) {
        let n = self.depthwise.n_channels();
        let mut strip = Strip {
            expand: self.expand.as_ref(),
            image,
            line_in: map.width * map.n_channels,
            line: map.width * n,
            rows: 0..0,
            values,
        };
        let n_rows = self.strip_rows(map, output);
        let mut lines = out.chunks_exact_mut(output.width * n);
        for y in ys.clone().step_by(n_rows) {
            let of_strip = y..ys.end.min(y + n_rows);
            let (top, rows) = strip.move_to(self.depthwise.rows(of_strip.clone(), map));
            for (y, out) in of_strip.zip(&mut lines) {
                self.depthwise.row(map, top, rows, y, out);
                each(out);
            }
        }
    }

    /// Number of output rows in a strip: as many as need at most [`STRIP`] values, but at least one.
    fn strip_rows(&self, map: &MapShape, output: &MapShape) -> usize {
        let line = map.width * self.depthwise.n_channels();
        let fits = |n_rows: &usize| self.depthwise.rows(0..*n_rows, map).len() * line <= STRIP;
        (1..=output.height).take_while(fits).last().unwrap_or(1)
    }

    fn computed(&self, x: &[f32], layout: &Layout, scratch: &mut Scratch) -> Output {
        let (n, n_out) = (self.depthwise.n_channels(), self.project.n_out());
        let n_in = self.expand.as_ref().map_or(n, Convolution::n_in);
        let map = MapShape::of(layout, n_in)?;
        let inner = self.depthwise.output(&map)?;
        let output = MapShape {
            n_channels: n_out,
            ..inner
        };
        if self.residual && output != map {
            bail!("maps of {map:?} cannot be added to maps of {output:?}");
        }
        let mut out = room(output.len());
        if output.len() == 0 {
            return Ok((out, output.dims().into()));
        }
        if scratch.inner.len() < inner.image_len() {
            scratch.inner.resize(inner.image_len(), 0.0);
        }
        let images = x.chunks_exact(map.image_len());
        for (image, out) in images.zip(out.chunks_exact_mut(output.image_len())) {
            let means = self.inner(&map, &inner, image, scratch);
            let weights = self.weigh.weights(&means);
            let pixels = &mut scratch.inner[..inner.image_len()];
            let project = |(index, (pixels, out)): (usize, (&mut [f32], &mut [f32]))| {
                scale(pixels, &weights);
                let start = index * PIXELS * n_out;
                let residual = self.residual.then(|| &image[start..][..out.len()]);
                self.project.points(pixels, residual, out);
            };
            if n_threads_for(inner.image_len() * n_out) == 1 {
                let parts = pixels.chunks_mut(PIXELS * n);
                let parts = parts.zip(out.chunks_mut(PIXELS * n_out)).enumerate();
                parts.for_each(project);
            } else {
                let parts = pixels.par_chunks_mut(PIXELS * n);
                let parts = parts.zip(out.par_chunks_mut(PIXELS * n_out)).enumerate();
                parts.for_each(|part| on_this_thread(|| project(part)));
            }
        }
        Ok((out, output.dims().into()))
    }
}
