//! Changes that do not affect the results, and changes that do.

use super::survey::{few, simulated};
use crate::support::*;

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
    let with = |threads, options: &MetaOptions| {
        with_threads(threads, || evaluate_metrics(&survey, &metrics, options).unwrap())
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
        assert_ne!(one.metrics[0].statistics, with(8, &options).metrics[0].statistics);
    }
}

#[test]
fn the_order_of_metrics_does_not_matter_to_their_figures() {
    let (survey, metrics) = simulated(40, 5, &[0.3, 0.9, 1.5]);
    let forth = evaluate_metrics(&survey, &metrics, &few(40)).unwrap();
    let back: Vec<MetricColumn> = metrics.iter().rev().cloned().collect();
    let back = evaluate_metrics(&survey, &back, &few(40)).unwrap();
    assert_eq!(forth.metrics[0], back.metrics[2]);
    let p_values = |r: &MetaResult| r.differences.iter().map(|d| d.statistics[3].p_holm).collect::<Vec<_>>();
    let mut reversed = p_values(&back);
    reversed.reverse();
    assert_eq!(p_values(&forth), reversed);
}
