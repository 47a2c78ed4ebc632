//! The difference of two maps, position by position.

use neurogauge_kernels::blocks::slices::LANES;

/// Added to the norms as in the reference, so that a position without any activation has a defined direction.
const EPSILON: f64 = 1e-10;

/// The weighted squared difference of the channel vectors at each position, each divided by its norm, averaged over
/// positions; both maps are in (position, channel) order.
#[multiversion::multiversion(targets = "simd")]
pub(super) fn mean_distance(gt: &[f32], recon: &[f32], weights: &[f32]) -> f64 {
    let n_channels = weights.len();
    let places = gt.chunks_exact(n_channels).zip(recon.chunks_exact(n_channels));
    let n_places = places.len();
    let mut sum = 0.0;
    for (gt, recon) in places {
        let (gt_scale, recon_scale) = (inverse_norm(gt), inverse_norm(recon));
        let mut lanes = [0.0; LANES];
        for (channel, weight) in weights.iter().enumerate() {
            let difference = f64::from(gt[channel]) * gt_scale - f64::from(recon[channel]) * recon_scale;
            lanes[channel % LANES] += f64::from(*weight) * difference * difference;
        }
        sum += lanes.iter().sum::<f64>();
    }
    sum / n_places as f64
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
        let distance = mean_distance(&gt, &recon, &[10.0, 100.0]);
        let expected = (10.0 * 0.16 + 100.0 * 0.64 + 100.0) / 2.0;
        assert!((distance - expected).abs() < 1e-6, "{distance}");
    }

    #[test]
    fn brightness_does_not_count_and_equal_maps_do_not_differ() {
        let map: Vec<f32> = (0..4 * 20).map(|i| (i % 7) as f32).collect();
        let brighter: Vec<f32> = map.iter().map(|value| 4.0 * value).collect();
        let weights: Vec<f32> = (0..20).map(|i| i as f32).collect();
        assert_eq!(mean_distance(&map, &map, &weights), 0.0);
        assert!(mean_distance(&map, &brighter, &weights) < 1e-18);
        assert_eq!(mean_distance(&[0.0; 20], &[0.0; 20], &weights), 0.0);
    }
}
