//! Studentised intervals and p values against `reference/meta_intervals.py`, and refused or marked cases.

use super::survey::{check_inference, few, simulated};
use crate::support::*;

/// The script's survey.
fn survey(case: &Value) -> (Ratings, Vec<MetricColumn>) {
    let whole = |name: &str| whole(&case[name]);
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
        metric(&format!("m{m}"), scores)
    });
    (Ratings::new(n_raters as usize, values).unwrap(), metrics.collect())
}

#[test]
fn intervals_and_p_values_are_those_of_numpy_and_scipy() {
    for case in list(&read("meta_intervals.json")["cases"]) {
        let (ratings, metrics) = survey(case);
        check_inference(&evaluate_metrics(&ratings, &metrics, &without_chance()).unwrap(), case);
    }
}

#[test]
fn the_p_value_is_one_minus_the_level_of_the_interval_that_ends_at_zero() {
    let (survey, metrics) = simulated(40, 4, &[0.6, 1.4]);
    let with = |level: f64| {
        let mut options = without_chance();
        options.bootstrap.level = level;
        evaluate_metrics(&survey, &metrics, &options).unwrap().differences
    };
    for (s, figure) in with(0.95)[0].statistics.iter().enumerate() {
        let (low, _) = with(1.0 - figure.p_value.unwrap())[0].statistics[s].interval.unwrap();
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
    let options = without_chance();
    // Three items.
    let (found, _) = notes(&ratings(1, [1.0, 2.0, 4.0]), &[metric("m", [0.1, 0.3, 0.2])], &options);
    assert_eq!(found, [(false, Some(IntervalNote::TooFewItems)); 8]);
    // A metric that agrees perfectly, and another with equal scores: no difference.
    let scores = [0.1, 0.2, 0.3, 0.4, 0.5];
    let perfect = ratings(1, [1.0, 2.0, 3.0, 4.0, 5.0]);
    let (found, result) = notes(&perfect, &[metric("m", scores), metric("n", scores)], &options);
    assert_eq!(found, [(false, Some(IntervalNote::NoSpread)); 8]);
    for figure in &result.differences[0].statistics {
        assert_eq!((figure.interval, figure.value.clone()), (None, Ok(0.0)));
    }
    // The ranks agree except for the last item.
    let (found, _) = notes(&ratings(1, [1.0, 2.0, 3.0, 4.0, 0.0]), &[metric("m", scores)], &options);
    assert_eq!(found[Statistic::Spearman as usize], (false, Some(IntervalNote::RestsOnOneItem)));
    // With resampled raters, most resamples are below the value.
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
    let mean_opinions = ratings(1, [1.2, 2.5, 3.1, 3.9, 4.8, 2.2]);
    let scores = metric("m", [0.1, 0.5, 0.3, 0.7, 0.6, 0.2]);
    let found = evaluate_metrics(&mean_opinions, &[scores], &MetaOptions::default()).unwrap();
    let reason = Undefined::NoSharedRatings;
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
    let survey = ratings(1, [1.0, 2.0, 1.0, 2.0, 1.0, 2.0]);
    let scores = [metric("m", [0.1, 0.2, 0.3, 0.4, 0.6, 0.5])];
    let groups = [Grouping::new("g", &["a", "a", "b", "b", "c", "c"]).unwrap()];
    let tau = |level: f64| {
        let mut options = without_chance();
        options.bootstrap.level = level;
        let found = evaluate_metrics_within(&survey, (&groups, None), &scores, &options).unwrap();
        found.metrics[0].grouped[0].statistics[Statistic::KendallTauB as usize].estimate.clone()
    };
    // Mean 1/3, standard deviation 2/√3, so the standard error is 2/3, and t(2) is 4.3027.
    assert_eq!(tau(0.95).interval, Some((-1.0, 1.0)));
    near(tau(0.95).value.unwrap(), 1.0 / 3.0, 1e-15);
    // The upper quartile of t(2) is √(2/3).
    let reach = (2.0_f64 / 3.0).sqrt() * 2.0 / 3.0;
    near_ends(tau(0.5).interval, [1.0 / 3.0 - reach, 1.0 / 3.0 + reach], 1e-12);
}
