//! Values by hand, and in simulations with known truth.

use super::survey::{combine, composite, few, simulated, simulation};
use crate::support::*;

#[test]
fn a_composite_is_measured_as_a_metric_of_its_own_would_be() {
    let (ratings, mut metrics) = simulated(80, 6, &[0.5, 0.4, 0.3]);
    metrics[1].scores[7] = None;
    let average = |parts: &[usize]| {
        let item = |i: usize| {
            // All have the same items: those with every part.
            let all = [0, 1, 2].iter().all(|&p: &usize| metrics[p].scores[i].is_some());
            let of = parts.iter().filter_map(|&p| metrics[p].scores[i]);
            all.then(|| of.sum::<f64>() / parts.len() as f64)
        };
        metric("average", (0..80).map(item))
    };
    let mut with_and_without = vec![average(&[0, 1, 2]), average(&[0, 2])];
    with_and_without[1].name = "without".into();
    let meta = evaluate_metrics(&ratings, &with_and_without, &few(40)).unwrap();
    let found = combine(&(ratings, metrics.clone()), &[composite(&[0, 1, 2])], Scaling::Raw);
    let found = &found.composites[0];
    assert_eq!((found.n_items, found.n_left_out), (79, 1));
    let part = &found.contributions[1];
    assert_eq!(part.part, "m1");
    for (s, statistic) in COMBINED_STATISTICS.into_iter().enumerate() {
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{statistic:?}: {a} {b}");
        let whole = &meta.metrics[0].statistics[statistic as usize];
        close(found.statistics[s].value.clone().unwrap(), whole.value.clone().unwrap());
        let (low, high) = found.statistics[s].interval.unwrap();
        close(low, whole.interval.unwrap().0);
        close(high, whole.interval.unwrap().1);
        // The bootstrap draws the same raters for both, so the differences are paired in the same way.
        let added = &part.statistics[s];
        let difference = &meta.differences[0].statistics[statistic as usize];
        close(added.value.clone().unwrap(), difference.value.clone().unwrap());
        close(added.interval.unwrap().0, difference.interval.unwrap().0);
        assert_eq!(added.p_value, difference.p_value);
        assert!(added.p_holm.unwrap() >= added.p_value.unwrap());
    }
}

#[test]
fn choosing_among_noise_looks_good_until_it_is_tried_elsewhere() {
    // The mean over many surveys with metrics without information and few items.
    let (mut in_sample, mut held_out, mut fitted, mut fitted_held_out) = (0.0, 0.0, 0.0, 0.0);
    let n = 40;
    for seed in 0..n {
        let found = combine(&simulation(seed, 40, 3, &[0.0; 7]), &[], Scaling::ZScore);
        let chosen = &found.subsets.overall;
        assert_eq!(chosen.n_subsets, 127);
        let tau = |figures: &[StatisticValue]| figures[1].value.clone().unwrap() / n as f64;
        let honest = |figures: &[HeldOut]| figures[1].value.clone().unwrap() / n as f64;
        in_sample += tau(&chosen.in_sample);
        held_out += honest(&chosen.cross_validated);
        fitted += found.weights.weights.as_ref().map_or(0.0, |_| tau(&found.weights.in_sample));
        let figure = &found.weights.cross_validated[1].value;
        fitted_held_out += figure.clone().unwrap_or(0.0) / n as f64;
    }
    assert!(in_sample > 0.15 && fitted > 0.1, "{in_sample} {fitted}");
    // A standard error is about 0.12/√40.
    assert!(held_out.abs() < 0.06 && fitted_held_out.abs() < 0.06, "{held_out} {fitted_held_out}");
}

#[test]
fn weights_follow_what_is_known_and_leave_out_what_is_not() {
    let found = combine(&simulated(400, 8, &[0.6, 0.0, 0.5]), &[composite(&[0, 1, 2])], Scaling::Raw);
    let weights = found.weights.weights.clone().unwrap();
    assert!(weights[0].weight > 0.5 && weights[1].weight < 0.05, "{weights:?}");
    assert_eq!(found.subsets.overall.metrics, ["m0", "m2"]);
    let value = |figures: &[HeldOut]| figures[1].value.clone().unwrap();
    assert!(value(&found.weights.cross_validated) > value(&found.weights.equal_cross_validated) + 0.05);
    // Leaving out the noise helps, and leaving out the better metric costs most.
    let added: Vec<f64> = found.composites[0]
        .contributions
        .iter()
        .map(|part| part.statistics[1].value.clone().unwrap())
        .collect();
    assert!(added[0] > added[2] && added[2] > 0.0 && added[1] < 0.0, "{added:?}");
}

#[test]
fn the_scale_matters_to_raw_averages_and_to_no_others() {
    let (ratings, metrics) = simulated(60, 4, &[0.5, 0.4, 0.3]);
    let mut wide = metrics.clone();
    wide[2].scores.iter_mut().flatten().for_each(|s| *s = *s * 1024.0 + 4096.0);
    let of = |metrics: &[MetricColumn], scaling| {
        combine(&(ratings.clone(), metrics.to_vec()), &[], scaling).averages.matrix(Statistic::KendallTauB)
    };
    for scaling in [Scaling::ZScore, Scaling::Rank] {
        assert_eq!(of(&metrics, scaling), of(&wide, scaling));
    }
    let raw = of(&wide, Scaling::Raw);
    assert!((raw[0][2].unwrap() - raw[2][2].unwrap()).abs() < 0.01);
    assert_ne!(of(&metrics, Scaling::Raw), raw);
}

#[test]
fn equally_good_subsets_go_to_the_smallest_and_then_by_name() {
    // "c" and "a" are equal, and together as good as alone; "b" is worse.
    let metrics = [
        metric("c", [1.0, 2.0, 3.0, 4.0]),
        metric("b", [2.0, 1.0, 0.0, 3.0]),
        metric("a", [1.0, 2.0, 3.0, 4.0]),
    ];
    let ratings = ratings(2, [1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 4.0, 4.0]);
    for order in [[0, 1, 2], [2, 0, 1], [1, 2, 0]] {
        let metrics = order.map(|m| metrics[m].clone()).to_vec();
        let found = combine(&(ratings.clone(), metrics), &[], Scaling::Raw);
        assert_eq!(found.subsets.overall.metrics, ["a"]);
        assert_eq!(found.subsets.sizes[1].metrics, ["a", "c"]);
    }
}

#[test]
fn threads_change_nothing_and_the_seed_does() {
    let survey = simulated(50, 5, &[0.5, 0.2, 0.1, 0.4, 0.0]);
    let with = |threads: usize, seed: u64| {
        let mut meta = few(30);
        meta.bootstrap.seed = Seed(seed);
        let options = CombinationOptions::default();
        let run = || combine_metrics((&survey.0, None), &survey.1, &[composite(&[0, 1])], &meta, &options).unwrap();
        serde_json::to_string(&with_threads(threads, run)).unwrap()
    };
    assert_eq!(with(1, 1), with(8, 1));
    assert_ne!(with(1, 1), with(1, 2));
}
