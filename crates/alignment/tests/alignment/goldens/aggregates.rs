//! aggregates.json: matched pairs, block bootstrap, correlations, null summaries.

use super::*;
use crate::prelude::*;

fn scored(value: &Value) -> Vec<Vec<ScoredSource>> {
    let source = |value: &Value| ScoredSource {
        accuracy: number(&value[0]),
        profile_mean: number(&value[1]),
    };
    let unit = |value: &Value| list(value).iter().map(source).collect();
    list(value).iter().map(unit).collect()
}

fn assert_interval(what: &str, found: &UnitEstimate, expected: &Value) {
    assert_near_or_none(what, found.mean, &expected["estimate"]);
    assert_near_or_none(what, found.interval.map(|ends| ends.0), &expected["low"]);
    assert_near_or_none(what, found.interval.map(|ends| ends.1), &expected["high"]);
}

#[test]
fn aggregates() {
    let golden = golden("aggregates.json");
    let inputs = &golden["inputs"];
    let donors = scored(&inputs["donors"]);
    let pairs: Vec<Vec<(ScoredSource, ScoredSource)>> = scored(&inputs["pretrained"])
        .into_iter()
        .zip(scored(&inputs["random"]))
        .map(|(one, other)| one.into_iter().zip(other).collect())
        .collect();
    let draws = integer_lists(&inputs["indices"]);
    for (limit, expected) in golden["matched"].as_object().unwrap() {
        let human = human_variation(&donors, limit.parse().unwrap()).unwrap();
        assert_eq!(human.n_pairs as f64, number(&expected["n_donor_pairs"]));
        assert_near_or_none(limit, human.threshold, &expected["human_threshold"]);
        let matched = MatchedPairs::new(&pairs, limit.parse().unwrap(), &human);
        assert_eq!(matched.n as f64, number(&expected["n"]), "{limit}");
        assert_near_or_none(limit, matched.mean, &expected["mean"]);
        assert_near_or_none(limit, matched.positive, &expected["positive"]);
        assert_near_or_none(limit, matched.beyond, &expected["beyond"]);
        assert_near_or_none(limit, matched.beyond_in_favour, &expected["beyond_in_favour"]);
        let estimate = UnitEstimate::from_draws(&matched.differences, &draws, 0.95).unwrap();
        assert_interval(limit, &estimate, &expected["interval"]);
    }
    let no_limit = human_variation(&donors, f64::INFINITY).unwrap();
    let all = MatchedPairs::new(&pairs, f64::INFINITY, &no_limit);
    let estimate = UnitEstimate::from_draws(&all.differences, &draws, 0.95).unwrap();
    assert_interval("paired", &estimate, &golden["paired_difference"]);
}

#[test]
fn nulls() {
    let golden = golden("aggregates.json");
    let cases = [
        ("above", 0.7, vec![0.25, 0.5, 0.75, 0.5]),
        ("tied", 0.5, vec![0.25, 0.5, 0.75, 0.5]),
        ("saturated", 1.0, vec![1.0; 3]),
    ];
    for (name, observed, draws) in cases {
        let found = NullSummary::new(observed, &draws, NullP::Draws).unwrap();
        assert_null(name, &found, &golden["null"][name]);
    }
}
