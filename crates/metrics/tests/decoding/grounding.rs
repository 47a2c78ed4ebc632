//! Boxes decoded from brain activity, computed by hand.

use crate::support::*;
use neurogauge_metrics::decoding::grounding::{GroundedBox, box_shares, grounding_hit, grounding_iou};

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
    // An inverted box.
    assert_eq!(iou(bbox(2.0, 2.0, 0.0, 0.0)), Ok(0.0));
    assert_eq!(iou(bbox(0.0, 0.0, f64::NAN, 1.0)), Err(Undefined::NonFinite(Side::Recon)));
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

#[test]
fn the_first_box_of_each_category_counts() {
    let found = |boxes: &[(usize, f64)]| Detections {
        items: (boxes.iter())
            .map(|&(category, x0)| Detection {
                category,
                score: 1.0,
                bbox: bbox(x0, 0.0, x0 + 2.0, 2.0),
            })
            .collect(),
        image_size_px: None,
    };
    let boxes = grounded_boxes(&found(&[(3, 0.0), (3, 9.0), (1, 4.0)]), &found(&[(7, 0.0), (3, 1.0), (3, 0.0)]));
    let expected = [(3, bbox(0.0, 0.0, 2.0, 2.0), Some(bbox(1.0, 0.0, 3.0, 2.0))), (1, bbox(4.0, 0.0, 6.0, 2.0), None)];
    let expected = expected.map(|(category, reference, decoded)| (category, GroundedBox { reference, decoded }));
    assert_eq!(boxes, expected);
}

/// The images' shares have the ratio as their mean, and the variance of this mean is that of ratio estimators.
#[test]
fn shares_of_images_have_mean_and_variance_of_the_ratio() {
    let images = [(2.0, 3.0), (0.0, 1.0), (4.0, 6.0), (1.5, 2.0)];
    let shares = box_shares(&images.map(|image| (image, 1.0)));
    let n = images.len() as f64;
    assert!((shares.iter().sum::<f64>() / n - 7.5 / 12.0).abs() < 1e-15);
    let variance = |values: &[f64], centre: f64| values.iter().map(|v| (v - centre).powi(2)).sum::<f64>() / (n - 1.0);
    let residuals = images.map(|(y, x)| y - 7.5 / 12.0 * x);
    let expected = variance(&residuals, 0.0) / 9.0;
    assert!((variance(&shares, 7.5 / 12.0) - expected).abs() < 1e-15);
    // Each of the first image's two samples counts half: 4.5 of 8 boxes, and the image's share is the mean of its
    // samples.
    let samples = box_shares(&[((2.0, 3.0), 0.5), ((1.0, 2.0), 0.5), ((3.0, 5.5), 1.0)]);
    let mean = ((samples[0] + samples[1]) / 2.0 + samples[2]) / 2.0;
    assert!((mean - 4.5 / 8.0).abs() < 1e-15);
}
