//! Against scipy, numpy and an independent bootstrap (`reference/stats.py`).

use neurogauge_core::synthetic::Synthetic;
use neurogauge_core::{Direction, Outcome, Seed, Undefined};
use neurogauge_stats::{
    BootstrapOptions, MeanInterval, PairedTest, compare_systems, correlation_distance, estimate, estimate_ratio,
    pearson, quantile, sign_flip_test, skewness, student_reach, wilson_interval,
};
use serde_json::Value;

/// The references sum in another order, which moves the last digits only.
const TOLERANCE: f64 = 1e-12;

fn golden() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../reference/golden/stats.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(number).collect()
}

fn count(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap()).unwrap()
}

fn uniform(name: &str, n: usize) -> Vec<f32> {
    let values = Synthetic::new(name, 0);
    (0..n as u64).map(|i| values.uniform(i)).collect()
}

#[track_caller]
fn assert_close(found: f64, expected: &Value) {
    let expected = number(expected);
    assert!((found - expected).abs() <= TOLERANCE, "{found} is not {expected}");
}

#[track_caller]
fn assert_interval(found: Option<(f64, f64)>, expected: &Value) {
    let (low, high) = found.unwrap();
    assert_close(low, &expected[0]);
    assert_close(high, &expected[1]);
}

/// Ends that bisection found.
#[track_caller]
fn assert_ends(found: Option<(f64, f64)>, expected: &Value) {
    let (low, high) = found.unwrap();
    for (found, expected) in [low, high].into_iter().zip(numbers(expected)) {
        assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
    }
}

fn options(golden: &Value, interval: MeanInterval) -> BootstrapOptions {
    let options: BootstrapOptions = serde_json::from_value(golden["options"].clone()).unwrap();
    BootstrapOptions { interval, ..options }
}

/// Each way whose intervals the golden has, with the golden's names: one, and several.
const INTERVALS: [(MeanInterval, &str, &str); 3] = [
    (MeanInterval::Percentile, "interval", "intervals"),
    (MeanInterval::Studentized, "studentized", "studentized"),
    (MeanInterval::Bca, "bca", "bca"),
];

/// As `scores` of the reference script: a column per name, with the share of pairs that it defines.
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
    for case in golden()["correlations"].as_array().unwrap() {
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
    for case in golden()["quantiles"].as_array().unwrap() {
        let sample: Vec<f64> = uniform("quantile", count(&case["n"])).into_iter().map(f64::from).collect();
        for (q, expected) in numbers(&case["q"]).iter().zip(numbers(&case["quantile"])) {
            assert_eq!(quantile(&sample, *q).unwrap(), expected, "q = {q}");
        }
    }
}

#[test]
fn estimates_equal_a_bootstrap_in_numpy() {
    let golden = golden();
    let n_pairs = count(&golden["n_pairs"]);
    for case in golden["estimates"].as_array().unwrap() {
        let columns = columns(&case["columns"], n_pairs);
        let columns: Vec<&[Outcome]> = columns.iter().map(Vec::as_slice).collect();
        for (interval, name, _) in INTERVALS {
            let estimate = estimate(&columns, &options(&golden, interval)).unwrap();
            assert_close(estimate.value.unwrap(), &case["value"]);
            // The reference has no BCa interval of columns with gaps.
            if interval != MeanInterval::Bca || !case[name].is_null() {
                assert_interval(estimate.interval, &case[name]);
            }
            assert_eq!(estimate.n, count(&case["n"]));
            assert_eq!(estimate.n + estimate.n_undefined, n_pairs);
        }
    }
}

#[test]
fn comparison_equals_a_bootstrap_in_numpy() {
    let golden = golden();
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
            assert_interval(standing.estimate.interval, &case[of_systems][s]);
            assert_close(standing.rank.unwrap(), &case["ranks"][s]);
            assert_interval(standing.rank_interval, &case["rank_intervals"][s]);
        }
        let differences = case["differences"].as_array().unwrap();
        assert_eq!(found.differences.len(), differences.len());
        for (difference, expected) in found.differences.iter().zip(differences) {
            assert_close(*difference.value.as_ref().unwrap(), &expected["value"]);
            assert_close(difference.p_value.unwrap(), &expected["p_value"]);
            assert_ends(difference.interval, &expected["interval"]);
        }
        let test = (PairedTest::Studentized, 1);
        let found = compare_systems(&systems, Direction::Higher, test, &options).unwrap();
        for (difference, expected) in found.differences.iter().zip(differences) {
            assert_close(difference.p_value.unwrap(), &expected["studentized"]["p_value"]);
            assert_ends(difference.interval, &expected["studentized"]["interval"]);
        }
    }
}

#[test]
fn sign_flips_of_few_differences_equal_scipy() {
    for case in golden()["exact_sign_flips"].as_array().unwrap() {
        for (level, expected) in case["intervals"].as_object().unwrap() {
            let options = BootstrapOptions {
                level: level.parse().unwrap(),
                ..Default::default()
            };
            let found = sign_flip_test(&numbers(&case["differences"]), 1, &options);
            let found = found.unwrap().unwrap();
            assert_close(found.p_value, &case["p_value"]);
            match expected.is_null() {
                true => assert_eq!(found.interval, None),
                false => assert_ends(found.interval, expected),
            }
        }
    }
}

#[test]
fn ratios_equal_a_jackknife_and_a_score_test() {
    for case in golden()["ratios"].as_array().unwrap() {
        let items = case["items"].as_array().unwrap().iter().map(numbers);
        let items: Vec<(f64, f64)> = items.map(|item| (item[0], item[1])).collect();
        let options = BootstrapOptions {
            level: number(&case["level"]),
            ..Default::default()
        };
        let found = estimate_ratio(&items, &options).unwrap();
        assert_close(found.value.unwrap(), &case["value"]);
        assert_interval(found.interval, &case["interval"]);
    }
}

#[test]
fn skewness_equals_scipy() {
    for case in golden()["skewness"].as_array().unwrap() {
        let found = skewness(&numbers(&case["values"])).unwrap();
        assert_close(found, &case["skewness"]);
    }
}

#[test]
fn shares_and_students_quantiles_equal_scipy() {
    let golden = golden();
    for case in golden["shares"].as_array().unwrap() {
        let found = wilson_interval(count(&case["ones"]), count(&case["n"]), number(&case["level"]));
        assert_interval(found.ok(), &case["interval"]);
    }
    for case in golden["reaches"].as_array().unwrap() {
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
