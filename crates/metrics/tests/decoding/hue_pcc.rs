//! hue-pcc against OpenCV (`reference/hue_pcc.py`), and at its edges.

use super::image_pairs::{behaves_as_a_metric_of_images, equals_its_golden, flat};
use neurogauge_core::{Image, Undefined};
use neurogauge_metrics::decoding::hue_pcc::hue_pcc;

fn without_hues() -> Undefined {
    Undefined::Because("an image without hues other than 0".into())
}

#[test]
fn equals_opencv() {
    equals_its_golden("hue_pcc", hue_pcc, |_| 1e-12, |_| without_hues());
}

#[test]
fn behaves() {
    behaves_as_a_metric_of_images("hue_pcc", hue_pcc, (20, 31));
}

#[test]
fn grey_and_blue_images_have_no_value() {
    let red = Image::new(1, 1, vec![1.0, 0.0, 0.0]).unwrap();
    let blue = Image::new(1, 1, vec![0.0, 0.0, 1.0]).unwrap();
    for image in [flat(0.5, 1, 1), blue] {
        assert_eq!(hue_pcc(&image, &red).unwrap(), Err(without_hues()));
    }
    assert_eq!(hue_pcc(&red, &red).unwrap(), Ok(1.0));
}
