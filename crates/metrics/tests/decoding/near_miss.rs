//! Semantic near-miss against `reference/near_miss.py`, and by hand.

use super::objects::boxes::{assert_close, pairs};
use crate::support::*;
use neurogauge_metrics::decoding::near_miss::{CategorySet, ReconCategories};
use neurogauge_metrics::decoding::near_miss_categories::near_miss_categories;

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

fn drawn(name: &str, n_categories: usize) -> Detections {
    let draws = Synthetic::new(name, 3);
    let share = |index: u64| f64::from(draws.uniform(index));
    let items = (0..6).map(|index| Detection {
        category: (share(2 * index) * n_categories as f64) as usize,
        score: share(2 * index + 1),
        bbox: BoxXyxy::of([0.0, 0.0, 10.0, 10.0]),
    });
    Detections::of(items.collect(), None)
}

#[test]
fn their_share_is_the_rate_whatever_the_options() {
    let labels = LabelList::coco_gender();
    let taxonomy = Taxonomy::new(&labels);
    let mut n_near = 0;
    for place in 0..60 {
        let n = labels.names().len();
        let gt = drawn(&format!("gt {place}"), n);
        let recon = drawn(&format!("recon {place}"), n);
        for categories in [CategorySet::Salient, CategorySet::All] {
            for recon_categories in [ReconCategories::Same, ReconCategories::All] {
                let options = NearMissOptions {
                    categories,
                    recon_categories,
                    ..NearMissOptions::default()
                };
                let missed = near_miss_categories(&gt, &recon, &taxonomy, &options).unwrap();
                assert!(missed.iter().all(|near| !near.instead.is_empty()));
                n_near += missed.len();
                let rate = near_miss(&gt, &recon, &taxonomy, &options).unwrap().rate;
                let counts = |item: &&Detection| {
                    let is_salient = taxonomy.is_salient(item.category) == Some(true);
                    item.score >= 0.3 && (is_salient || categories == CategorySet::All)
                };
                let of_gt = gt.items.iter().filter(counts).map(|item| item.category);
                let n_gt = of_gt.collect::<BTreeSet<usize>>().len();
                match rate {
                    Ok(rate) => assert_eq!(rate, missed.len() as f64 / n_gt as f64),
                    Err(_) => assert!(missed.is_empty() && n_gt == 0),
                }
            }
        }
    }
    assert!(n_near > 20, "the draws show something: {n_near}");
}
