//! Means over groups of items: by hand, with everything in one group, and in resamples.
use crate::support::*;

fn few(resampled: Resampled) -> MetaOptions {
    MetaOptions {
        resampled,
        ..seed_options(60, 40)
    }
}

/// Stimuli that differ much in quality for all systems, and systems that differ slightly.
fn simulated(n_stimuli: u64, n_systems: u64) -> (Ratings, Vec<MetricColumn>, [Grouping; 2]) {
    let [stimulus, system, rater, own] = ["stimulus", "system", "rater", "own"].map(|name| Synthetic::new(name, 3));
    let cells: Vec<(u64, u64)> = (0..n_stimuli).flat_map(|i| (0..n_systems).map(move |s| (i, s))).collect();
    let truth = |i, s| 3.0 * stimulus.uniform(i) + system.uniform(i * n_systems + s);
    let ratings = cells.iter().flat_map(|&(i, s)| {
        (0..6).map(move |r| (i, s, r)).map(|(i, s, r)| {
            let noise = rater.uniform((i * n_systems + s) * 6 + r) - 0.5;
            Some(f64::from((truth(i, s) + noise).round()))
        })
    });
    let ratings = Ratings::new(6, ratings.collect()).unwrap();
    let scores = |noise: f32| -> Vec<f64> {
        let score = |&(i, s): &(u64, u64)| f64::from(truth(i, s) + noise * (own.uniform(i * n_systems + s) - 0.5));
        cells.iter().map(score).collect()
    };
    let metrics = vec![metric("near", scores(0.2)), metric("far", scores(3.0))];
    let labels =
        |of: fn(&(u64, u64)) -> u64| -> Vec<String> { cells.iter().map(|cell| of(cell).to_string()).collect() };
    let groupings = [
        Grouping::new("stimulus", &labels(|cell| cell.0)).unwrap(),
        Grouping::new("system", &labels(|cell| cell.1)).unwrap(),
    ];
    (ratings, metrics, groupings)
}

#[test]
fn two_stimuli_and_three_systems_by_hand() {
    // Means are 1, 2, 3 and 4, 4, 5.
    let ratings = [1, 1, 2, 2, 3, 3, 4, 4, 4, 4, 5, 5].map(|v| Some(f64::from(v)));
    let ratings = Ratings::new(2, ratings.to_vec()).unwrap();
    let groups = Grouping::new("stimulus", &["a", "a", "a", "b", "b", "b"]).unwrap();
    let own = metric("own", [0.1, 0.3, 0.2, 0.5, 0.6, 0.9]);
    let options = few(Resampled::Raters);
    let found = evaluate_metrics_within(&ratings, (&[groups], None), &[own], &options).unwrap();
    let grouped = &found.metrics[0].grouped[0];
    let value = |statistic: Statistic| {
        let figure = &grouped.statistics[statistic as usize].estimate;
        assert_eq!(figure.statistic, statistic);
        figure.value.clone().unwrap()
    };
    assert_eq!((grouped.grouping.as_str(), grouped.n_groups), ("stimulus", 2));
    assert_eq!(value(Statistic::Accuracy), 2.0 / 3.0);
    // In a, 2 of 3 pairs are right; in b, both pairs that people order.
    assert_eq!(value(Statistic::AccuracyOverUntied), (2.0 / 3.0 + 1.0) / 2.0);
    assert_eq!(value(Statistic::Tau23), 1.0 / 3.0);
    let tau_b = (1.0 / 3.0 + 2.0 / 6.0_f64.sqrt()) / 2.0;
    assert!((value(Statistic::KendallTauB) - tau_b).abs() < 1e-15);
    // In a, n = 3 with 3 classes: 2/(9 · 2/3); in b, 2 classes: 4/(9/2).
    let tau_c = (2.0 / 6.0 + 4.0 / 4.5) / 2.0;
    assert!((value(Statistic::KendallTauC) - tau_c).abs() < 1e-15);
    // If 0.5 and 0.6 (a difference of 0.09999999999999998) tie, b becomes right and a does not change.
    assert_eq!(value(Statistic::CalibratedAccuracy), (2.0 / 3.0 + 1.0) / 2.0);
    assert_eq!(grouped.epsilon, Some(0.3 - 0.2));
}

#[test]
fn one_group_of_all_is_no_grouping() {
    let (ratings, metrics, _) = simulated(15, 4);
    let all = Grouping::new("all", &["x"; 60]).unwrap();
    let options = few(Resampled::Raters);
    let found = evaluate_metrics_within(&ratings, (&[all], None), &metrics, &options).unwrap();
    let alone = evaluate_metrics(&ratings, &metrics, &options).unwrap();
    for (metric, alone) in found.metrics.iter().zip(&alone.metrics) {
        assert_eq!(metric.statistics, alone.statistics);
        let grouped = &metric.grouped[0];
        for (within, over_all) in grouped.statistics.iter().zip(&metric.statistics) {
            let (low, high) = within.estimate.interval.unwrap();
            let (all_low, all_high) = over_all.interval.unwrap();
            let off = within.estimate.value.clone().unwrap() - over_all.value.clone().unwrap();
            for off in [off, low - all_low, high - all_high] {
                assert!(off.abs() < 1e-12, "{within:?} {over_all:?}");
            }
        }
    }
    let (grouped, agreement) = (&found.agreement.grouped[0], &found.agreement);
    let one_rater = grouped.one_rater.iter().zip(&agreement.one_rater).map(|(a, b)| (&a.value, &b.value));
    let ceilings = grouped.ceilings.iter().zip(&agreement.ceilings).map(|(a, b)| (&a.value, &b.value));
    for (within, over_all) in one_rater.chain(ceilings) {
        let off = within.clone().unwrap() - over_all.clone().unwrap();
        assert!(off.abs() < 1e-12);
    }
}

#[test]
fn what_stimuli_have_in_common_does_not_count_within_them() {
    let (ratings, metrics, groupings) = simulated(40, 5);
    for resampled in [Resampled::Raters, Resampled::Items, Resampled::Both] {
        let options = few(resampled);
        let run = || evaluate_metrics_within(&ratings, (&groupings, None), &metrics, &options).unwrap();
        let with = |n_threads| with_threads(n_threads, run);
        let found = with(1);
        assert_eq!(found, with(8));
        for metric in &found.metrics {
            let pearson = |figures: &[StatisticEstimate]| figures[Statistic::Pearson as usize].value.clone().unwrap();
            let within = metric.grouped[0].statistics.iter();
            let within: Vec<StatisticEstimate> = within.map(|f| f.estimate.clone()).collect();
            assert!(pearson(&within) < pearson(&metric.statistics));
            assert_eq!((metric.grouped[0].n_groups, metric.grouped[1].n_groups), (40, 5));
            for figure in &within {
                let (low, high) = figure.interval.unwrap();
                let value = figure.value.clone().unwrap();
                assert!(low < high && value > figure.chance.mean.unwrap());
                // Whole groups are drawn, and no item twice within one group.
                assert!(resampled != Resampled::Items || (low..=high).contains(&value));
            }
        }
        for grouped in &found.differences[0].grouped {
            for figure in &grouped.statistics {
                assert!(figure.value.clone().unwrap() > 0.0 && figure.p_value.unwrap() < 0.1);
                assert!(figure.p_holm.is_some());
            }
        }
    }
}

#[test]
fn groups_without_a_value_are_left_out_and_counted() {
    // People tie all of the first group; the third has one item; the metric ties the fourth.
    let ratings = [3, 3, 1, 2, 5, 1, 2].map(|v| [Some(f64::from(v)); 2]);
    let ratings = Ratings::new(2, ratings.concat()).unwrap();
    let groups = Grouping::new("g", &["1", "1", "2", "2", "3", "4", "4"]).unwrap();
    let own = metric("own", [0.1, 0.2, 0.1, 0.4, 0.5, 0.7, 0.7]);
    let options = few(Resampled::Raters);
    let found = evaluate_metrics_within(&ratings, (std::slice::from_ref(&groups), None), &[own], &options).unwrap();
    let grouped = &found.metrics[0].grouped[0];
    let left_out: Vec<usize> = grouped.statistics.iter().map(|f| f.n_groups_left_out).collect();
    assert_eq!(grouped.n_groups, 4);
    assert_eq!(left_out, [1, 1, 3, 3, 3, 3, 3, 1]);
    let accuracy = grouped.statistics[Statistic::Accuracy as usize].estimate.value.clone();
    assert_eq!(accuracy, Ok(1.0 / 3.0));

    let flat = metric("flat", [0.1, 0.1, 0.2, 0.2, 0.3, 0.4, 0.4]);
    let alone = Grouping::new("alone", &["1", "2", "3", "4", "5", "6", "7"]).unwrap();
    let found = evaluate_metrics_within(&ratings, (&[groups, alone], None), &[flat], &options).unwrap();
    for figure in &found.metrics[0].grouped[0].statistics {
        assert_eq!(figure.estimate.value, Err(Undefined::ConstantMetric), "{figure:?}");
    }
    for figure in &found.metrics[0].grouped[1].statistics {
        assert_eq!(figure.estimate.value, Err(Undefined::TooFewItems), "{figure:?}");
    }
    let short = Grouping::new("short", &["a"]).unwrap();
    assert!(evaluate_metrics_within(&ratings, (&[short], None), &[], &options).is_err());
}
