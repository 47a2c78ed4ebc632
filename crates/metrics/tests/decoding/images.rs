//! Metrics of two images: against scikit-image, NumPy, OpenCV and pytorch-msssim (`reference/<metric>.py`), what every
//! one must do, and edge cases.

use super::image_pairs::{Metric, behaves_as_a_metric_of_images, equals_its_golden, flat, noise, ramps};
use crate::support::*;
use neurogauge_metrics::decoding::{hue_pcc::hue_pcc, ms_ssim::ms_ssim, pixcorr::pixcorr, psnr::psnr, ssim::ssim};

/// Id, metric, tolerance for a number of pixels, why a kind of images has no value, and the smallest size.
type Case = (&'static str, Metric, fn(usize) -> f64, fn(&str) -> Undefined, (usize, usize));

const CASES: [Case; 5] = [
    ("hue_pcc", hue_pcc, |_| 1e-12, |_| without_hues(), (20, 31)),
    ("ms_ssim", ms_ssim, |_| 1e-6, has_a_value, (176, 179)),
    ("pixcorr", pixcorr, |_| 1e-12, flat_is_constant, (11, 13)),
    ("psnr", psnr, |_| 1e-6, has_a_value, (11, 13)),
    // scikit-image keeps filtered images in f32; this averages out over a map of many pixels.
    ("ssim", ssim, |n_pixels| if n_pixels < 10_000 { 1e-5 } else { 1e-6 }, has_a_value, (11, 13)),
];

fn has_a_value(kind: &str) -> Undefined {
    panic!("no value of {kind}")
}

fn flat_is_constant(kind: &str) -> Undefined {
    assert_eq!(kind, "flat");
    Undefined::Constant(Side::Gt)
}

fn without_hues() -> Undefined {
    Undefined::Because("an image without hues other than 0".into())
}

#[test]
fn each_equals_its_golden() {
    for (id, metric, tolerance, undefined, _) in CASES {
        equals_its_golden(id, metric, tolerance, undefined);
    }
}

#[test]
fn each_behaves_as_a_metric_of_images() {
    for (id, metric, _, _, smallest) in CASES {
        behaves_as_a_metric_of_images(id, metric, smallest);
    }
}

#[test]
fn an_image_is_as_similar_to_itself_as_can_be() {
    for image in [noise("gt", 20, 30), ramps(2, 1, 30, 20)] {
        assert!((pixcorr(&image, &image).unwrap().unwrap() - 1.0).abs() < 1e-15);
        assert_eq!(psnr(&image, &image).unwrap(), Err(Undefined::Identical));
        assert_eq!(ssim(&image, &image).unwrap(), Ok(1.0));
    }
    assert_eq!(ssim(&flat(0.3, 12, 12), &flat(0.3, 12, 12)).unwrap(), Ok(1.0));
    for image in [noise("gt", 177, 190), ramps(2, 1, 190, 177), flat(0.3, 176, 176)] {
        assert_eq!(ms_ssim(&image, &image).unwrap(), Ok(1.0));
    }
    let nothing = noise("gt", 0, 0);
    for metric in [pixcorr, psnr] {
        assert_eq!(metric(&nothing, &nothing), Ok(Err(Undefined::Empty(Side::Gt))));
    }
}

#[test]
fn grey_and_blue_images_have_no_hue() {
    let red = Image::new(1, 1, vec![1.0, 0.0, 0.0]).unwrap();
    let blue = Image::new(1, 1, vec![0.0, 0.0, 1.0]).unwrap();
    for image in [flat(0.5, 1, 1), blue] {
        assert_eq!(hue_pcc(&image, &red).unwrap(), Err(without_hues()));
    }
    assert_eq!(hue_pcc(&red, &red).unwrap(), Ok(1.0));
}

#[test]
fn images_smaller_than_the_windows_are_refused_or_have_no_value() {
    for (width, height) in [(10, 11), (11, 10), (0, 0)] {
        let image = noise("gt", width, height);
        let too_small = format!("an image of {width} x {height} px is smaller than the 11 px window");
        assert_eq!(ssim(&image, &image).unwrap_err().to_string(), too_small);
    }
    for (width, height) in [(175, 400), (400, 175), (0, 0)] {
        let image = noise("gt", width, height);
        let reason = "images too small for five scales: their shorter side is below 176 px";
        assert_eq!(ms_ssim(&image, &image).unwrap(), Err(Undefined::Because(reason.into())));
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
