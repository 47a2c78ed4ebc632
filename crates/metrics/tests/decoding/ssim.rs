//! SSIM against scikit-image (`reference/ssim.py`), and at its edges.

use super::image_pairs::{behaves_as_a_metric_of_images, equals_its_golden, flat, noise, ramps};
use neurogauge_metrics::MetricError;
use neurogauge_metrics::decoding::ssim::ssim;

#[test]
fn equals_scikit_image() {
    // scikit-image keeps filtered images in f32; over a map of many pixels that evens out.
    let tolerance = |n_pixels| if n_pixels < 10_000 { 1e-5 } else { 1e-6 };
    equals_its_golden("ssim", ssim, tolerance, |kind| panic!("no value of {kind}"));
}

#[test]
fn behaves() {
    behaves_as_a_metric_of_images("ssim", ssim, (11, 13));
}

#[test]
fn an_image_is_as_similar_to_itself_as_can_be() {
    for image in [noise("gt", 20, 30), ramps(2, 1, 30, 20), flat(0.3, 12, 12)] {
        assert_eq!(ssim(&image, &image).unwrap(), Ok(1.0));
    }
}

#[test]
fn images_smaller_than_the_window_are_an_error() {
    for (width, height) in [(10, 11), (11, 10), (0, 0)] {
        let image = noise("gt", width, height);
        assert_eq!(
            ssim(&image, &image),
            Err(MetricError::TooSmall {
                width,
                height,
                window: 11
            })
        );
    }
}
