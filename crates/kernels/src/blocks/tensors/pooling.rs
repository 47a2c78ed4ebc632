//! Pooling.

use super::windows::Taps;
use super::{beside, dense};
use crate::blocks::Window;
use candle_core::{Result, Tensor, bail};

/// The largest value of every window.
pub fn largest(x: &Tensor, window: Window) -> Result<Tensor> {
    let taps = Taps::new(x, window, f64::NEG_INFINITY)?;
    let largest = folded(&taps, |a, b| a.maximum(b))?;
    // 0, or NaN if a value in the window is not finite, since maxima lose NaN.
    let unsound = sums(&(x * 0.0)?, window)?;
    largest + unsound
}

/// The mean of every window; positions outside the map count as zeros.
pub fn average(x: &Tensor, window: Window) -> Result<Tensor> {
    sums(x, window)? / (window.height * window.width) as f64
}

fn sums(x: &Tensor, window: Window) -> Result<Tensor> {
    folded(&Taps::new(x, window, 0.0)?, |a, b| a + b)
}

fn folded(taps: &Taps, fold: impl Fn(&Tensor, &Tensor) -> Result<Tensor>) -> Result<Tensor> {
    let mut taps = taps.iter();
    let Some(first) = taps.next() else {
        bail!("a window without places");
    };
    let folded = taps.try_fold(first?, |folded, tap| fold(&folded, &tap?))?;
    dense(&folded)
}

/// The means of `size` x `size` parts of the map, by products with matrices that average rows and columns.
pub fn adaptive_average(x: &Tensor, size: usize) -> Result<Tensor> {
    let (n_images, height, width, n_channels) = x.dims4()?;
    if height == 0 || width == 0 {
        bail!("an empty map has no mean");
    }
    // First every image's columns side by side, then every row's channels.
    let rows = averaging(x, height, size)?;
    let x = dense(x)?.reshape((n_images, height, width * n_channels))?;
    let x = product(&rows, &x)?;
    let columns = averaging(&x, width, size)?;
    let x = x.reshape((n_images * size, width, n_channels))?;
    product(&columns, &x)?.reshape((n_images, size, size, n_channels))
}

/// A matrix of shape (part, position) that averages each part.
fn averaging(like: &Tensor, length: usize, size: usize) -> Result<Tensor> {
    let mut matrix = vec![0.0; size * length];
    for (index, row) in matrix.chunks_exact_mut(length).enumerate() {
        let part = index * length / size..((index + 1) * length).div_ceil(size);
        let share = 1.0 / part.len() as f32;
        row[part].fill(share);
    }
    beside(like, matrix, (size, length))
}

/// The product of one matrix with each of several others.
fn product(matrix: &Tensor, others: &Tensor) -> Result<Tensor> {
    matrix.unsqueeze(0)?.broadcast_matmul(others)
}
