//! Values by hand, against the single statistics, and with known truth.

use super::survey::{few, simulated, value};
use crate::support::*;

#[test]
fn each_statistic_is_that_of_its_function() {
    let (survey, metrics) = simulated(60, 5, &[0.5, 2.0]);
    let result = evaluate_metrics(&survey, &metrics, &few(20)).unwrap();
    let human: Vec<f64> = survey.items().map(|item| item.iter().flatten().sum::<f64>() / 5.0).collect();
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
    assert_eq!(williams.p_holm, test.p_value, "a single test needs no correction");
}

#[test]
fn two_raters_of_three_items_by_hand() {
    // Rater 0 rates 1, 2, 3; rater 1 rates 3, 2, 1: together, all items tie.
    let survey = ratings(2, [1.0, 3.0, 2.0, 2.0, 3.0, 1.0]);
    let result = evaluate_metrics(&survey, &[metric("a", [0.1, 0.2, 0.3])], &few(200)).unwrap();
    let pearson = &result.metrics[0].statistics[Statistic::Pearson as usize];
    assert_eq!(pearson.value, Err(Undefined::TiedRatings));
    assert_eq!((pearson.interval, pearson.chance.mean), (None, None));
    // Half of the resamples draw each rater once, and tie everything.
    assert!((60..140).contains(&pearson.n_undefined_resamples));
    // Each rater has the reverse of the other's order.
    let tau = &result.agreement.one_rater[Statistic::KendallTauB as usize];
    assert_eq!(tau.raters, [Some(-1.0), Some(-1.0)]);
    assert_eq!(tau.value, Ok(-1.0));
}

#[test]
fn the_better_metric_wins_and_the_interval_says_so() {
    let (survey, metrics) = simulated(200, 12, &[0.2, 2.0]);
    for resampled in [Resampled::Raters, Resampled::Items, Resampled::Both] {
        let options = MetaOptions { resampled, ..few(200) };
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
        // Scores are not correlated with people, so the mean correlation is 0.
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
            interval: Some(interval),
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
    for (resampled, interval) in
        [(Resampled::Both, IntervalMethod::Bca), (Resampled::Raters, IntervalMethod::Studentized)]
    {
        let refused: Result<_, StatsError> = tau(resampled, interval);
        assert!(matches!(refused, Err(StatsError::Usage(_))));
    }
}
