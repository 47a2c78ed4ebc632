//! Studentised intervals and p values against `reference/meta_intervals.py`, and refused or marked cases.

use super::survey::{few, metric, ratings, simulated};
use neurogauge_core::synthetic::Synthetic;
use neurogauge_stats::Ratings;
use neurogauge_stats::meta::*;
use serde_json::Value;

fn golden() -> Value {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../reference/golden/meta_intervals.json");
    serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

/// The survey that the script made.
fn survey(case: &Value) -> (Ratings, Vec<MetricColumn>) {
    let whole = |name: &str| case[name].as_u64().unwrap();
    let (seed, n, n_raters, levels) = (whole("seed"), whole("n"), whole("raters"), whole("metric_levels"));
    let quality = Synthetic::new("quality", seed);
    let noise = Synthetic::new("rating", seed);
    let quality = |item: u64| f64::from(quality.uniform(item));
    let mut values = Vec::new();
    for item in 0..n {
        for rater in 0..n_raters {
            let noise = f64::from(noise.uniform(item * n_raters + rater));
            let opinion = 1.0 + 4.0 * quality(item) + 1.5 * (noise - 0.5) + 0.5;
            values.push(Some(opinion.floor()));
        }
    }
    let metrics = [0.7, 0.4].into_iter().zip(0..).map(|(share, m): (f64, u64)| {
        let own = Synthetic::new("metric", 10 * seed + m);
        let score = |item| share * quality(item) + (1.0 - share) * f64::from(own.uniform(item));
        let scores = (0..n).map(|item| match (levels, m) {
            (0, _) | (_, 0) => score(item),
            _ => (score(item) * levels as f64).floor(),
        });
        metric(&format!("m{m}"), &scores.collect::<Vec<f64>>())
    });
    (Ratings::new(n_raters as usize, values).unwrap(), metrics.collect())
}

fn close(found: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((found - expected).abs() <= tolerance, "{what}: {found} is not {expected}");
}

#[test]
fn intervals_and_p_values_are_those_of_numpy_and_scipy() {
    let golden = golden();
    for case in golden["cases"].as_array().unwrap() {
        let (ratings, metrics) = survey(case);
        let options = MetaOptions {
            permutations: 1,
            ..MetaOptions::default()
        };
        let found = evaluate_metrics(&ratings, &metrics, &options).unwrap();
        let difference = &found.differences[0].statistics;
        for statistic in Statistic::ALL {
            let s = statistic as usize;
            let what = format!("n = {}, {}", case["n"], statistic.id());
            let pairs = &case["pairs"][statistic.id()];
            if pairs.is_object() {
                // The script's derivatives are numerical.
                let (lowest, highest) = match statistic {
                    Statistic::Accuracy | Statistic::AccuracyOverUntied => (0.0_f64, 1.0),
                    _ => (-1.0, 1.0),
                };
                for (m, metric) in found.metrics.iter().enumerate() {
                    let figure = &metric.statistics[s];
                    let value = figure.value.clone().unwrap();
                    let (low, high) = figure.interval.unwrap();
                    let reach = number(&pairs["reach"][m]);
                    close(low, (value - reach).max(lowest), 1e-8, &what);
                    close(high, (value + reach).min(highest), 1e-8, &what);
                }
                let value = difference[s].value.clone().unwrap();
                let (low, high) = difference[s].interval.unwrap();
                let reach = number(&pairs["difference_reach"]);
                close(low, (value - reach).max(lowest - highest), 1e-8, &what);
                close(high, (value + reach).min(highest - lowest), 1e-8, &what);
            }
            let correlations = &case["correlations"][statistic.id()];
            if correlations.is_object() {
                for (m, metric) in found.metrics.iter().enumerate() {
                    let (low, high) = metric.statistics[s].interval.unwrap();
                    let ends = &correlations["intervals"][m];
                    close(low, number(&ends[0]), 1e-11, &what);
                    close(high, number(&ends[1]), 1e-11, &what);
                }
                let (low, high) = difference[s].interval.unwrap();
                let ends = &correlations["difference"];
                close(low, number(&ends[0]), 1e-11, &what);
                close(high, number(&ends[1]), 1e-11, &what);
                let p_value = difference[s].p_value.unwrap();
                close(p_value, number(&correlations["difference_p"]), 1e-9, &what);
            }
        }
    }
}

#[test]
fn the_p_value_is_one_minus_the_level_of_the_interval_that_ends_at_zero() {
    let (survey, metrics) = simulated(40, 4, &[0.6, 1.4]);
    let with = |level: f64| {
        let mut options = MetaOptions {
            permutations: 1,
            ..MetaOptions::default()
        };
        options.bootstrap.level = level;
        evaluate_metrics(&survey, &metrics, &options).unwrap().differences
    };
    for (s, figure) in with(0.95)[0].statistics.iter().enumerate() {
        let p_value = figure.p_value.unwrap();
        let (low, _) = with(1.0 - p_value)[0].statistics[s].interval.unwrap();
        assert!(low.abs() < 1e-9, "{:?}: {low}", Statistic::ALL[s]);
    }
}

#[test]
fn what_no_interval_can_be_made_of_says_why() {
    let notes = |ratings: &Ratings, metrics: &[MetricColumn], options: &MetaOptions| {
        let found = evaluate_metrics(ratings, metrics, options).unwrap();
        let figures = found.metrics[0].statistics.iter();
        let notes: Vec<_> = figures.map(|f| (f.interval.is_some(), f.interval_note)).collect();
        (notes, found)
    };
    let options = MetaOptions {
        permutations: 1,
        ..MetaOptions::default()
    };
    // Three items.
    let few_items = ratings(1, &[1.0, 2.0, 4.0]);
    let (found, _) = notes(&few_items, &[metric("m", &[0.1, 0.3, 0.2])], &options);
    assert_eq!(found, [(false, Some(IntervalNote::TooFewItems)); 8]);
    // A metric that agrees perfectly, and another that gives the same: no difference at all.
    let scores = [0.1, 0.2, 0.3, 0.4, 0.5];
    let perfect = ratings(1, &[1.0, 2.0, 3.0, 4.0, 5.0]);
    let (found, result) = notes(&perfect, &[metric("m", &scores), metric("n", &scores)], &options);
    assert_eq!(found, [(false, Some(IntervalNote::NoSpread)); 8]);
    for figure in &result.differences[0].statistics {
        assert_eq!((figure.interval, figure.value.clone()), (None, Ok(0.0)));
    }
    // Without the last item the ranks agree.
    let one_off = ratings(1, &[1.0, 2.0, 3.0, 4.0, 0.0]);
    let (found, _) = notes(&one_off, &[metric("m", &scores)], &options);
    let spearman = found[Statistic::Spearman as usize];
    assert_eq!(spearman, (false, Some(IntervalNote::RestsOnOneItem)));
    // Resampled raters: most resamples are below the value.
    let (survey, metrics) = simulated(60, 5, &[0.2]);
    let (found, result) = notes(&survey, &metrics, &few(200));
    for ((has_interval, note), figure) in found.into_iter().zip(&result.metrics[0].statistics) {
        let (low, high) = figure.interval.unwrap();
        let value = figure.value.clone().unwrap();
        let is_within = low < value && value < high;
        assert_eq!((has_interval, note), (true, (!is_within).then_some(IntervalNote::ValueAtEdge)));
    }
}

#[test]
fn one_rater_has_intervals_and_no_agreement() {
    let mean_opinions = ratings(1, &[1.2, 2.5, 3.1, 3.9, 4.8, 2.2]);
    let scores = metric("m", &[0.1, 0.5, 0.3, 0.7, 0.6, 0.2]);
    let found = evaluate_metrics(&mean_opinions, &[scores], &MetaOptions::default()).unwrap();
    let reason = neurogauge_core::Undefined::NoSharedRatings;
    assert_eq!(found.agreement.icc, Err(reason.clone()));
    assert_eq!(found.agreement.alpha_ordinal, Err(reason.clone()));
    for (ceiling, one_rater) in found.agreement.ceilings.iter().zip(&found.agreement.one_rater) {
        assert_eq!(ceiling.value, Err(reason.clone()));
        assert_eq!(one_rater.value, Err(reason.clone()));
    }
    for figure in &found.metrics[0].statistics {
        let (low, high) = figure.interval.unwrap();
        assert!((low..=high).contains(&figure.value.clone().unwrap()));
    }
}

#[test]
fn means_over_groups_have_students_t_over_groups() {
    // Three groups of two items; tau is 1, 1 and -1.
    let survey = ratings(1, &[1.0, 2.0, 1.0, 2.0, 1.0, 2.0]);
    let scores = metric("m", &[0.1, 0.2, 0.3, 0.4, 0.6, 0.5]);
    let groups = Grouping::new("g", &["a", "a", "b", "b", "c", "c"]).unwrap();
    let found = evaluate_metrics_within(&survey, (&[groups], None), &[scores], &MetaOptions::default()).unwrap();
    let tau = &found.metrics[0].grouped[0].statistics[Statistic::KendallTauB as usize].estimate;
    // Mean 1/3, standard deviation 2/√3, so the standard error is 2/3, and t(2) is 4.3027.
    assert_eq!(tau.interval, Some((-1.0, 1.0)));
    assert!((tau.value.clone().unwrap() - 1.0 / 3.0).abs() < 1e-15);
    let mut options = MetaOptions {
        permutations: 1,
        ..MetaOptions::default()
    };
    options.bootstrap.level = 0.5;
    let groups = Grouping::new("g", &["a", "a", "b", "b", "c", "c"]).unwrap();
    let scores = metric("m", &[0.1, 0.2, 0.3, 0.4, 0.6, 0.5]);
    let found = evaluate_metrics_within(&survey, (&[groups], None), &[scores], &options).unwrap();
    let tau = &found.metrics[0].grouped[0].statistics[Statistic::KendallTauB as usize].estimate;
    let (low, high) = tau.interval.unwrap();
    // The upper quartile of t(2) is √(2/3).
    let reach = (2.0_f64 / 3.0).sqrt() * 2.0 / 3.0;
    assert!((low - (1.0 / 3.0 - reach)).abs() < 1e-12 && (high - (1.0 / 3.0 + reach)).abs() < 1e-12);
}
