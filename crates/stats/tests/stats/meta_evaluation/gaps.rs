//! Missing values, and undefined results.

use super::survey::{few, simulated};
use crate::support::*;

#[test]
fn gaps_are_left_out_and_differences_are_over_shared_items() {
    let (survey, mut metrics) = simulated(50, 4, &[0.3, 0.6]);
    metrics[0].scores[3] = None;
    metrics[0].scores[4] = Some(f64::NAN);
    metrics[1].scores[10] = None;
    let result = evaluate_metrics(&survey, &metrics, &few(30)).unwrap();
    assert_eq!(result.metrics[0].n_items, 48);
    assert_eq!(result.metrics[0].n_without_score, 2);
    assert_eq!(result.metrics[1].n_items, 49);
    let difference = &result.differences[0];
    assert_eq!(difference.n_items, 47);
    // The same as with only those items.
    let kept: Vec<usize> = (0..50).filter(|i| ![3, 4, 10].contains(i)).collect();
    let rows: Vec<Option<f64>> = kept.iter().flat_map(|&i| survey.item(i).to_vec()).collect();
    let cut: Vec<MetricColumn> = metrics
        .iter()
        .map(|m| MetricColumn {
            scores: kept.iter().map(|&i| m.scores[i]).collect(),
            ..m.clone()
        })
        .collect();
    let cut = evaluate_metrics(&Ratings::new(4, rows).unwrap(), &cut, &few(30)).unwrap();
    // The same raters are drawn, so intervals are equal too.
    assert_eq!(difference, &cut.differences[0]);
}

#[test]
fn items_without_raters_in_a_resample_are_left_out_of_it() {
    // Every item was rated by two of six raters, so most resamples miss some.
    let (full, metrics) = simulated(40, 6, &[0.2]);
    let sparse = full
        .items()
        .enumerate()
        .flat_map(|(i, item)| {
            let rated = |rater: usize| rater == i % 6 || rater == (i + 1 + i / 6 % 4) % 6;
            let kept = item.iter().enumerate();
            kept.map(move |(rater, value)| value.filter(|_| rated(rater))).collect::<Vec<_>>()
        })
        .collect();
    let result = evaluate_metrics(&Ratings::new(6, sparse).unwrap(), &metrics, &few(100)).unwrap();
    let tau = &result.metrics[0].statistics[Statistic::KendallTauB as usize];
    assert_eq!(result.metrics[0].n_items, 40);
    assert!(tau.interval.is_some());
    let reason = result.agreement.icc.unwrap_err().to_string();
    assert_eq!(reason, "fewer than two items were rated by every rater");
    assert!(result.agreement.alpha_ordinal.is_ok());
}

#[test]
fn what_cannot_be_said_has_its_reason() {
    let survey = ratings(2, [1.0, 2.0, 2.0, 3.0, 4.0, 5.0]);
    let alone = metric("alone", [Some(1.0), None, None]);
    let metrics = [metric("flat", [1.0; 3]), alone, metric("fine", [1.0, 2.0, 3.0])];
    let result = evaluate_metrics(&survey, &metrics, &few(10)).unwrap();
    for s in 0..Statistic::ALL.len() {
        let reason = |m: usize| result.metrics[m].statistics[s].value.clone();
        assert_eq!(reason(0), Err(Undefined::ConstantMetric));
        assert_eq!(reason(1), Err(Undefined::TooFewItems));
        assert!(reason(2).is_ok());
    }
    assert_eq!(result.differences[1].williams, Err(Undefined::ConstantMetric));
    // The third rater gave one rating, and the fourth always the same one.
    let sparse = ratings(4, [1.0, 2.0, 5.0, 3.0, 2.0, 3.0, -1.0, 3.0, 4.0, 5.0, -1.0, 3.0]);
    let agreement = rater_agreement(&sparse, HumanScore::Mean, 0.95).unwrap();
    let without = agreement.raters_left_out.iter();
    let without: Vec<(usize, String)> = without.map(|w| (w.rater, w.reason.to_string())).collect();
    let expected = [(2, Undefined::TooFewItems), (3, Undefined::TiedRatings)];
    assert_eq!(without, expected.map(|(rater, reason)| (rater, reason.to_string())));
    let flat = ratings(2, [3.0; 6]);
    let result = evaluate_metrics(&flat, &[metric("a", [1.0, 2.0, 3.0])], &few(10)).unwrap();
    assert_eq!(result.agreement.icc, Err(Undefined::TiedRatings));
    assert_eq!(result.agreement.ceilings[3].value, Err(Undefined::TiedRatings));
    assert_eq!(result.metrics[0].statistics[0].value, Err(Undefined::TiedRatings));
    for word in ["stimulus", "reconstruction"] {
        assert!(!serde_json::to_string(&result).unwrap().contains(word));
    }
    assert!(evaluate_metrics(&survey, &[metric("short", [1.0])], &few(10)).is_err());
    assert!(evaluate_metrics(&survey, &[], &few(0)).is_err());
}
