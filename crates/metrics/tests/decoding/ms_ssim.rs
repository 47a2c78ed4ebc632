//! MS-SSIM against pytorch-msssim (`reference/ms_ssim.py`), and at its edges.

use super::image_pairs::{behaves_as_a_metric_of_images, equals_its_golden, flat, noise, ramps};
use neurogauge_core::Undefined;
use neurogauge_metrics::decoding::ms_ssim::ms_ssim;

#[test]
fn equals_pytorch_msssim() {
    equals_its_golden("ms_ssim", ms_ssim, |_| 1e-6, |kind| panic!("no value of {kind}"));
}

#[test]
fn behaves() {
    behaves_as_a_metric_of_images("ms_ssim", ms_ssim, (176, 179));
}

#[test]
fn an_image_is_as_similar_to_itself_as_can_be() {
    for image in [noise("gt", 177, 190), ramps(2, 1, 190, 177), flat(0.3, 176, 176)] {
        assert_eq!(ms_ssim(&image, &image).unwrap(), Ok(1.0));
    }
}

#[test]
fn images_too_small_for_five_scales_have_no_value() {
    for (width, height) in [(175, 400), (400, 175), (0, 0)] {
        let image = noise("gt", width, height);
        let Err(Undefined::Because(reason)) = ms_ssim(&image, &image).unwrap() else {
            panic!("a value of {width} x {height} px");
        };
        assert_eq!(reason, "images too small for five scales: their shorter side is below 176 px");
    }
}

/// A negative of the stimulus has the opposite structure at every scale.
#[test]
fn opposite_structure_counts_as_none() {
    let image = noise("gt", 176, 176);
    let mut negative = image.clone();
    negative.data_mut().iter_mut().for_each(|value| *value = 1.0 - *value);
    assert_eq!(ms_ssim(&image, &negative).unwrap(), Ok(0.0));
}
