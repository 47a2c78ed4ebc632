//! PixCorr against NumPy (`reference/pixcorr.py`), and at its edges.

use super::image_pairs::{behaves_as_a_metric_of_images, equals_its_golden, noise, ramps};
use neurogauge_core::{Side, Undefined};
use neurogauge_metrics::decoding::pixcorr::pixcorr;

#[test]
fn equals_numpy() {
    let constant = |kind: &str| {
        assert_eq!(kind, "flat");
        Undefined::Constant(Side::Gt)
    };
    equals_its_golden("pixcorr", pixcorr, |_| 1e-12, constant);
}

#[test]
fn behaves() {
    behaves_as_a_metric_of_images("pixcorr", pixcorr, (11, 13));
}

#[test]
fn an_image_correlates_with_itself_and_nothing_with_nothing() {
    for image in [noise("gt", 20, 30), ramps(2, 1, 30, 20)] {
        assert!((pixcorr(&image, &image).unwrap().unwrap() - 1.0).abs() < 1e-15);
    }
    let nothing = noise("gt", 0, 0);
    assert_eq!(pixcorr(&nothing, &nothing), Ok(Err(Undefined::Empty(Side::Gt))));
}
