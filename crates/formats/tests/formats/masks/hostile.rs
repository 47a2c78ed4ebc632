//! Any text is either read or refused.

use crate::prelude::*;

proptest! {
    #[test]
    fn any_text_is_a_mask_or_an_error(text in "[0-o]{0,12}|.{0,8}") {
        if let Ok(mask) = from_coco_rle(&text, 5, 7) {
            prop_assert_eq!(from_coco_rle(&to_coco_rle(&mask), 5, 7).unwrap(), mask);
        }
    }

    #[test]
    fn any_polygon_is_a_mask_or_an_error(
        corners in prop::collection::vec(prop_oneof![-50.0..50.0_f64, prop::num::f64::ANY], 0..20),
    ) {
        let is_near = corners.iter().all(|corner| corner.abs() <= 1e5);
        let is_one = corners.len() >= 6 && corners.len() % 2 == 0 && is_near;
        prop_assert_eq!(from_polygon(&corners, 13, 11).is_ok(), is_one);
    }
}
