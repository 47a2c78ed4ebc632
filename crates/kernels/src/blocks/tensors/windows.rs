//! The values at each position of a sliding window.

use super::dense;
use crate::blocks::Window;
use crate::blocks::maps::MapShape;
use candle_core::{Result, Tensor};

/// A map with the border that all windows need, whose rows and columns are divided by the stride, so that every tap is
/// a view.
pub(super) struct Taps {
    /// Shape (image, row / stride, row % stride, column / stride, column % stride, channel).
    strided: Tensor,
    window: Window,
    output: MapShape,
}

impl Taps {
    /// Positions outside the map hold `filling`.
    pub(super) fn new(x: &Tensor, window: Window, filling: f64) -> Result<Taps> {
        let map = MapShape::of(x.layout(), *x.dims().last().unwrap_or(&0))?;
        let output = window.slide(&map, map.n_channels)?;
        let stride = window.stride;
        let n_steps = |size: usize, n_places: usize| (size - 1) / stride + n_places;
        let (down, across) = (n_steps(window.height, output.height), n_steps(window.width, output.width));
        let x = extended(x, 1, window.padding.0, down * stride, filling)?;
        let x = extended(&x, 2, window.padding.1, across * stride, filling)?;
        let shape = (map.n_images, down, stride, across, stride, map.n_channels);
        Ok(Taps {
            strided: dense(&x)?.reshape(shape)?,
            window,
            output,
        })
    }

    /// For each position in the window, row by row, the values that all windows have there.
    pub(super) fn iter(&self) -> impl Iterator<Item = Result<Tensor>> {
        let Window {
            height, width, stride, ..
        } = self.window;
        (0..height * width).map(move |tap| {
            let (row, column) = (tap / width, tap % width);
            self.strided
                .narrow(1, row / stride, self.output.height)?
                .narrow(2, row % stride, 1)?
                .narrow(3, column / stride, self.output.width)?
                .narrow(4, column % stride, 1)?
                .squeeze(4)?
                .squeeze(2)
        })
    }
}

/// A map extended to `size` rows (or columns, along dimension `dim`), with `before` additional ones before it.
fn extended(x: &Tensor, dim: usize, before: usize, size: usize, filling: f64) -> Result<Tensor> {
    // With a stride, some of the last ones may be in no window.
    let n_seen = x.dim(dim)?.min(size - before);
    let seen = x.narrow(dim, 0, n_seen)?;
    let beside = |n: usize| -> Result<Option<Tensor>> {
        if n == 0 {
            return Ok(None);
        }
        let mut dims = x.dims().to_vec();
        dims[dim] = n;
        let zeros = Tensor::zeros(dims, x.dtype(), x.device())?;
        Ok(Some((zeros + filling)?))
    };
    let after = size - before - n_seen;
    let parts: Vec<Tensor> = [beside(before)?, Some(seen), beside(after)?].into_iter().flatten().collect();
    Tensor::cat(&parts, dim)
}
