//! Boxes decoded from brains, by hand.

use neurogauge_core::{BoxXyxy, Side, Undefined};
use neurogauge_metrics::decoding::grounding::{GroundedBox, grounding_hit, grounding_iou};

fn bbox(x0: f64, y0: f64, x1: f64, y1: f64) -> BoxXyxy {
    BoxXyxy { x0, y0, x1, y1 }
}

#[test]
fn overlaps_found_by_hand() {
    let reference = bbox(0.0, 0.0, 2.0, 2.0);
    let iou = |decoded| {
        let decoded = Some(decoded);
        grounding_iou(&GroundedBox { reference, decoded })
    };
    assert_eq!(iou(reference), Ok(1.0));
    assert_eq!(iou(bbox(1.0, 1.0, 3.0, 3.0)), Ok(1.0 / 7.0));
    assert_eq!(iou(bbox(2.0, 0.0, 4.0, 2.0)), Ok(0.0));
    assert_eq!(iou(bbox(0.0, 0.0, 0.0, 0.0)), Ok(0.0));
    // Turned inside out.
    assert_eq!(iou(bbox(2.0, 2.0, 0.0, 0.0)), Ok(0.0));
    assert_eq!(
        iou(bbox(0.0, 0.0, f64::NAN, 1.0)),
        Err(Undefined::NonFinite(Side::Recon))
    );
}

#[test]
fn half_is_not_more_than_half() {
    let reference = bbox(0.0, 0.0, 2.0, 1.0);
    let decoded = Some(bbox(0.0, 0.0, 1.0, 1.0));
    let half = GroundedBox { reference, decoded };
    assert_eq!(grounding_iou(&half), Ok(0.5));
    assert_eq!(grounding_hit(&half, 0.5), Ok(0.0));
    assert_eq!(grounding_hit(&half, 0.49), Ok(1.0));
}

#[test]
fn a_reference_without_area_has_no_value() {
    let flat = GroundedBox {
        reference: bbox(1.0, 0.0, 1.0, 5.0),
        decoded: None,
    };
    assert_eq!(grounding_hit(&flat, 0.5), Err(Undefined::Empty(Side::Gt)));
}
