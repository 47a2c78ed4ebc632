//! Object Recall, Precision and F1 against `reference/objects.py`.

use super::boxes::{assert_close, pairs};
use crate::support::*;

#[test]
fn every_preset_and_variant_equals_the_reference() {
    let golden: Value = golden("objects");
    let sets = list(&golden["option_sets"]);
    assert_eq!(sets.len(), 16);
    let pairs = pairs();
    for (set, scores) in sets.iter().zip(list(&golden["scores"])) {
        let options: ObjectOptions = serde_json::from_value(set.clone()).unwrap();
        let tolerance = match options.preset {
            Preset::Official => 0.0,
            Preset::Paper | Preset::Exact => 1e-12,
        };
        assert_eq!(list(scores).len(), pairs.len());
        for (pair, (expected, (gt, recon))) in list(scores).iter().zip(&pairs).enumerate() {
            let found = object_scores(gt, recon, &options).unwrap();
            let found = [&found.recall, &found.precision, &found.f1];
            assert_close(expected, found, tolerance, &format!("{set} pair {pair}"));
        }
    }
}

/// `reference/released_code.py` runs SEED's own function on the same boxes. Python now sums with more digits than when
/// the function was released, so the last one may differ.
#[test]
fn the_official_preset_equals_the_released_function() {
    let golden: Value = golden("released_code");
    let (expected, pairs) = (list(&golden["objects"]), pairs());
    assert_eq!(expected.len(), pairs.len());
    for (expected, (gt, recon)) in expected.iter().zip(&pairs) {
        let difference = object_scores(gt, recon, &ObjectOptions::default()).unwrap().f1.unwrap() - number(expected);
        assert!(difference.abs() < 1e-15, "{difference:e}");
    }
}

/// A box with exactly an official threshold counts there; one ulp below, it does not.
#[test]
fn official_thresholds_are_numpys_bit_for_bit() {
    let golden: Value = golden("objects");
    let thresholds = list(&golden["thresholds"]);
    assert_eq!(thresholds.len(), 18);
    for (index, threshold) in thresholds.iter().enumerate() {
        let threshold = number(threshold);
        let one = |score| detections(&[(0, score)]);
        let recall = |score| object_scores(&one(1.0), &one(score), &ObjectOptions::default()).unwrap().recall.unwrap();
        assert_eq!(recall(threshold), (index + 1) as f64 / 18.0);
        assert_eq!(recall(threshold.next_down()), index as f64 / 18.0);
    }
}
