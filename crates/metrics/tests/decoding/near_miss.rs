//! Semantic near-miss against `reference/near_miss.py`, and by hand.

use super::objects::boxes::{assert_close, pairs};
use crate::support::*;
use neurogauge_metrics::decoding::near_miss::{CategorySet, ReconCategories};

#[test]
fn near_miss_equals_the_reference() {
    let golden: Value = golden("near_miss");
    let names = list(&golden["labels"]).iter().map(|name| name.as_str().unwrap());
    let taxonomy = Taxonomy::new(&LabelList::new("reference", names));
    let sets = list(&golden["option_sets"]);
    assert_eq!(sets.len(), 4);
    let pairs = pairs();
    for (set, scores) in sets.iter().zip(list(&golden["scores"])) {
        let options: NearMissOptions = serde_json::from_value(set.clone()).unwrap();
        assert_eq!(list(scores).len(), pairs.len());
        for (pair, (expected, (gt, recon))) in list(scores).iter().zip(&pairs).enumerate() {
            let found = near_miss(gt, recon, &taxonomy, &options).unwrap();
            let found = [&found.recall, &found.relaxed_recall, &found.rate];
            assert_close(expected, found, 1e-15, &format!("{set} pair {pair}"));
        }
    }
}

#[test]
fn near_misses_by_set() {
    let labels = LabelList::new("own", ["bench", "stop sign", "unicorn", "dog"]);
    let taxonomy = Taxonomy::new(&labels);
    let rate = |gt: &[(usize, f64)], recon: &[(usize, f64)], categories, recon_categories| {
        let options = NearMissOptions {
            categories,
            recon_categories,
            ..NearMissOptions::default()
        };
        near_miss(&detections(gt), &detections(recon), &taxonomy, &options).unwrap().rate
    };
    let (bench, sign, unicorn) = ([(0, 0.3)], [(1, 0.3)], [(2, 0.3)]);
    let (salient, all) = (CategorySet::Salient, CategorySet::All);
    // A stop sign is not salient, but outdoor like the bench.
    assert_eq!(rate(&bench, &sign, salient, ReconCategories::Same), Ok(0.0));
    assert_eq!(rate(&bench, &sign, salient, ReconCategories::All), Ok(1.0));
    let none = Err(Undefined::NoCategories(Side::Gt));
    assert_eq!(rate(&sign, &bench, salient, ReconCategories::All), none);
    assert_eq!(rate(&unicorn, &unicorn, salient, ReconCategories::All), none);
    assert_eq!(rate(&unicorn, &unicorn, all, ReconCategories::Same), Ok(0.0));
    // Its score is below the threshold.
    assert_eq!(rate(&[(0, 0.29)], &bench, all, ReconCategories::Same), none);

    let (four, empty) = (detections(&[(4, 0.5)]), detections(&[]));
    let error = near_miss(&four, &empty, &taxonomy, &NearMissOptions::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "box 0 (counted from 0) of the stimulus has label 4, but the label list has 4 names \
         (0 to 3); give the list that the detector was run with"
    );
}
