//! Results against scipy, numpy and an independent bootstrap (`reference/stats.py`).

use crate::support::*;

/// The references sum in another order, which only changes the last digits.
const TOLERANCE: f64 = 1e-12;

/// For ends found by bisection.
const BISECTED: f64 = 1e-9;

fn uniform(name: &str, n: usize) -> Vec<f32> {
    let values = Synthetic::new(name, 0);
    (0..n as u64).map(|i| values.uniform(i)).collect()
}

#[track_caller]
fn assert_close(found: f64, expected: &Value) {
    near(found, number(expected), TOLERANCE);
}

fn options(golden: &Value, interval: MeanInterval) -> BootstrapOptions {
    let options: BootstrapOptions = serde_json::from_value(golden["options"].clone()).unwrap();
    BootstrapOptions { interval, ..options }
}

/// Each method of intervals in the golden, with the golden's names for one system and for several.
const INTERVALS: [(MeanInterval, &str, &str); 3] = [
    (MeanInterval::Percentile, "interval", "intervals"),
    (MeanInterval::Studentized, "studentized", "studentized"),
    (MeanInterval::Bca, "bca", "bca"),
];

/// The same as `scores` of the reference script: a column per name, with the share of pairs that have a value.
fn columns(names: &Value, n_pairs: usize) -> Vec<Vec<Outcome>> {
    let column = |(name, defined): (&String, &Value)| {
        let values = uniform(name, n_pairs);
        let chances = uniform(&format!("{name}.defined"), n_pairs);
        let defined = number(defined) as f32;
        let outcome = |(value, chance): (f32, f32)| {
            if chance >= defined {
                Err(Undefined::NoPairs)
            } else {
                Ok(f64::from(value))
            }
        };
        values.into_iter().zip(chances).map(outcome).collect()
    };
    names.as_object().unwrap().iter().map(column).collect()
}

#[test]
fn correlations_equal_scipy() {
    for case in list(&read("stats.json")["correlations"]) {
        let n = count(&case["n"]);
        let offset = number(&case["offset"]) as f32;
        let x: Vec<f32> = uniform("x", n).iter().map(|x| x + offset).collect();
        let y = uniform("y", n);
        let y: Vec<f32> = x.iter().zip(&y).map(|(x, y)| 0.25 * x + y).collect();
        assert_close(pearson(&x, &y).unwrap().unwrap(), &case["pearson"]);
        assert_close(correlation_distance(&x, &y).unwrap().unwrap(), &case["distance"]);

        let widen = |values: &[f32]| values.iter().map(|&v| f64::from(v)).collect::<Vec<_>>();
        assert_eq!(
            pearson(&widen(&x), &widen(&y)).unwrap(),
            pearson(&x, &y).unwrap(),
            "f32 and f64 holding the same numbers"
        );
    }
}

#[test]
fn quantiles_equal_numpy_bit_for_bit() {
    for case in list(&read("stats.json")["quantiles"]) {
        let sample: Vec<f64> = uniform("quantile", count(&case["n"])).into_iter().map(f64::from).collect();
        for (q, expected) in numbers(&case["q"]).iter().zip(numbers(&case["quantile"])) {
            assert_eq!(quantile(&sample, *q).unwrap(), expected, "q = {q}");
        }
    }
}

#[test]
fn estimates_equal_a_bootstrap_in_numpy() {
    let golden = read("stats.json");
    let n_pairs = count(&golden["n_pairs"]);
    for case in list(&golden["estimates"]) {
        let columns = columns(&case["columns"], n_pairs);
        let columns: Vec<&[Outcome]> = columns.iter().map(Vec::as_slice).collect();
        for (interval, name, _) in INTERVALS {
            let estimate = estimate(&columns, &options(&golden, interval)).unwrap();
            assert_close(estimate.value.unwrap(), &case["value"]);
            // The reference has no BCa interval of columns with gaps.
            if interval != MeanInterval::Bca || !case[name].is_null() {
                near_golden(estimate.interval, &case[name], TOLERANCE);
            }
            assert_eq!(estimate.n, count(&case["n"]));
            assert_eq!(estimate.n + estimate.n_undefined, n_pairs);
        }
    }
}

#[test]
fn comparison_equals_a_bootstrap_in_numpy() {
    let golden = read("stats.json");
    let n_pairs = count(&golden["n_pairs"]);
    let case = &golden["comparison"];
    let columns = columns(&case["systems"], n_pairs);
    let systems: Vec<Vec<&[Outcome]>> = columns.iter().map(|c| vec![c.as_slice()]).collect();
    for (interval, _, of_systems) in INTERVALS {
        let options = options(&golden, interval);
        let test = (PairedTest::SignFlip, 1);
        let found = compare_systems(&systems, Direction::Higher, test, &options).unwrap();
        assert_eq!(found.n_shared, count(&case["n_shared"]));
        assert_eq!(found.n_shared + found.n_dropped, n_pairs);
        for (s, standing) in found.systems.iter().enumerate() {
            assert_close(*standing.estimate.value.as_ref().unwrap(), &case["values"][s]);
            near_golden(standing.estimate.interval, &case[of_systems][s], TOLERANCE);
            assert_close(standing.rank.unwrap(), &case["ranks"][s]);
            near_golden(standing.rank_interval, &case["rank_intervals"][s], TOLERANCE);
        }
        let differences = list(&case["differences"]);
        assert_eq!(found.differences.len(), differences.len());
        for (difference, expected) in found.differences.iter().zip(differences) {
            assert_close(*difference.value.as_ref().unwrap(), &expected["value"]);
            assert_close(difference.p_value.unwrap(), &expected["p_value"]);
            near_golden(difference.interval, &expected["interval"], BISECTED);
        }
        let test = (PairedTest::Studentized, 1);
        let found = compare_systems(&systems, Direction::Higher, test, &options).unwrap();
        for (difference, expected) in found.differences.iter().zip(differences) {
            assert_close(difference.p_value.unwrap(), &expected["studentized"]["p_value"]);
            near_golden(difference.interval, &expected["studentized"]["interval"], BISECTED);
        }
    }
}

#[test]
fn sign_flips_of_few_differences_equal_scipy() {
    for case in list(&read("stats.json")["exact_sign_flips"]) {
        for (level, expected) in case["intervals"].as_object().unwrap() {
            let options = at_level(level.parse().unwrap());
            let found = sign_flip_test(&numbers(&case["differences"]), 1, &options).unwrap().unwrap();
            assert_close(found.p_value, &case["p_value"]);
            match expected.is_null() {
                true => assert_eq!(found.interval, None),
                false => near_golden(found.interval, expected, BISECTED),
            }
        }
    }
}

#[test]
fn ratios_equal_a_jackknife_and_a_score_test() {
    for case in list(&read("stats.json")["ratios"]) {
        let items: Vec<(f64, f64)> = list(&case["items"]).iter().map(numbers).map(|item| (item[0], item[1])).collect();
        let found = estimate_ratio(&items, &at_level(number(&case["level"]))).unwrap();
        assert_close(found.value.unwrap(), &case["value"]);
        near_golden(found.interval, &case["interval"], TOLERANCE);
    }
}

#[test]
fn skewness_equals_scipy() {
    for case in list(&read("stats.json")["skewness"]) {
        let found = skewness(&numbers(&case["values"])).unwrap();
        assert_close(found, &case["skewness"]);
    }
}

#[test]
fn shares_and_students_quantiles_equal_scipy() {
    let golden = read("stats.json");
    for case in list(&golden["shares"]) {
        let found = wilson_interval(count(&case["ones"]), count(&case["n"]), number(&case["level"]));
        near_golden(found.ok(), &case["interval"], TOLERANCE);
    }
    for case in list(&golden["reaches"]) {
        let found = student_reach(count(&case["n"]), number(&case["level"]));
        let expected = number(&case["reach"]);
        assert!((found / expected - 1.0).abs() < 1e-9, "{found} is not {expected}");
    }
}

#[test]
fn options_have_the_documented_defaults() {
    let defaults: BootstrapOptions = serde_json::from_str("{}").unwrap();
    assert_eq!(defaults, BootstrapOptions::default());
    assert_eq!((defaults.resamples, defaults.level, defaults.seed), (2000, 0.95, Seed(42)));
    assert!(serde_json::from_str::<BootstrapOptions>(r#"{"resample": 10}"#).is_err());
}
