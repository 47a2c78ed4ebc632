//! Our own kernels for layers on NVIDIA GPUs: one per layer, where the engine needs several operations.
//!
//! Like the engine's, their sums are in f32 and in another order than on the CPU. Tensors that they cannot take
//! ([`takes`]) use the engine's operations.

mod launch;
mod product;

use super::{TensorNorm, beside, dense};
use crate::blocks::maps::MapShape;
use crate::blocks::{Activation, References, Samples, Window};
use candle_core::{D, DType, Result, Tensor, bail};
use launch::{Argument, Threads, run};
pub(super) use product::bf16_product;

/// Largest number of values in a kernel's tensor.
const MOST_VALUES: usize = i32::MAX as usize;
/// Number of window values in memory at once: 0.5 GB.
const WINDOW_VALUES: usize = 1 << 27;
/// Largest number of dimensions of a tensor that a kernel can make contiguous.
pub(super) const MOST_DIMENSIONS: usize = 5;

/// Can a kernel read this tensor, and write one of `n_values`?
pub(super) fn takes(x: &Tensor, n_values: usize) -> bool {
    x.device().is_cuda() && x.dtype() == DType::F32 && x.elem_count().max(n_values) <= MOST_VALUES
}

/// `f(factors (x + bias) + residual)` for every row.
pub(super) fn finished_rows(
    x: &Tensor,
    bias: &Tensor,
    factors: Option<&Tensor>,
    residual: Option<&Tensor>,
    activation: Activation,
) -> Result<Tensor> {
    let residual = residual.map(dense).transpose()?;
    let n_columns = x.dim(D::Minus1)?;
    let fits = |tensor: Option<&Tensor>, n| tensor.is_none_or(|tensor| tensor.elem_count() == n);
    if !fits(Some(bias), n_columns) || !fits(factors, n_columns) || !fits(residual.as_ref(), x.elem_count()) {
        bail!("a bias, factors or a residual of another shape than the output, {:?}", x.shape());
    }
    let arguments = [
        Argument::number(x.elem_count()),
        Argument::number(n_columns),
        code(activation),
        Argument::flag(factors.is_some()),
        Argument::flag(residual.is_some()),
        Argument::Values(x),
        Argument::Values(bias),
        Argument::Values(factors.unwrap_or(bias)),
        Argument::Values(residual.as_ref().unwrap_or(bias)),
    ];
    run("finished_rows", Threads::OfValues, &arguments, x.shape())
}

/// The layer normalisation of every row.
pub(super) fn normalised_rows(norm: &TensorNorm, x: &Tensor) -> Result<Tensor> {
    let n_columns = norm.weight.elem_count();
    let x = dense(x)?;
    if x.dim(D::Minus1)? != n_columns || norm.bias.elem_count() != n_columns {
        bail!("a normalisation of {n_columns} features got {:?}", x.shape());
    }
    let n_rows = x.elem_count() / n_columns;
    let arguments = [
        Argument::number(n_rows),
        Argument::number(n_columns),
        Argument::Real(norm.epsilon as f32),
        Argument::Values(&x),
        Argument::Values(&norm.weight),
        Argument::Values(&norm.bias),
    ];
    run("normalised_rows", Threads::OfRows(n_rows), &arguments, x.shape())
}

/// `softmax(scores + bias)` over the last dimension of (sequence, head, query, key); the first three dimensions of the
/// bias may have length 1.
pub(super) fn softmax_rows(scores: &Tensor, bias: Option<&Tensor>) -> Result<Tensor> {
    let (_, n_heads, n_queries, n_columns) = scores.dims4()?;
    let bias = bias.map(dense).transpose()?;
    let mut steps = [0; 3];
    if let Some(bias) = &bias {
        bias.broadcast_as(scores.shape())?;
        if bias.dim(D::Minus1)? != n_columns {
            bail!("a bias of {:?} for scores of {:?}", bias.shape(), scores.shape());
        }
        let stride = bias.stride();
        for (place, step) in steps.iter_mut().enumerate() {
            *step = if bias.dim(place)? == 1 { 0 } else { stride[place] };
        }
    }
    let n_rows = scores.elem_count() / n_columns.max(1);
    let [by_sequence, by_head, by_query] = steps.map(Argument::number);
    let arguments = [
        Argument::number(n_rows),
        Argument::number(n_columns),
        Argument::number(n_heads),
        Argument::number(n_queries),
        Argument::flag(bias.is_some()),
        by_sequence,
        by_head,
        by_query,
        Argument::Values(scores),
        Argument::Values(bias.as_ref().unwrap_or(scores)),
    ];
    run("softmax_rows", Threads::OfRows(n_rows), &arguments, scores.shape())
}

/// The depthwise convolution of maps, with weights of shape (tap, channel).
pub(super) fn depthwise(
    x: &Tensor,
    taps: &Tensor,
    bias: &Tensor,
    window: Window,
    activation: Activation,
) -> Result<Tensor> {
    let map = MapShape::of(x.layout(), bias.elem_count())?;
    let output = window.slide(&map, map.n_channels)?;
    if taps.dims2()? != (window.height * window.width, map.n_channels) {
        bail!("weights of {:?} for windows of {window:?}", taps.shape());
    }
    let x = dense(x)?;
    let mut arguments = vec![Argument::number(output.len())];
    arguments.extend(sliding(&map, &output, window));
    arguments.extend([code(activation), Argument::Values(&x), Argument::Values(taps), Argument::Values(bias)]);
    run("depthwise", Threads::OfValues, &arguments, output.dims())
}

/// Deformable attention, from the offsets and weights that queries choose.
pub(super) fn sampled(
    memory: &Tensor,
    [offsets, weights]: [&Tensor; 2],
    references: &References,
    sizes: &[(usize, usize)],
    samples: Samples,
) -> Result<Tensor> {
    let (memory, (n_queries, _)) = (dense(memory)?, offsets.dims2()?);
    let (_, width) = memory.dims2()?;
    let (of_boxes, places) = match references {
        References::Points(points) => (false, points.iter().map(|&[x, y]| [x, y, 0.0, 0.0]).collect()),
        References::Boxes(boxes) => (true, boxes.clone()),
    };
    if places.len() != n_queries {
        bail!("{} references of {n_queries} queries", places.len());
    }
    let places = beside(&memory, places.concat(), (n_queries, 4))?;
    let mut first = 0;
    let maps = sizes.iter().flat_map(|&(height, width)| {
        let map = [height, width, first].map(|n| n as f32);
        first += height * width;
        map
    });
    let maps = beside(&memory, maps.collect(), (sizes.len(), 3))?;
    let n_values = n_queries * width;
    let arguments = [
        Argument::number(n_values),
        Argument::number(samples.n_heads),
        Argument::number(samples.n_levels),
        Argument::number(samples.n_points),
        Argument::number(width / samples.n_heads),
        Argument::flag(of_boxes),
        Argument::Values(&memory),
        Argument::Values(offsets),
        Argument::Values(weights),
        Argument::Values(&places),
        Argument::Values(&maps),
    ];
    run("sampled", Threads::OfValues, &arguments, (n_queries, width))
}

/// The number of images whose windows [`windows`] writes at once; `None` if those of one image are too many.
pub(super) fn images_at_once(map: &MapShape, output: &MapShape, window: Window) -> Option<usize> {
    let n_covered = output.height * output.width * window.height * window.width * map.n_channels;
    let fits = n_covered.max(map.image_len()) <= MOST_VALUES;
    fits.then(|| (WINDOW_VALUES / n_covered.max(1)).max(1))
}

/// The values in each window, as a row of (row, column, channel).
pub(super) fn windows(x: &Tensor, window: Window) -> Result<Tensor> {
    let map = MapShape::of(x.layout(), *x.dims().last().unwrap_or(&0))?;
    let output = window.slide(&map, map.n_channels)?;
    let x = dense(x)?;
    let n_rows = output.n_images * output.height * output.width;
    let width = window.height * window.width * map.n_channels;
    let mut arguments = vec![Argument::number(n_rows * width)];
    arguments.extend(sliding(&map, &output, window));
    arguments.push(Argument::Values(&x));
    run("windows", Threads::OfValues, &arguments, (n_rows, width))
}

/// A contiguous copy of a tensor with at most [`MOST_DIMENSIONS`] dimensions.
pub(super) fn in_order(x: &Tensor) -> Result<Tensor> {
    let missing = MOST_DIMENSIONS - x.rank();
    let mut arguments = vec![Argument::number(x.elem_count())];
    let dims = std::iter::repeat_n(&1, missing).chain(x.dims());
    arguments.extend(dims.skip(1).map(|&n| Argument::number(n)));
    let steps = std::iter::repeat_n(&0, missing).chain(x.stride());
    arguments.extend(steps.map(|&step| Argument::number(step)));
    arguments.push(Argument::Strided(x));
    run("in_order", Threads::OfValues, &arguments, x.shape())
}

/// A window that slides over a map, as arguments of the kernels.
fn sliding<'a>(map: &MapShape, output: &MapShape, window: Window) -> [Argument<'a>; 10] {
    [
        map.n_channels,
        map.height,
        map.width,
        output.height,
        output.width,
        window.height,
        window.width,
        window.stride,
        window.padding.0,
        window.padding.1,
    ]
    .map(Argument::number)
}

/// The kernels' number for an activation.
fn code<'a>(activation: Activation) -> Argument<'a> {
    Argument::Number(match activation {
        Activation::Identity => 0,
        Activation::Relu => 1,
        Activation::Silu => 2,
        Activation::Sigmoid => 3,
        Activation::Gelu => 4,
        Activation::QuickGelu => 5,
        Activation::TanhGelu => 6,
    })
}
