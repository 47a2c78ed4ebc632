//! Rank differences and contrasts of groups against SciPy and NumPy (`reference/worst_cases.py`).

use crate::support::*;

/// The references sum in another order, which only changes the last digits.
const TOLERANCE: f64 = 1e-12;

fn numbers(value: &Value) -> Vec<Option<f64>> {
    list(value).iter().map(Value::as_f64).collect()
}

type Scores = Vec<Option<f64>>;

/// Oriented scores of each metric (higher is better), and the human scores.
fn scores(golden: &Value, score: HumanScore) -> (Vec<(String, Scores)>, Scores) {
    let ratings = Ratings::new(count(&golden["n_raters"]), numbers(&golden["ratings"])).unwrap();
    let lower = list(&golden["lower_is_better"]);
    let metrics = golden["metrics"].as_object().unwrap().iter().map(|(name, scores)| {
        let sign = if lower.iter().any(|l| l == name) { -1.0 } else { 1.0 };
        let scores = numbers(scores).iter().map(|s| s.map(|s| sign * s)).collect();
        (name.clone(), scores)
    });
    (metrics.collect(), human_scores(&ratings, score))
}

#[test]
fn ranks_are_those_of_scipy() {
    let golden = read("worst_cases.json");
    for (key, score) in [("worst", HumanScore::Mean), ("worst_zscore", HumanScore::ZScore)] {
        let (metrics, human) = scores(&golden, score);
        for (name, metric) in metrics {
            let expected = &golden[key][&name];
            let found = rank_differences(&metric, &human).unwrap();
            let n = found.iter().flatten().count();
            assert_eq!(n as u64, whole(&expected["n_items"]));
            for case in list(&expected["cases"]) {
                let item = count(&case["item"]);
                let ranks = found[item].unwrap();
                let expected: Vec<f64> = numbers(&case["ranks"]).into_iter().flatten().collect();
                assert_eq!(ranks.metric_rank, expected[0], "{key} {name} {item}");
                assert_eq!(ranks.human_rank, expected[1], "{key} {name} {item}");
                assert!((ranks.difference - expected[2]).abs() < TOLERANCE);
            }
        }
    }
}

#[track_caller]
fn is_golden(found: &Estimate, expected: &Value) {
    near(found.value.clone().unwrap(), number(&expected["value"]), TOLERANCE);
    near_golden(found.interval, &expected["interval"], TOLERANCE);
}

#[test]
fn contrasts_are_those_of_numpy_on_the_same_draws() {
    let golden = read("worst_cases.json");
    let options = BootstrapOptions {
        resamples: count(&golden["bootstrap"]["resamples"]),
        level: number(&golden["bootstrap"]["level"]),
        seed: Seed(whole(&golden["bootstrap"]["seed"])),
        ..BootstrapOptions::default()
    };
    let (metrics, human) = scores(&golden, HumanScore::Mean);
    let same: Vec<bool> = numbers(&golden["gt"])
        .iter()
        .zip(numbers(&golden["recon"]))
        .map(|(gt, recon)| *gt == recon)
        .collect();
    for (name, metric) in metrics {
        let all = metric.iter().zip(&human).zip(&same);
        let kept: Vec<(f64, f64, bool)> = all.filter_map(|((m, h), same)| Some(((*m)?, (*h)?, *same))).collect();
        let is_same: Vec<bool> = kept.iter().map(|k| k.2).collect();
        let metric = z_scores(&kept.iter().map(|k| k.0).collect::<Vec<_>>()).unwrap();
        let human = z_scores(&kept.iter().map(|k| k.1).collect::<Vec<_>>()).unwrap();
        let over: Vec<f64> = metric.iter().zip(&human).map(|(m, h)| m - h).collect();
        let expected = &golden["classes"][&name];
        for (quantity, values) in [("metric", &metric), ("human", &human), ("overestimate", &over)] {
            let found = group_contrast(values, &is_same, &options).unwrap();
            is_golden(&found.first, &expected[quantity]["same"]);
            is_golden(&found.second, &expected[quantity]["different"]);
            is_golden(&found.difference, &expected[quantity]["difference"]);
            assert_eq!(found.first.n as u64, whole(&expected["n_same"]));
        }
    }
}

#[test]
fn a_group_of_none_or_one_has_no_interval() {
    let options = BootstrapOptions::default();
    let none = group_contrast(&[1.0, 2.0], &[true, true], &options).unwrap();
    assert!(none.second.value.is_err() && none.difference.value.is_err());
    assert_eq!(none.difference.interval, None);
    let one = group_contrast(&[1.0, 2.0, 4.0], &[true, false, false], &options).unwrap();
    assert_eq!(one.difference.value, Ok(-2.0));
    assert_eq!((one.first.interval, one.difference.interval), (None, None));
    assert!(one.second.interval.is_some());
    assert!(group_contrast(&[1.0], &[], &options).is_err());
    assert!(group_contrast(&[f64::NAN], &[true], &options).is_err());
    assert_eq!(z_scores(&[]), None);
    assert_eq!(z_scores(&[1e200, -1e200]), None);
}
