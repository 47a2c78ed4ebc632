//! Small cases of Object F1 whose answers can be computed on paper.

use crate::support::*;
use neurogauge_metrics::internals::{Slots, box_weight, official_threshold};

fn options(preset: Preset, variant: Variant) -> ObjectOptions {
    ObjectOptions {
        preset,
        variant,
        ..ObjectOptions::default()
    }
}

const EXISTENCE: Variant = Variant::Existence;

#[test]
fn the_presets_differ_on_one_pair_as_they_should() {
    let (gt, recon) = (detections(&[(0, 0.5)]), detections(&[(0, 0.25)]));
    let recall = |preset| object_scores(&gt, &recon, &options(preset, EXISTENCE)).unwrap().recall.unwrap();
    assert_eq!(recall(Preset::Official), 5.0 / 10.0); // 0.05 .. 0.25 of 0.05 .. 0.50
    assert_eq!(recall(Preset::Paper), 26.0 / 51.0); // 0.00 .. 0.25 of 0.00 .. 0.50
    assert_eq!(recall(Preset::Exact), 0.5);
}

#[test]
fn a_side_without_categories() {
    let (some, none) = (detections(&[(0, 0.5)]), detections(&[]));
    let official = |gt, recon| {
        let found = object_scores(gt, recon, &ObjectOptions::default()).unwrap();
        (found.recall.unwrap(), found.precision.unwrap(), found.f1.unwrap())
    };
    assert_eq!(official(&none, &none), (1.0, 1.0, 1.0));
    assert_eq!(official(&some, &none), (0.0, 1.0, 0.0));
    assert_eq!(official(&none, &some), (1.0, 0.0, 0.0));
    for preset in [Preset::Paper, Preset::Exact] {
        let found = object_scores(&some, &none, &options(preset, EXISTENCE)).unwrap();
        assert_eq!(found.recall, Ok(0.0));
        assert_eq!(found.precision, Err(Undefined::NoCategories(Side::Recon)));
        assert_eq!(found.f1, Err(Undefined::NoCategories(Side::Recon)));
    }
}

#[test]
fn scores_of_zero_leave_nothing_to_integrate() {
    let zero = detections(&[(0, 0.0), (1, 0.0)]);
    let exact = object_scores(&zero, &zero, &options(Preset::Exact, EXISTENCE)).unwrap();
    assert_eq!(exact.recall, Err(Undefined::NoCategories(Side::Gt)));
    let paper = object_scores(&zero, &zero, &options(Preset::Paper, EXISTENCE)).unwrap();
    assert_eq!(paper.recall, Ok(1.0)); // only threshold 0
}

#[test]
fn numbers_give_partial_credit() {
    let gt = detections(&[(0, 0.5), (0, 0.5), (0, 0.25)]);
    let recon = detections(&[(0, 0.5)]);
    let found = object_scores(&gt, &recon, &options(Preset::Exact, Variant::Number)).unwrap();
    // 1 of 2 for thresholds above 0.25, 1 of 3 below.
    assert!((found.recall.unwrap() - 5.0 / 12.0).abs() < 1e-15);
    assert!((found.precision.unwrap() - 5.0 / 12.0).abs() < 1e-15);
}

#[test]
fn a_reader_that_stops_does_not_see_what_follows() {
    let gt = detections(&[(0, 0.12), (1, 0.9)]);
    let recon = detections(&[(1, 0.9)]);
    let recall = |stops| {
        let options = ObjectOptions {
            stop_at_first_below: stops,
            ..ObjectOptions::default()
        };
        object_scores(&gt, &recon, &options).unwrap().recall.unwrap()
    };
    assert_eq!(recall(None), 0.5); // thresholds 0.05 and 0.10, both boxes
    assert!(recall(Some(false)) > 0.9);
}

#[test]
fn what_is_not_finite_or_not_a_confidence() {
    let good = detections(&[(0, 0.5)]);
    let bad = detections(&[(0, 0.5), (1, f64::NAN)]);
    let taxonomy = Taxonomy::new(&LabelList::coco());
    for variant in [Variant::Existence, Variant::Number] {
        for preset in [Preset::Official, Preset::Paper, Preset::Exact] {
            let found = object_scores(&good, &bad, &options(preset, variant)).unwrap();
            assert_eq!(found.f1, Err(Undefined::NonFinite(Side::Recon)));
        }
    }
    let found = near_miss(&bad, &good, &taxonomy, &NearMissOptions::default()).unwrap();
    assert_eq!(found.rate, Err(Undefined::NonFinite(Side::Gt)));

    let logit = detections(&[(0, 0.5), (1, 1.5)]);
    let expected = "box 1 (counted from 0) of the stimulus has score 1.5; expected a confidence from 0 to 1";
    let of_objects = object_scores(&logit, &good, &ObjectOptions::default()).unwrap_err();
    let of_near_misses = near_miss(&logit, &good, &taxonomy, &NearMissOptions::default()).unwrap_err();
    assert!(of_objects.to_string().starts_with(expected), "{of_objects}");
    assert_eq!(of_objects, of_near_misses);
}

#[test]
fn weighing_needs_the_image_size_and_options_must_make_sense() {
    let unknown = detections(&[(0, 0.5)]);
    let known = Detections {
        image_size_px: Some((10.0, 10.0)),
        ..unknown.clone()
    };
    let error = object_scores(&known, &unknown, &options(Preset::Exact, Variant::Size)).unwrap_err().to_string();
    assert!(error.starts_with("the size variant of Object F1"), "{error}");
    assert!(error.contains("the size of the reconstruction image is not known"), "{error}");

    let negative = ObjectOptions {
        min_area_px2: Some(-1.0),
        ..ObjectOptions::default()
    };
    let error = object_scores(&known, &known, &negative).unwrap_err();
    assert!(error.to_string().contains("min_area_px2 is -1"), "{error}");
    let beyond = NearMissOptions {
        threshold: 30.0,
        ..NearMissOptions::default()
    };
    let error = near_miss(&known, &known, &Taxonomy::new(&LabelList::coco()), &beyond);
    assert!(error.unwrap_err().to_string().contains("threshold is 30"));
    assert!(serde_json::from_str::<ObjectOptions>(r#"{"min_area": 3}"#).is_err());
}

fn weight(variant: Variant, x0: f64, y0: f64, x1: f64, y1: f64) -> f64 {
    box_weight(variant, &BoxXyxy { x0, y0, x1, y1 }, Some((200.0, 100.0)))
}

#[test]
fn size_runs_from_one_to_two_and_ignores_what_is_outside_the_image() {
    assert_eq!(weight(Variant::Size, 0.0, 0.0, 200.0, 100.0), 2.0);
    assert_eq!(weight(Variant::Size, 0.0, 0.0, 100.0, 100.0), 1.5);
    assert_eq!(weight(Variant::Size, 10.0, 10.0, 10.0, 90.0), 1.0);
    assert_eq!(weight(Variant::Size, -300.0, -300.0, 900.0, 900.0), 2.0);
    assert_eq!(weight(Variant::Size, 250.0, 10.0, 300.0, 90.0), 1.0);
    // Both of its axes are inverted.
    assert_eq!(weight(Variant::Size, 100.0, 100.0, 0.0, 0.0), 1.5);
}

#[test]
fn location_is_two_at_the_centre_and_one_on_every_edge() {
    assert_eq!(weight(Variant::Location, 90.0, 40.0, 110.0, 60.0), 2.0);
    assert_eq!(weight(Variant::Location, 140.0, 40.0, 160.0, 60.0), 1.5);
    assert_eq!(weight(Variant::Location, 200.0, 50.0, 200.0, 50.0), 1.0);
    assert_eq!(weight(Variant::Location, 100.0, 0.0, 100.0, 0.0), 1.0);
    assert_eq!(weight(Variant::Location, 300.0, 0.0, 400.0, 0.0), 1.0);
}

#[test]
fn official_thresholds_carry_the_rounding_of_the_array() {
    assert_eq!(official_threshold(0), 0.05);
    assert_eq!(official_threshold(2), 0.15000000000000002);
    assert_eq!(official_threshold(5), 0.3);
    assert_eq!(official_threshold(17), 0.9000000000000001);
}

#[test]
fn slots_ascend_with_the_categories_whatever_their_size() {
    for offset in [0, 1_000_000, usize::MAX - 9] {
        let categories = [7, 2, 9, 2].map(|category| category + offset);
        let slots = Slots::new(categories.into_iter());
        assert_eq!(slots.n_slots(), 3);
        assert_eq!(categories.map(|category| slots.of(category)), [1, 0, 2, 0]);
    }
    assert_eq!(Slots::new([].into_iter()).n_slots(), 0);
}
