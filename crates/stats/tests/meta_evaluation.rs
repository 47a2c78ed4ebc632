//! The meta-evaluation as a whole: by hand, against the single statistics, and where the truth is
//! known.
#![allow(clippy::unwrap_used)] // In helpers too, which the lint does not see as tests.

use neurogauge_core::synthetic::Synthetic;
use neurogauge_core::{Direction, Seed, Undefined};
use neurogauge_stats::meta::*;
use neurogauge_stats::*;

fn ratings(n_raters: usize, values: &[f64]) -> Ratings {
    // A negative number stands for a missing rating.
    let values = values.iter().map(|&v| (v >= 0.0).then_some(v)).collect();
    Ratings::new(n_raters, values).unwrap()
}

fn metric(name: &str, scores: &[f64]) -> MetricColumn {
    MetricColumn {
        name: name.into(),
        direction: Direction::Higher,
        scores: scores.iter().copied().map(Some).collect(),
    }
}

fn few(resamples: usize) -> MetaOptions {
    MetaOptions {
        bootstrap: BootstrapOptions {
            resamples,
            ..BootstrapOptions::default()
        },
        permutations: 50,
        ..MetaOptions::default()
    }
}

/// A survey in which rater noise is known, and metrics that are the truth plus some noise.
fn simulated(n: u64, n_raters: u64, noises: &[f32]) -> (Ratings, Vec<MetricColumn>) {
    let truth = Synthetic::new("truth", 1);
    let rater_noise = Synthetic::new("raters", 1);
    let mut values = Vec::new();
    for item in 0..n {
        for rater in 0..n_raters {
            let noise = rater_noise.uniform(item * n_raters + rater) - 0.5;
            let opinion = 1.0 + 4.0 * truth.uniform(item) + 2.0 * noise;
            values.push(f64::from(opinion.round().clamp(1.0, 5.0)));
        }
    }
    let metrics = noises.iter().enumerate().map(|(m, noise)| {
        let own = Synthetic::new("metric", m as u64);
        let score = |item| f64::from(truth.uniform(item) + noise * (own.uniform(item) - 0.5));
        metric(&format!("m{m}"), &(0..n).map(score).collect::<Vec<f64>>())
    });
    (ratings(n_raters as usize, &values), metrics.collect())
}

fn value(result: &MetaResult, m: usize, statistic: Statistic) -> f64 {
    result.metrics[m].statistics[statistic as usize]
        .value
        .clone()
        .unwrap()
}

#[test]
fn each_statistic_is_that_of_its_function() {
    let (survey, metrics) = simulated(60, 5, &[0.5, 2.0]);
    let result = evaluate_metrics(&survey, &metrics, &few(20)).unwrap();
    let human: Vec<f64> = survey
        .items()
        .map(|item| item.iter().flatten().sum::<f64>() / 5.0)
        .collect();
    for (m, column) in metrics.iter().enumerate() {
        let scores: Vec<f64> = column.scores.iter().flatten().copied().collect();
        let best = TieCalibration::new(&scores).unwrap().unwrap();
        let best = best.best(&human).unwrap().unwrap();
        let expected = [
            best.accuracy,
            pairwise_accuracy(&scores, &human, 0.0).unwrap().unwrap(),
            kendall_tau_b(&scores, &human).unwrap().unwrap(),
            pearson(&scores, &human).unwrap().unwrap(),
            spearman(&scores, &human).unwrap().unwrap(),
        ];
        assert_eq!(result.metrics[m].epsilon, Some(best.epsilon));
        for (statistic, expected) in Statistic::ALL.into_iter().zip(expected) {
            assert_eq!(value(&result, m, statistic), expected, "{statistic:?}");
        }
    }
    let icc = intraclass_correlations(&survey, 0.95, IccConvention::Pingouin).unwrap();
    assert_eq!(result.agreement.icc, icc);
    let difference = &result.differences[0];
    for (s, statistic) in difference.statistics.iter().enumerate() {
        let expected = value(&result, 0, Statistic::ALL[s]) - value(&result, 1, Statistic::ALL[s]);
        assert_eq!(statistic.value, Ok(expected));
    }
    let scores = |m: usize| -> Vec<f64> { metrics[m].scores.iter().flatten().copied().collect() };
    let r = |m| value(&result, m, Statistic::Pearson);
    let between = pearson(&scores(0), &scores(1)).unwrap().unwrap();
    let test = williams_test(r(0), r(1), between, 60).unwrap().unwrap();
    let williams = difference.williams.clone().unwrap();
    assert_eq!((williams.t, williams.p_value), (test.t, test.p_value));
    assert_eq!(
        williams.p_holm, test.p_value,
        "a single test needs no correction"
    );
}

#[test]
fn two_raters_of_three_items_by_hand() {
    // Rater 0 says 1, 2, 3; rater 1 says 3, 2, 1: together all items tie.
    let survey = ratings(2, &[1.0, 3.0, 2.0, 2.0, 3.0, 1.0]);
    let result = evaluate_metrics(&survey, &[metric("a", &[0.1, 0.2, 0.3])], &few(200)).unwrap();
    let pearson = &result.metrics[0].statistics[Statistic::Pearson as usize];
    assert_eq!(pearson.value, Err(Undefined::TiedRatings));
    assert_eq!((pearson.interval, pearson.chance.mean), (None, None));
    // Half of the resamples draw each rater once, and tie everything.
    assert!((60..140).contains(&pearson.n_undefined_resamples));
    // Each rater alone sees the other upside down.
    let tau = &result.agreement.ceilings[Statistic::KendallTauB as usize];
    assert_eq!(tau.raters, [Some(-1.0), Some(-1.0)]);
    assert_eq!(tau.value, Ok(-1.0));
}

#[test]
fn the_better_metric_wins_and_the_interval_says_so() {
    let (survey, metrics) = simulated(200, 12, &[0.2, 2.0]);
    for resampled in [Resampled::Raters, Resampled::Items, Resampled::Both] {
        let options = MetaOptions {
            resampled,
            ..few(200)
        };
        let result = evaluate_metrics(&survey, &metrics, &options).unwrap();
        for difference in &result.differences[0].statistics {
            let (low, high) = difference.interval.unwrap();
            assert!(low > 0.0 && low < high, "{resampled:?} {difference:?}");
            assert!(difference.p_value.unwrap() < 0.05);
        }
        for metric in &result.metrics {
            for figure in &metric.statistics {
                let value = figure.value.clone().unwrap();
                let (low, high) = figure.interval.unwrap();
                assert!(low < high && value > figure.chance.percentile_95.unwrap());
            }
        }
        assert!(result.differences[0].williams.clone().unwrap().p_value < 1e-6);
        // Uncorrelated with people: no correlation, on average.
        let chance = result.metrics[0].statistics[Statistic::Pearson as usize].chance;
        assert!(chance.mean.unwrap().abs() < 0.05);
    }
}

#[test]
fn bca_needs_one_kind_of_unit_and_corrects_the_bias_of_resampled_raters() {
    let (survey, metrics) = simulated(80, 9, &[0.4]);
    let tau = |resampled, interval| {
        let options = MetaOptions {
            resampled,
            interval,
            ..few(300)
        };
        let result = evaluate_metrics(&survey, &metrics, &options)?;
        let tau = result.metrics[0].statistics[Statistic::KendallTauB as usize].clone();
        Ok((tau.value.unwrap(), tau.interval.unwrap()))
    };
    let (value, (low, high)) = tau(Resampled::Items, IntervalMethod::Bca).unwrap();
    assert!(low < value && value < high);
    // Fewer distinct raters make a noisier mean: most resamples agree less with the metric.
    let (value, percentiles) = tau(Resampled::Raters, IntervalMethod::Percentile).unwrap();
    let (_, corrected) = tau(Resampled::Raters, IntervalMethod::Bca).unwrap();
    assert!(f64::midpoint(percentiles.0, percentiles.1) < value);
    assert!(corrected.0 > percentiles.0 && corrected.1 > percentiles.1);
    let refused: Result<_, StatsError> = tau(Resampled::Both, IntervalMethod::Bca);
    assert!(matches!(refused, Err(StatsError::InvalidOption { .. })));
}

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
    // The same as if only those items had been there.
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
    // Raters were drawn alike, so intervals agree as well.
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
            kept.map(move |(rater, value)| value.filter(|_| rated(rater)))
                .collect::<Vec<_>>()
        })
        .collect();
    let sparse = Ratings::new(6, sparse).unwrap();
    let result = evaluate_metrics(&sparse, &metrics, &few(100)).unwrap();
    let tau = &result.metrics[0].statistics[Statistic::KendallTauB as usize];
    assert_eq!(result.metrics[0].n_items, 40);
    assert!(tau.interval.is_some());
    assert_eq!(
        result.agreement.icc,
        Err(Undefined::TooFewItems),
        "no item was rated by everyone"
    );
    assert!(result.agreement.alpha_ordinal.is_ok());
}

#[test]
fn what_cannot_be_said_has_its_reason() {
    let survey = ratings(2, &[1.0, 2.0, 2.0, 3.0, 4.0, 5.0]);
    let alone = MetricColumn {
        scores: vec![Some(1.0), None, None],
        ..metric("alone", &[])
    };
    let metrics = [
        metric("flat", &[1.0; 3]),
        alone,
        metric("fine", &[1.0, 2.0, 3.0]),
    ];
    let result = evaluate_metrics(&survey, &metrics, &few(10)).unwrap();
    for s in 0..Statistic::ALL.len() {
        let reason = |m: usize| result.metrics[m].statistics[s].value.clone();
        assert_eq!(reason(0), Err(Undefined::ConstantMetric));
        assert_eq!(reason(1), Err(Undefined::TooFewItems));
        assert!(reason(2).is_ok());
    }
    assert_eq!(
        result.differences[1].williams,
        Err(Undefined::ConstantMetric)
    );
    // The third rater gave one rating, the fourth always the same.
    let sparse = ratings(
        4,
        &[1.0, 2.0, 5.0, 3.0, 2.0, 3.0, -1.0, 3.0, 4.0, 5.0, -1.0, 3.0],
    );
    let agreement = rater_agreement(&sparse, HumanScore::Mean, 0.95).unwrap();
    let without = agreement.without_ceiling.iter();
    let without: Vec<(usize, String)> = without.map(|w| (w.rater, w.reason.to_string())).collect();
    let expected = [(2, Undefined::TooFewItems), (3, Undefined::TiedRatings)];
    assert_eq!(
        without,
        expected.map(|(rater, reason)| (rater, reason.to_string()))
    );
    let flat = ratings(2, &[3.0; 6]);
    let result = evaluate_metrics(&flat, &[metric("a", &[1.0, 2.0, 3.0])], &few(10)).unwrap();
    assert_eq!(result.agreement.icc, Err(Undefined::TiedRatings));
    assert_eq!(
        result.agreement.ceilings[3].value,
        Err(Undefined::TiedRatings)
    );
    assert_eq!(
        result.metrics[0].statistics[0].value,
        Err(Undefined::TiedRatings)
    );
    for word in ["stimulus", "reconstruction"] {
        assert!(!serde_json::to_string(&result).unwrap().contains(word));
    }
    let short = metric("short", &[1.0]);
    assert!(evaluate_metrics(&survey, &[short], &few(10)).is_err());
    assert!(evaluate_metrics(&survey, &[], &few(0)).is_err());
}

#[test]
fn a_metric_of_which_lower_is_better_is_negated() {
    let (survey, metrics) = simulated(30, 3, &[0.3]);
    let negated = MetricColumn {
        direction: Direction::Lower,
        scores: metrics[0].scores.iter().map(|s| s.map(|s| -s)).collect(),
        ..metrics[0].clone()
    };
    let a = evaluate_metrics(&survey, &metrics, &few(20)).unwrap();
    let b = evaluate_metrics(&survey, &[negated], &few(20)).unwrap();
    assert_eq!(a.metrics[0].statistics, b.metrics[0].statistics);
}

#[test]
fn threads_change_nothing_and_the_seed_does() {
    let (survey, metrics) = simulated(60, 6, &[0.3, 0.9]);
    let with = |threads: usize, options: &MetaOptions| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| evaluate_metrics(&survey, &metrics, options).unwrap())
    };
    for resampled in [Resampled::Raters, Resampled::Both] {
        let mut options = MetaOptions {
            resampled,
            human_score: HumanScore::ZScore,
            ..few(60)
        };
        let one = with(1, &options);
        assert_eq!(one, with(8, &options));
        options.bootstrap.seed = Seed(7);
        assert_ne!(
            one.metrics[0].statistics,
            with(8, &options).metrics[0].statistics
        );
    }
}

#[test]
fn the_order_of_metrics_does_not_matter_to_their_figures() {
    let (survey, metrics) = simulated(40, 5, &[0.3, 0.9, 1.5]);
    let forth = evaluate_metrics(&survey, &metrics, &few(40)).unwrap();
    let back: Vec<MetricColumn> = metrics.iter().rev().cloned().collect();
    let back = evaluate_metrics(&survey, &back, &few(40)).unwrap();
    assert_eq!(forth.metrics[0], back.metrics[2]);
    let p_values = |r: &MetaResult| {
        r.differences
            .iter()
            .map(|d| d.statistics[3].p_holm)
            .collect::<Vec<_>>()
    };
    let mut reversed = p_values(&back);
    reversed.reverse();
    assert_eq!(p_values(&forth), reversed);
}
