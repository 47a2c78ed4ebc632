//! The difference of two maps, position by position.

use super::slices::LANES;

/// Added to the norms as in the reference, so that a position without any activation has a defined direction.
const EPSILON: f64 = 1e-10;

/// The weighted squared difference of the channel vectors at each position, each divided by its norm, averaged over
/// positions, or summed with the share of each; both maps are in (position, channel) order.
#[multiversion::multiversion(targets = "simd")]
pub fn mean_distance(gt: &[f32], recon: &[f32], weights: &[f32], shares: Option<&[f64]>) -> f64 {
    let n_channels = weights.len();
    let places = gt.chunks_exact(n_channels).zip(recon.chunks_exact(n_channels));
    let n_places = places.len();
    let mut sum = 0.0;
    for (place, (gt, recon)) in places.enumerate() {
        let (gt_scale, recon_scale) = (inverse_norm(gt), inverse_norm(recon));
        let mut lanes = [0.0; LANES];
        for (channel, weight) in weights.iter().enumerate() {
            let difference = f64::from(gt[channel]) * gt_scale - f64::from(recon[channel]) * recon_scale;
            lanes[channel % LANES] += f64::from(*weight) * difference * difference;
        }
        sum += shares.map_or(1.0, |shares| shares[place]) * lanes.iter().sum::<f64>();
    }
    if shares.is_some() { sum } else { sum / n_places as f64 }
}

/// The share of each position of a map in the mean, over the pixels `inside`, of the map enlarged to the image: bilinear,
/// corners not aligned, as PyTorch does for LPIPS by places; NaN if no pixel is inside. Sizes are (rows, columns).
pub fn shares(inside: &[bool], image: (usize, usize), map: (usize, usize)) -> Vec<f64> {
    let around = |pixel: usize, n_pixels: usize, n: usize| {
        let place = ((pixel as f64 + 0.5) * n as f64 / n_pixels as f64 - 0.5).max(0.0);
        let low = (place as usize).min(n - 1);
        [(low, 1.0 - (place - low as f64)), ((low + 1).min(n - 1), place - low as f64)]
    };
    let one = 1.0 / inside.iter().filter(|inside| **inside).count() as f64;
    let mut shares = vec![0.0 * one; map.0 * map.1];
    for pixel in (0..inside.len()).filter(|&pixel| inside[pixel]) {
        for (row, of_row) in around(pixel / image.1, image.0, map.0) {
            for (column, of_column) in around(pixel % image.1, image.1, map.1) {
                shares[row * map.1 + column] += one * of_row * of_column;
            }
        }
    }
    shares
}

#[inline(always)]
fn inverse_norm(values: &[f32]) -> f64 {
    let mut lanes = [0.0; LANES];
    for (channel, &value) in values.iter().enumerate() {
        let value = f64::from(value);
        lanes[channel % LANES] += value * value;
    }
    1.0 / (lanes.iter().sum::<f64>().sqrt() + EPSILON)
}
