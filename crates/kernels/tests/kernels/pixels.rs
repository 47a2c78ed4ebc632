//! Loops over pixels, by hand.

use neurogauge_core::Image;
use neurogauge_kernels::pixels::{grid_means, mean_colour, non_finite, normalise, normalised_levels};

#[test]
fn channels_have_their_own_statistics() {
    let (mean, std) = ([1.0, 0.0, -1.0], [1.0, 2.0, 4.0]);
    let expected = [2.0, 2.0, 2.0, -1.0, 0.0, 0.25];
    let mut values = [3.0, 4.0, 7.0, 0.0, 0.0, 0.0];
    normalise(&mut values, mean, std);
    assert_eq!(values, expected);
    assert_eq!(normalised_levels(&[3, 4, 7, 0, 0, 0], mean, std), expected);
    assert_eq!(mean_colour(&expected), [0.5, 1.0, 1.125]);
    assert_eq!((non_finite(&expected), non_finite(&[0.0, f32::NEG_INFINITY])), (None, Some(f32::NEG_INFINITY)));
}

#[test]
fn cells_are_averaged_channel_by_channel() {
    // Red counts pixels from 0 to 7 in rows of four; blue is ten times red, green is 1.
    let pixels = (0..8).flat_map(|i| [i as f32, 1.0, 10.0 * i as f32]);
    let image = Image::new(4, 2, pixels.collect()).unwrap();
    let means = [0.5, 2.5, 4.5, 6.5, 1.0, 1.0, 1.0, 1.0, 5.0, 25.0, 45.0, 65.0];
    assert_eq!(grid_means(&image, 2), means);
}
