//! Undefined values, and refusals.

use super::survey::{combine, composite, few, simulated};
use crate::support::*;

#[test]
fn gaps_and_constants_have_their_reasons_and_stop_nothing() {
    let (ratings, mut metrics) = simulated(20, 3, &[0.6, 0.5]);
    metrics.push(metric("flat", [2.0; 20]));
    metrics.push(metric("none", [None; 20]));
    let survey = (ratings, metrics);
    let found = combine(&survey, &[composite(&[0, 2])], Scaling::ZScore);
    let cell = |a: &str, b: &str| found.averages.cells.iter().find(|c| c.first == a && c.second == b).unwrap();
    let reason = |figures: &[StatisticValue]| figures[1].value.clone().unwrap_err();
    for (a, b) in [("m0", "flat"), ("flat", "flat")] {
        assert_eq!(reason(&cell(a, b).statistics), Undefined::ConstantMetric);
    }
    assert_eq!(reason(&cell("m0", "none").statistics), Undefined::TooFewItems);
    assert_eq!(cell("m0", "m1").n_items, 20);
    assert!(cell("m0", "m1").value(Statistic::Pearson).is_some());
    // No item has all values.
    let subsets = &found.subsets;
    assert_eq!((subsets.n_items, subsets.n_left_out), (0, 20));
    assert!(subsets.overall.metrics.is_empty());
    assert!(subsets.overall.cross_validated[0].value.is_err());
    assert_eq!(found.weights.weights, Err(Undefined::TooFewItems));
    let part = &found.composites[0].contributions[0].statistics[0];
    assert_eq!((part.value.clone(), part.without), (Err(Undefined::ConstantMetric), None));

    // Without the empty one: raw averages include a constant, z-scores leave it out.
    let survey = (survey.0, survey.1[..3].to_vec());
    let tau = combine(&survey, &[], Scaling::Raw).averages.matrix(Statistic::KendallTauB);
    assert_eq!((tau[0][2], tau[2][2]), (tau[0][0], None));
    for scaling in [Scaling::Raw, Scaling::ZScore, Scaling::Rank] {
        let found = combine(&survey, &[], scaling);
        assert_eq!(found.weights.weights.unwrap()[2].weight, 0.0);
        assert!(!found.subsets.overall.metrics.contains(&"flat".to_owned()));
    }
}

#[test]
fn small_surveys_have_no_cross_validation_and_tied_ones_nothing() {
    let (ratings, metrics) = simulated(9, 3, &[0.9, 0.8]);
    let found = combine(&(ratings, metrics.clone()), &[], Scaling::Raw);
    assert!(found.subsets.overall.in_sample[1].value.is_ok());
    let held_out = &found.subsets.overall.cross_validated[1];
    assert_eq!(held_out.value, Err(Undefined::TooFewItemsPerFold));
    assert_eq!(found.weights.cross_validated[1].value, Err(Undefined::TooFewItemsPerFold));
    let tied = Ratings::new(3, vec![Some(2.0); 27]).unwrap();
    let found = combine(&(tied, metrics), &[composite(&[0, 1])], Scaling::Rank);
    assert_eq!(found.weights.weights, Err(Undefined::TiedRatings));
    assert_eq!(found.subsets.sizes[0].in_sample[1].value, Err(Undefined::TiedRatings));
    assert_eq!(found.composites[0].statistics[0].value, Err(Undefined::TiedRatings));
    for word in ["stimulus", "reconstruction"] {
        assert!(!serde_json::to_string(&found).unwrap().contains(word));
    }
}

#[test]
fn nonsense_is_refused() {
    let (ratings, metrics) = simulated(10, 3, &[0.9, 0.8]);
    let run = |parts: &[usize], folds| {
        let options = CombinationOptions {
            folds,
            ..CombinationOptions::default()
        };
        combine_metrics((&ratings, None), &metrics, &[composite(parts)], &few(5), &options).is_ok()
    };
    assert!(run(&[0, 1], 2));
    assert!(!run(&[0, 1], 1));
    for parts in [&[0][..], &[0, 0], &[0, 2], &[]] {
        assert!(!run(parts, 2));
    }
    let short = [metric("short", [1.0])];
    assert!(combine_metrics((&ratings, None), &short, &[], &few(5), &CombinationOptions::default()).is_err());
    let none = combine_metrics((&ratings, None), &[], &[], &few(5), &CombinationOptions::default()).unwrap();
    assert!(none.averages.cells.is_empty() && none.subsets.sizes.is_empty());
}
