//! Convolution with the steps that follow it: folded normalisation, residual, activation.

mod beside;
mod images;
mod padded;
mod winograd;

use crate::blocks::activation::Activation;
use crate::blocks::concatenation::Part;
use crate::blocks::maps::{MapShape, Window};
use crate::blocks::packed::{Epilogue, PackedMatrix, matrix_rows};
use crate::blocks::products::Products;
use crate::blocks::slices::on_values;
use crate::blocks::tensors::{TensorConvolution, is_packed};
use crate::blocks::weights::transposed;
use candle_core::{Result, Tensor, bail};
use winograd::Winograd;

/// `y = f(x ∗ W + b)`, or `f(x ∗ W + b + residual)`, on maps; in groups if there are several.
///
/// It is an implicit matrix product: with one group, a row of taps is a contiguous run of the map, so nothing is
/// gathered. Windows of 3 x 3 with stride 1 use an algorithm with fewer products ([`Winograd`]).
#[derive(Debug, Clone)]
pub struct Convolution {
    weights: Weights,
    /// A bias per output channel; on a device the weights contain it.
    bias: Vec<f32>,
    n_in: usize,
    n_out: usize,
    n_groups: usize,
    window: Window,
    activation: Activation,
}

#[derive(Debug, Clone)]
enum Weights {
    /// One matrix for each group: (taps of a window, output channels).
    Groups(Vec<PackedMatrix>),
    Winograd(Winograd),
    /// On a device.
    Tensors(TensorConvolution),
}

impl Convolution {
    /// Builds it from a weight of shape (`n_out`, `n_in` / `n_groups`, height, width) and a bias of `n_out`.
    pub fn new(
        weight: &Tensor,
        bias: &Tensor,
        stride: usize,
        padding: (usize, usize),
        n_groups: usize,
    ) -> Result<Self> {
        let (n_out, n_group_in, height, width) = weight.dims4()?;
        if n_groups == 0 || !n_out.is_multiple_of(n_groups) {
            bail!("{n_out} output channels in {n_groups} groups");
        }
        let window = Window {
            height,
            width,
            stride,
            padding,
            ceil: false,
        };
        let n_in = n_group_in * n_groups;
        let (weights, bias) = if is_packed(weight) {
            let taps = transposed(&weight.flatten_from(2)?)?.flatten_all()?.to_vec1::<f32>()?;
            let weights = if n_groups == 1 && Winograd::suits(&window, n_in, n_out) {
                Weights::Winograd(Winograd::new(n_in, n_out, &taps))
            } else {
                Weights::Groups(packed_groups(&taps, n_out, n_groups, &window))
            };
            (weights, bias.to_vec1()?)
        } else {
            let products = products(&window, n_groups);
            let tensors = TensorConvolution::new(weight, bias, window, n_groups, products)?;
            (Weights::Tensors(tensors), Vec::new())
        };
        Ok(Convolution {
            weights,
            bias,
            n_in,
            n_out,
            n_groups,
            window,
            activation: Activation::Identity,
        })
    }

    /// Applies this activation to the output.
    pub fn then(self, activation: Activation) -> Self {
        Convolution { activation, ..self }
    }

    /// The output for maps of shape (image, row, column, channel).
    pub fn forward(&self, x: &Tensor) -> Result<Tensor> {
        match &self.weights {
            Weights::Tensors(tensors) => tensors.forward(x, self.window, None, self.activation),
            Weights::Groups(_) | Weights::Winograd(_) => on_values([x], |[x], [layout]| self.convolve(x, layout, None)),
        }
    }

    /// The output with a residual, which is added before the activation.
    pub fn forward_residual(&self, x: &Tensor, residual: &Tensor) -> Result<Tensor> {
        match &self.weights {
            Weights::Tensors(tensors) => tensors.forward(x, self.window, Some(residual), self.activation),
            Weights::Groups(_) | Weights::Winograd(_) => {
                on_values([x, residual], |[x, residual], [layout, _]| self.convolve(x, layout, Some(residual)))
            }
        }
    }

    /// Are the weights packed, so that they can be used with plain slices?
    pub fn is_packed(&self) -> bool {
        !matches!(self.weights, Weights::Tensors(_))
    }

    /// Number of input channels.
    pub(super) fn n_in(&self) -> usize {
        self.n_in
    }

    /// Number of output channels.
    pub(super) fn n_out(&self) -> usize {
        self.n_out
    }

    /// Does every output pixel depend only on the input pixel at its position?
    pub(super) fn is_point(&self) -> bool {
        self.window == Window::square(1, 1, 0) && self.n_groups == 1
    }

    /// The output for some pixels; the convolution must be [a point convolution](Self::is_point).
    pub(super) fn points(&self, x: &[f32], residual: Option<&[f32]>, out: &mut [f32]) {
        let (n_rows, n_out) = (x.len() / self.n_in, self.bias.len());
        if let Weights::Groups(groups) = &self.weights
            && let [matrix] = groups.as_slice()
        {
            let rows = matrix_rows(x, self.n_in);
            matrix.multiply(n_rows, 1, rows, out, n_out, self.epilogue(residual));
        }
    }

    /// The steps after the products.
    fn epilogue<'a>(&'a self, residual: Option<&'a [f32]>) -> Epilogue<'a> {
        Epilogue {
            bias: &self.bias,
            residual,
            activation: self.activation,
        }
    }
}

/// Point convolutions are affine maps of pixels and multiply in their precision; the factors of others are not rounded.
fn products(window: &Window, n_groups: usize) -> Products {
    match (window.height, window.width, n_groups) {
        (1, 1, 1) => Products::of_arrangement(),
        _ => Products::F32,
    }
}

/// A matrix for each group, from weights of shape (`n_out`, row, column, channel of the group).
fn packed_groups(taps: &[f32], n_out: usize, n_groups: usize, window: &Window) -> Vec<PackedMatrix> {
    let (n_taps, n_group_out) = (taps.len() / n_out, n_out / n_groups);
    let n_runs = match n_groups {
        1 => window.height,
        _ => window.height * window.width,
    };
    // Pairs of steps must not extend from one run of the map into the next.
    let in_pairs = n_runs == 1 || (n_taps / n_runs).is_multiple_of(2);
    let groups = taps.chunks_exact(n_taps * n_group_out);
    let packed = groups.map(|taps| {
        let column = |channel| &taps[channel * n_taps..][..n_taps];
        match in_pairs {
            true => PackedMatrix::of_weights(n_taps, n_group_out, column, products(window, n_groups)),
            false => PackedMatrix::from_columns(n_taps, n_group_out, column),
        }
    });
    packed.collect()
}

impl Part for Convolution {
    fn n_in(&self) -> Option<usize> {
        Some(self.n_in)
    }

    fn output(&self, map: &MapShape) -> Result<MapShape> {
        self.window.slide(map, self.n_out)
    }

    fn forward(&self, x: &Tensor) -> Result<Tensor> {
        Convolution::forward(self, x)
    }

    fn write(&self, x: &[f32], map: &MapShape, whole: &MapShape, first: usize, out: &mut [f32]) {
        self.convolve_images(x, map, whole, None, &mut out[first..]);
    }
}
