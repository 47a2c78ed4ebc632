//! Several items for one stimulus: intervals and p values against `reference/meta_stimuli.py`, and with known answers.

use super::survey::{check_inference, few, simulated};
use crate::support::*;

fn labels(stimuli: impl IntoIterator<Item = u64>) -> Grouping {
    let labels = stimuli.into_iter().map(|stimulus| stimulus.to_string());
    Grouping::new("stimulus", &labels.collect::<Vec<String>>()).unwrap()
}

#[test]
fn intervals_and_p_values_are_those_of_numpy_and_scipy() {
    for case in list(&read("meta_stimuli.json")["cases"]) {
        let survey = ratings(3, list(&case["ratings"]).iter().flat_map(numbers));
        let metrics: Vec<MetricColumn> = list(&case["metrics"]).iter().map(|m| metric("m", numbers(m))).collect();
        let stimuli = labels(numbers(&case["stimulus"]).into_iter().map(|s| s as u64));
        let found = evaluate_metrics_within(&survey, (&[], Some(&stimuli)), &metrics, &without_chance()).unwrap();
        assert_eq!(found.n_stimuli, Some(stimuli.n_groups()));
        check_inference(&found, case);
    }
}

/// A survey with `n_copies` equal items for each stimulus, and their stimuli.
fn copied(n: u64, n_copies: usize) -> (Ratings, Vec<MetricColumn>, Grouping) {
    let (survey, metrics) = simulated(n, 4, &[0.6, 1.4]);
    let copies = |values: &[Option<f64>]| values.repeat(n_copies);
    let metrics = metrics.iter().map(|column| MetricColumn {
        scores: copies(&column.scores),
        ..column.clone()
    });
    let values: Vec<Option<f64>> = (0..n as usize).flat_map(|item| survey.item(item).to_vec()).collect();
    (
        Ratings::new(4, copies(&values)).unwrap(),
        metrics.collect(),
        labels((0..n_copies).flat_map(|_| 0..n)),
    )
}

#[test]
fn copies_of_an_item_add_nothing_to_what_is_known_of_correlations() {
    for interval in [IntervalMethod::Studentized, IntervalMethod::Percentile, IntervalMethod::Bca] {
        let options = MetaOptions {
            resampled: Resampled::Items,
            interval: Some(interval),
            ..few(60)
        };
        let (survey, metrics, _) = copied(15, 1);
        let alone = evaluate_metrics(&survey, &metrics, &options).unwrap();
        let (survey, metrics, stimuli) = copied(15, 4);
        let clustered = evaluate_metrics_within(&survey, (&[], Some(&stimuli)), &metrics, &options).unwrap();
        let pooled = evaluate_metrics(&survey, &metrics, &options).unwrap();
        for statistic in [Statistic::Pearson, Statistic::Spearman] {
            let s = statistic as usize;
            let of = |result: &MetaResult| {
                let difference = &result.differences[0].statistics[s];
                [
                    result.metrics[0].statistics[s].interval.unwrap(),
                    result.metrics[1].statistics[s].interval.unwrap(),
                    difference.interval.unwrap(),
                    (difference.p_value.unwrap(), 0.0),
                ]
            };
            for (clustered, alone) in of(&clustered).into_iter().zip(of(&alone)) {
                near_ends(Some(clustered), [alone.0, alone.1], 1e-9);
            }
            let width = |result: &MetaResult| of(result)[0].1 - of(result)[0].0;
            assert!(width(&pooled) < 0.7 * width(&clustered));
        }
    }
}

#[test]
fn chance_keeps_the_items_of_a_stimulus_together() {
    let (survey, metrics, stimuli) = copied(15, 6);
    let options = few(5);
    let highest = |stimuli: Option<&Grouping>| {
        let found = evaluate_metrics_within(&survey, (&[], stimuli), &metrics, &options).unwrap();
        found.metrics[0].statistics[Statistic::Pearson as usize].chance.percentile_95.unwrap()
    };
    // With six times as many independent items, it would be about √6 times lower.
    assert!(highest(Some(&stimuli)) > 1.7 * highest(None));
}

#[test]
fn independent_items_need_no_stimuli_and_few_stimuli_have_no_interval() {
    let (survey, metrics) = simulated(12, 3, &[0.6, 1.4]);
    let options = MetaOptions {
        resampled: Resampled::Items,
        ..few(20)
    };
    let with =
        |stimuli: Option<&Grouping>| evaluate_metrics_within(&survey, (&[], stimuli), &metrics, &options).unwrap();
    let independent = with(None);
    assert_eq!(with(Some(&labels(0..12))), independent);
    assert_eq!(independent.n_stimuli, None);
    assert!(independent.differences[0].williams.is_ok());
    let few = with(Some(&labels((0..12).map(|item| item % 3))));
    assert_eq!(few.n_stimuli, Some(3));
    let reason = few.differences[0].williams.clone().unwrap_err();
    assert_eq!(reason.to_string(), "items of one stimulus are not independent");
    for figure in &few.metrics[0].statistics {
        assert_eq!(figure.interval, None);
        assert_eq!(figure.interval_note, Some(IntervalNote::TooFewStimuli));
    }
    let found = evaluate_metrics_within(&survey, (&[], Some(&labels(0..3))), &metrics, &options);
    assert!(found.is_err());
}
