//! Squeeze and excitation: weights of channels.

use crate::blocks::linear::Linear;
use crate::blocks::slices::zeros;
use candle_core::{Result, Tensor};

/// Computes weights of channels from their means over the map, by two affine maps (Hu et al. 2018).
#[derive(Debug, Clone)]
pub struct SqueezeExcite {
    squeeze: Linear,
    excite: Linear,
}

impl SqueezeExcite {
    /// Builds it from its maps with their activations.
    pub fn new(squeeze: Linear, excite: Linear) -> Self {
        SqueezeExcite { squeeze, excite }
    }

    /// The map with weighted channels, computed with the engine's own operations.
    pub(super) fn forward(&self, x: &Tensor) -> Result<Tensor> {
        let means = x.mean((1, 2))?;
        let weights = self.excite.forward(&self.squeeze.forward(&means)?)?;
        x.broadcast_mul(&weights.unsqueeze(1)?.unsqueeze(1)?)
    }

    pub(super) fn weights(&self, means: &[f32]) -> Vec<f32> {
        self.excite.rows(&self.squeeze.rows(means, None), None)
    }
}

/// The means of channels over rows that arrive one after the other.
pub(super) struct ChannelMeans {
    row_sums: Vec<f32>,
    sums: Vec<f32>,
    n_places: usize,
}

impl ChannelMeans {
    pub(super) fn new(n_channels: usize) -> Self {
        ChannelMeans {
            row_sums: zeros(n_channels),
            sums: zeros(n_channels),
            n_places: 0,
        }
    }

    /// Adds a row of pixels.
    pub(super) fn add(&mut self, row: &[f32]) {
        add_row(row, &mut self.row_sums, &mut self.sums);
        self.n_places += row.len() / self.sums.len();
    }

    pub(super) fn finish(mut self) -> Vec<f32> {
        for sum in &mut self.sums {
            *sum /= self.n_places as f32;
        }
        self.sums
    }
}

/// Sums the pixels of a row first, then adds the result to `sums`, so that rounding errors grow with the sides of the
/// map, not with its area.
#[multiversion::multiversion(targets = "simd")]
fn add_row(row: &[f32], row_sums: &mut [f32], sums: &mut [f32]) {
    row_sums.fill(0.0);
    for pixel in row.chunks_exact(row_sums.len()) {
        for (sum, value) in row_sums.iter_mut().zip(pixel) {
            *sum += value;
        }
    }
    for (sum, value) in sums.iter_mut().zip(row_sums) {
        *sum += *value;
    }
}

/// Multiplies every pixel by the weights of the channels.
#[multiversion::multiversion(targets = "simd")]
pub(super) fn scale(pixels: &mut [f32], weights: &[f32]) {
    for pixel in pixels.chunks_exact_mut(weights.len()) {
        for (value, weight) in pixel.iter_mut().zip(weights) {
            *value *= weight;
        }
    }
}
