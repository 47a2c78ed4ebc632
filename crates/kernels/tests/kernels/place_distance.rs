//! Differences of two maps, position by position.

use neurogauge_kernels::blocks::place_distance::{mean_distance, shares};

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
