//! The difference of two maps, position by position.

use neurogauge_kernels::blocks::slices::LANES;

/// Added to the norms as in the reference, so that a position without any activation has a defined direction.
const EPSILON: f64 = 1e-10;

/// The weighted squared difference of the channel vectors at each position, each divided by its norm, averaged over
/// positions, or summed with the share of each; both maps are in (position, channel) order.
#[multiversion::multiversion(targets = "simd")]
pub(super) fn mean_distance(gt: &[f32], recon: &[f32], weights: &[f32], shares: Option<&[f64]>) -> f64 {
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
pub(super) fn shares(inside: &[bool], image: (usize, usize), map: (usize, usize)) -> Vec<f64> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_places_by_hand() {
        // (3, 4) / 5 against (1, 0): differences 0.4 and 0.8. Then a position without activation against (0, 2) / 2.
        let (gt, recon) = ([3.0, 4.0, 0.0, 0.0], [2.0, 0.0, 0.0, 2.0]);
        let distance = mean_distance(&gt, &recon, &[10.0, 100.0], None);
        let expected = (10.0 * 0.16 + 100.0 * 0.64 + 100.0) / 2.0;
        assert!((distance - expected).abs() < 1e-6, "{distance}");
    }

    #[test]
    fn brightness_does_not_count_and_equal_maps_do_not_differ() {
        let map: Vec<f32> = (0..4 * 20).map(|i| (i % 7) as f32).collect();
        let brighter: Vec<f32> = map.iter().map(|value| 4.0 * value).collect();
        let weights: Vec<f32> = (0..20).map(|i| i as f32).collect();
        assert_eq!(mean_distance(&map, &map, &weights, None), 0.0);
        assert!(mean_distance(&map, &brighter, &weights, None) < 1e-18);
        assert_eq!(mean_distance(&[0.0; 20], &[0.0; 20], &weights, None), 0.0);
    }

    /// PyTorch's documentation of `Upsample` enlarges 1 2 / 3 4 to these values.
    #[test]
    fn a_region_takes_the_enlarged_map() {
        let enlarged = [1.0, 1.25, 1.75, 2.0, 1.5, 1.75, 2.25, 2.5, 2.5, 2.75, 3.25, 3.5, 3.0, 3.25, 3.75, 4.0];
        for mask in [0b1_u16, 0b1000_0000_0000_0000, 0b0110_0110_0000_0000, 0b1111, u16::MAX, 0b1010_0101_0000_1001] {
            let inside: Vec<bool> = (0..16).map(|pixel| mask >> pixel & 1 == 1).collect();
            let of_inside: Vec<f64> = (0..16).filter(|&pixel| inside[pixel]).map(|pixel| enlarged[pixel]).collect();
            let expected = of_inside.iter().sum::<f64>() / of_inside.len() as f64;
            let shares = shares(&inside, (4, 4), (2, 2));
            let found: f64 = shares.iter().zip([1.0, 2.0, 3.0, 4.0]).map(|(share, value)| share * value).sum();
            assert!((found - expected).abs() < 1e-12, "{mask:b}: {found} {expected}");
            // Shares add up to 1.
            let (gt, recon) = ([1.0, 0.0].repeat(4), [0.0, 1.0].repeat(4));
            let all = mean_distance(&gt, &recon, &[1.0, 2.0], Some(&shares));
            assert!((all - 3.0).abs() < 1e-6, "{all}");
        }
    }
}
