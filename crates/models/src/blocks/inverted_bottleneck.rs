//! The block of EfficientNet and its kin.

use crate::blocks::convolution::Convolution;
use crate::blocks::depthwise::DepthwiseConvolution;
use crate::blocks::maps::MapShape;
use crate::blocks::slices::{values, zeros};
use crate::blocks::squeeze_excite::{ChannelMeans, SqueezeExcite, scale};
use candle_core::{CpuStorage, CustomOp1, Layout, Result, Shape, Tensor, bail};
use std::cell::RefCell;

/// Expanded rows that are held at a time, in values: a share of a second-level cache.
const STRIP: usize = 1 << 17;
/// Pixels that are weighted and projected at a time, while they are in the cache.
const PIXELS: usize = 64;

/// To more channels, depthwise convolution, squeeze and excitation, to fewer channels: `MBConv` (Tan & Le
/// 2019).
///
/// Runs image by image and, up to the squeeze, strip by strip: maps with the larger number of channels
/// never leave the cache.
#[derive(Debug, Clone)]
pub(crate) struct InvertedBottleneck {
    expand: Option<Convolution>,
    depthwise: DepthwiseConvolution,
    weigh: SqueezeExcite,
    project: Convolution,
    residual: bool,
}

/// Memory that blocks use one after the other.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    /// A strip of expanded rows.
    strip: Vec<f32>,
    /// What the depthwise convolution makes of one image.
    inner: Vec<f32>,
}

impl InvertedBottleneck {
    /// From its layers with their activations; `residual` if the input is added to the output. The first
    /// and the last convolution are 1 x 1.
    pub(crate) fn new(
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

    /// The output for maps of (image, row, column, channel).
    pub(crate) fn forward(&self, x: &Tensor, scratch: &mut Scratch) -> Result<Tensor> {
        if self.project.is_packed() {
            return x.apply_op1_no_bwd(&Run {
                block: self,
                scratch: RefCell::new(scratch),
            });
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

    /// The depthwise convolution of the expanded image, to `scratch.inner`; returns the channels' means.
    fn inner(
        &self,
        map: &MapShape,
        output: &MapShape,
        image: &[f32],
        scratch: &mut Scratch,
    ) -> Vec<f32> {
        let n = self.depthwise.n_channels();
        let mut means = ChannelMeans::new(n);
        let mut strip = Strip {
            expand: self.expand.as_ref(),
            image,
            line_in: map.width * map.n_channels,
            line: map.width * n,
            rows: 0..0,
            values: &mut scratch.strip,
        };
        let line_out = output.width * n;
        let n_rows = self.strip_rows(map, output);
        for y in (0..output.height).step_by(n_rows) {
            let ys = y..output.height.min(y + n_rows);
            let (top, rows) = strip.move_to(self.depthwise.rows(ys.clone(), map));
            for y in ys {
                let out = &mut scratch.inner[y * line_out..][..line_out];
                self.depthwise.row(map, top, rows, y, out);
                means.add(out);
            }
        }
        means.finish()
    }

    /// Output rows of a strip: as many as need no more than [`STRIP`] values, but one at least.
    fn strip_rows(&self, map: &MapShape, output: &MapShape) -> usize {
        let line = map.width * self.depthwise.n_channels();
        let fits = |n_rows: &usize| self.depthwise.rows(0..*n_rows, map).len() * line <= STRIP;
        (1..=output.height).take_while(fits).last().unwrap_or(1)
    }
}

/// The expanded rows of an image that are at hand.
struct Strip<'a> {
    expand: Option<&'a Convolution>,
    image: &'a [f32],
    /// Values of a row of the image, and of an expanded one.
    line_in: usize,
    line: usize,
    rows: std::ops::Range<usize>,
    values: &'a mut Vec<f32>,
}

impl Strip<'_> {
    /// Makes these rows available; they do not begin above the former ones. Returns the first row of
    /// what is there, and all from there on.
    fn move_to(&mut self, rows: std::ops::Range<usize>) -> (usize, &[f32]) {
        let Some(expand) = self.expand else {
            return (0, self.image);
        };
        let old = self.rows.clone();
        let kept = rows.start.min(old.end)..old.end;
        let from = (kept.start - old.start) * self.line;
        self.values
            .copy_within(from..from + kept.len() * self.line, 0);
        let fresh = rows.start.max(old.end)..rows.end;
        let n_values = rows.len() * self.line;
        if self.values.len() < n_values {
            self.values.resize(n_values, 0.0);
        }
        let x = &self.image[fresh.start * self.line_in..fresh.end * self.line_in];
        let out = &mut self.values[(fresh.start - rows.start) * self.line..n_values];
        expand.points(x, None, out);
        self.rows = rows;
        (self.rows.start, self.values)
    }
}

/// One application of a block.
struct Run<'a> {
    block: &'a InvertedBottleneck,
    scratch: RefCell<&'a mut Scratch>,
}

impl CustomOp1 for Run<'_> {
    fn name(&self) -> &'static str {
        "inverted-bottleneck"
    }

    fn cpu_fwd(&self, x: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let block = self.block;
        let (n, n_out) = (block.depthwise.n_channels(), block.project.n_out());
        let n_in = block.expand.as_ref().map_or(n, Convolution::n_in);
        let map = MapShape::of(layout, n_in)?;
        let inner = block.depthwise.output(&map)?;
        let output = MapShape {
            n_channels: n_out,
            ..inner
        };
        if block.residual && output != map {
            bail!("maps of {map:?} cannot be added to maps of {output:?}");
        }
        let x = values(x, layout)?;
        let mut out = zeros(output.len());
        if output.len() == 0 {
            return Ok((CpuStorage::F32(out), output.dims().into()));
        }
        let mut scratch = self.scratch.borrow_mut();
        if scratch.inner.len() < inner.image_len() {
            scratch.inner.resize(inner.image_len(), 0.0);
        }
        let images = x.chunks_exact(map.image_len());
        for (image, out) in images.zip(out.chunks_exact_mut(output.image_len())) {
            let means = block.inner(&map, &inner, image, &mut scratch);
            let weights = block.weigh.weights(&means);
            let pixels = scratch.inner[..inner.image_len()].chunks_mut(PIXELS * n);
            for (index, (pixels, out)) in pixels.zip(out.chunks_mut(PIXELS * n_out)).enumerate() {
                scale(pixels, &weights);
                let start = index * PIXELS * n_out;
                let residual = block.residual.then(|| &image[start..][..out.len()]);
                block.project.points(pixels, residual, out);
            }
        }
        Ok((CpuStorage::F32(out), output.dims().into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::{Activation, Linear};
    use candle_core::Device;
    use neurogauge_core::synthetic::Synthetic;

    fn synthetic(name: &str, shape: &[usize]) -> Tensor {
        let n: usize = shape.iter().product();
        let source = Synthetic::new(name, 0);
        let values: Vec<f32> = (0..n as u64).map(|i| source.uniform(i) - 0.5).collect();
        Tensor::from_vec(values, shape, &Device::Cpu).unwrap()
    }

    /// Channels of the input, inside, squeezed; then the block and the same by its layers.
    fn both(x: &Tensor, n_inner: usize, stride: usize, expands: bool) -> (Vec<f32>, Vec<f32>) {
        let n_in = x.dim(3).unwrap();
        let point = |name: &str, n_out: usize, n_in: usize| {
            let weight = synthetic(name, &[n_out, n_in, 1, 1]);
            Convolution::new(&weight, &synthetic("b", &[n_out]), 1, (0, 0), 1).unwrap()
        };
        let linear = |name: &str, n_out: usize, n_in: usize, activation| {
            let weight = synthetic(name, &[n_out, n_in]);
            let linear = Linear::new(&weight, &synthetic("c", &[n_out])).unwrap();
            linear.then(activation)
        };
        let expand = expands.then(|| point("expand", n_inner, n_in).then(Activation::Silu));
        let depthwise = DepthwiseConvolution::new(
            &synthetic("depthwise", &[n_inner, 1, 5, 5]),
            &synthetic("b", &[n_inner]),
            stride,
            2,
            Activation::Silu,
        );
        let depthwise = depthwise.unwrap();
        let squeeze = linear("squeeze", 3, n_inner, Activation::Silu);
        let excite = linear("excite", n_inner, 3, Activation::Sigmoid);
        let project = point("project", n_in, n_inner);

        let expanded = expand
            .as_ref()
            .map_or_else(|| x.clone(), |expand| expand.forward(x).unwrap());
        let inner = depthwise.forward(&expanded).unwrap();
        let means = inner.mean((1, 2)).unwrap();
        let weights = excite.forward(&squeeze.forward(&means).unwrap()).unwrap();
        let weights = weights.unsqueeze(1).unwrap().unsqueeze(1).unwrap();
        let inner = inner.broadcast_mul(&weights).unwrap();
        let residual = stride == 1;
        let expected = if residual {
            project.forward_residual(&inner, x)
        } else {
            project.forward(&inner)
        };
        let weigh = SqueezeExcite::new(squeeze, excite);
        let block = InvertedBottleneck::new(expand, depthwise, weigh, project, residual).unwrap();
        let mut scratch = Scratch::default();
        let flat = |x: Tensor| x.flatten_all().unwrap().to_vec1().unwrap();
        // Twice: what is left in the scratch does not matter.
        block.forward(x, &mut scratch).unwrap();
        let y = block.forward(x, &mut scratch).unwrap();
        (flat(y), flat(expected.unwrap()))
    }

    #[test]
    fn equals_its_layers_one_by_one() {
        // The second map is so wide that it takes several strips.
        let shapes = [(2, 7, 9, 6, 20), (1, 23, 150, 4, 144)];
        for (n_images, height, width, n_in, n_inner) in shapes {
            for (stride, expands) in [(1, true), (2, true), (1, false), (2, false)] {
                let n_inner = if expands { n_inner } else { n_in };
                let x = synthetic("x", &[n_images, height, width, n_in]);
                let (y, expected) = both(&x, n_inner, stride, expands);
                assert_eq!(y.len(), expected.len());
                for (y, expected) in y.iter().zip(&expected) {
                    assert!((y - expected).abs() < 1e-5, "{y} is not {expected}");
                }
            }
        }
    }

    #[test]
    fn wide_kernels_at_the_ends_are_refused() {
        let weight = synthetic("w", &[2, 2, 3, 3]);
        let wide = Convolution::new(&weight, &synthetic("b", &[2]), 1, (1, 1), 1).unwrap();
        let depthwise = DepthwiseConvolution::new(
            &synthetic("w", &[2, 1, 3, 3]),
            &synthetic("b", &[2]),
            1,
            1,
            Activation::Identity,
        );
        let linear = || Linear::without_bias(&synthetic("w", &[2, 2])).unwrap();
        let weigh = SqueezeExcite::new(linear(), linear());
        let block = InvertedBottleneck::new(None, depthwise.unwrap(), weigh, wide, true);
        assert!(block.is_err());
    }
}
