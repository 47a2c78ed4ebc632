//! PSNR against scikit-image (`reference/psnr.py`), and at its edges.

use super::image_pairs::{behaves_as_a_metric_of_images, equals_its_golden, noise, ramps};
use neurogauge_core::{Side, Undefined};
use neurogauge_metrics::decoding::psnr::psnr;

#[test]
fn equals_scikit_image() {
    equals_its_golden("psnr", psnr, |_| 1e-6, |kind| panic!("no value of {kind}"));
}

#[test]
fn behaves() {
    behaves_as_a_metric_of_images("psnr", psnr, (11, 13));
}

#[test]
fn equal_images_and_empty_ones_have_no_value() {
    for image in [noise("gt", 20, 30), ramps(2, 1, 30, 20)] {
        assert_eq!(psnr(&image, &image).unwrap(), Err(Undefined::Identical));
    }
    let nothing = noise("gt", 0, 0);
    assert_eq!(psnr(&nothing, &nothing), Ok(Err(Undefined::Empty(Side::Gt))));
}
