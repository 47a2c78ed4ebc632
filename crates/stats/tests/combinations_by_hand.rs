//! Combinations of metrics: by hand, in simulations whose truth is known, and where there is no
//! value.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use neurogauge_core::synthetic::Synthetic;
use neurogauge_core::{Direction, Seed, Undefined};
use neurogauge_stats::combination::*;
use neurogauge_stats::meta::*;
use neurogauge_stats::{BootstrapOptions, Ratings};

fn metric(name: &str, scores: Vec<Option<f64>>) -> MetricColumn {
    MetricColumn {
        name: name.into(),
        direction: Direction::Higher,
        scores,
    }
}

fn few(resamples: usize) -> MetaOptions {
    MetaOptions {
        bootstrap: BootstrapOptions {
            resamples,
            ..BootstrapOptions::default()
        },
        permutations: 2,
        ..MetaOptions::default()
    }
}

/// Raters near the truth, and metrics that are the truth (`share`) and noise.
fn simulated(n: u64, n_raters: u64, shares: &[f32]) -> (Ratings, Vec<MetricColumn>) {
    simulation(3, n, n_raters, shares)
}

fn simulation(seed: u64, n: u64, n_raters: u64, shares: &[f32]) -> (Ratings, Vec<MetricColumn>) {
    let truth = Synthetic::new("truth", seed);
    let rater_noise = Synthetic::new("raters", seed);
    let ratings = (0..n * n_raters).map(|place| {
        let noise = 2.0 * rater_noise.uniform(place) - 1.0;
        let opinion = 1.0 + 4.0 * truth.uniform(place / n_raters) + noise;
        Some(f64::from(opinion.round().clamp(1.0, 5.0)))
    });
    let ratings = Ratings::new(n_raters as usize, ratings.collect()).unwrap();
    let metrics = shares.iter().enumerate().map(|(m, share)| {
        let own = Synthetic::new(&format!("metric{m}"), seed);
        let score =
            |item| f64::from(share * truth.uniform(item) + (1.0 - share) * own.uniform(item));
        metric(
            &format!("m{m}"),
            (0..n).map(|item| Some(score(item))).collect(),
        )
    });
    let metrics = metrics.collect();
    (ratings, metrics)
}

fn composite(parts: &[usize]) -> Composite {
    Composite {
        name: "all".into(),
        parts: parts.to_vec(),
    }
}

fn combine(
    survey: &(Ratings, Vec<MetricColumn>),
    composites: &[Composite],
    scaling: Scaling,
) -> CombinationResult {
    let options = CombinationOptions {
        scaling,
        ..CombinationOptions::default()
    };
    combine_metrics(&survey.0, &survey.1, composites, &few(40), &options).unwrap()
}

#[test]
fn a_composite_is_measured_as_a_metric_of_its_own_would_be() {
    let (ratings, mut metrics) = simulated(80, 6, &[0.5, 0.4, 0.3]);
    metrics[1].scores[7] = None;
    let average = |parts: &[usize]| {
        let item = |i: usize| {
            // The same items for all, those that have every part.
            let all = [0, 1, 2]
                .iter()
                .all(|&p: &usize| metrics[p].scores[i].is_some());
            let of = parts.iter().filter_map(|&p| metrics[p].scores[i]);
            all.then(|| of.sum::<f64>() / parts.len() as f64)
        };
        metric("average", (0..80).map(item).collect())
    };
    let mut with_and_without = vec![average(&[0, 1, 2]), average(&[0, 2])];
    with_and_without[1].name = "without".into();
    let meta = evaluate_metrics(&ratings, &with_and_without, &few(40)).unwrap();
    let found = combine(
        &(ratings, metrics.clone()),
        &[composite(&[0, 1, 2])],
        Scaling::Raw,
    );
    let found = &found.composites[0];
    assert_eq!((found.n_items, found.n_left_out), (79, 1));
    let part = &found.contributions[1];
    assert_eq!(part.part, "m1");
    for (s, statistic) in COMBINED_STATISTICS.into_iter().enumerate() {
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{statistic:?}: {a} {b}");
        let whole = &meta.metrics[0].statistics[statistic as usize];
        close(
            found.statistics[s].value.clone().unwrap(),
            whole.value.clone().unwrap(),
        );
        let (low, high) = found.statistics[s].interval.unwrap();
        close(low, whole.interval.unwrap().0);
        close(high, whole.interval.unwrap().1);
        // The bootstrap draws the same raters for both, so the differences are paired alike.
        let added = &part.statistics[s];
        let difference = &meta.differences[0].statistics[statistic as usize];
        close(
            added.value.clone().unwrap(),
            difference.value.clone().unwrap(),
        );
        close(added.interval.unwrap().0, difference.interval.unwrap().0);
        assert_eq!(added.p_value, difference.p_value);
        assert!(added.p_holm.unwrap() >= added.p_value.unwrap());
    }
}

#[test]
fn choosing_among_noise_looks_good_until_it_is_tried_elsewhere() {
    // Metrics that know nothing, and few items; the mean of many such surveys.
    let (mut in_sample, mut held_out, mut fitted, mut fitted_held_out) = (0.0, 0.0, 0.0, 0.0);
    let n = 40;
    for seed in 0..n {
        let survey = simulation(seed, 40, 3, &[0.0; 7]);
        let found = combine(&survey, &[], Scaling::ZScore);
        let chosen = &found.subsets.overall;
        assert_eq!(chosen.n_subsets, 127);
        let tau = |figures: &[StatisticValue]| figures[1].value.clone().unwrap() / n as f64;
        let honest = |figures: &[HeldOut]| figures[1].value.clone().unwrap() / n as f64;
        in_sample += tau(&chosen.in_sample);
        held_out += honest(&chosen.cross_validated);
        fitted += found
            .weights
            .weights
            .as_ref()
            .map_or(0.0, |_| tau(&found.weights.in_sample));
        let figure = &found.weights.cross_validated[1].value;
        fitted_held_out += figure.clone().unwrap_or(0.0) / n as f64;
    }
    assert!(in_sample > 0.15 && fitted > 0.1, "{in_sample} {fitted}");
    // A standard error is about 0.12/√40.
    assert!(
        held_out.abs() < 0.06 && fitted_held_out.abs() < 0.06,
        "{held_out} {fitted_held_out}"
    );
}

#[test]
fn weights_follow_what_is_known_and_leave_out_what_is_not() {
    let survey = simulated(400, 8, &[0.6, 0.0, 0.5]);
    let found = combine(&survey, &[composite(&[0, 1, 2])], Scaling::Raw);
    let weights = found.weights.weights.clone().unwrap();
    assert!(
        weights[0].weight > 0.5 && weights[1].weight < 0.05,
        "{weights:?}"
    );
    assert_eq!(found.subsets.overall.metrics, ["m0", "m2"]);
    let value = |figures: &[HeldOut]| figures[1].value.clone().unwrap();
    assert!(
        value(&found.weights.cross_validated) > value(&found.weights.equal_cross_validated) + 0.05
    );
    // Leaving out the noise helps, leaving out the better metric costs most.
    let added: Vec<f64> = found.composites[0]
        .contributions
        .iter()
        .map(|part| part.statistics[1].value.clone().unwrap())
        .collect();
    assert!(
        added[0] > added[2] && added[2] > 0.0 && added[1] < 0.0,
        "{added:?}"
    );
}

#[test]
fn the_scale_matters_to_raw_averages_and_to_no_others() {
    let (ratings, metrics) = simulated(60, 4, &[0.5, 0.4, 0.3]);
    let mut wide = metrics.clone();
    wide[2]
        .scores
        .iter_mut()
        .flatten()
        .for_each(|s| *s = *s * 1024.0 + 4096.0);
    let of = |metrics: &[MetricColumn], scaling| {
        let found = combine(&(ratings.clone(), metrics.to_vec()), &[], scaling);
        found.averages.matrix(Statistic::KendallTauB)
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
    let scores = |v: [f64; 4]| v.map(Some).to_vec();
    // "c" and "a" are the same, and as good alone as together; "b" is worse.
    let metrics = [
        metric("c", scores([1.0, 2.0, 3.0, 4.0])),
        metric("b", scores([2.0, 1.0, 0.0, 3.0])),
        metric("a", scores([1.0, 2.0, 3.0, 4.0])),
    ];
    let ratings = [1, 1, 2, 2, 3, 3, 4, 4].map(|v| Some(f64::from(v)));
    let ratings = Ratings::new(2, ratings.to_vec()).unwrap();
    for order in [[0, 1, 2], [2, 0, 1], [1, 2, 0]] {
        let metrics = order.map(|m| metrics[m].clone()).to_vec();
        let found = combine(&(ratings.clone(), metrics), &[], Scaling::Raw);
        assert_eq!(found.subsets.overall.metrics, ["a"]);
        assert_eq!(found.subsets.sizes[1].metrics, ["a", "c"]);
    }
}

#[test]
fn gaps_and_constants_have_their_reasons_and_stop_nothing() {
    let (ratings, mut metrics) = simulated(20, 3, &[0.6, 0.5]);
    metrics.push(metric("flat", vec![Some(2.0); 20]));
    metrics.push(metric("none", vec![None; 20]));
    let survey = (ratings, metrics);
    let found = combine(&survey, &[composite(&[0, 2])], Scaling::ZScore);
    let cell = |a: &str, b: &str| {
        let mut cells = found.averages.cells.iter();
        cells.find(|c| c.first == a && c.second == b).unwrap()
    };
    let reason = |figures: &[StatisticValue]| figures[1].value.clone().unwrap_err();
    for (a, b) in [("m0", "flat"), ("flat", "flat")] {
        assert_eq!(reason(&cell(a, b).statistics), Undefined::ConstantMetric);
    }
    assert_eq!(
        reason(&cell("m0", "none").statistics),
        Undefined::TooFewItems
    );
    assert_eq!(cell("m0", "m1").n_items, 20);
    assert!(cell("m0", "m1").value(Statistic::Pearson).is_some());
    // No item has everything.
    let subsets = &found.subsets;
    assert_eq!((subsets.n_items, subsets.n_left_out), (0, 20));
    assert!(subsets.overall.metrics.is_empty());
    assert!(subsets.overall.cross_validated[0].value.is_err());
    assert_eq!(found.weights.weights, Err(Undefined::TooFewItems));
    let part = &found.composites[0].contributions[0].statistics[0];
    assert_eq!(
        (part.value.clone(), part.without),
        (Err(Undefined::ConstantMetric), None)
    );

    // Without the empty one: raw averages do not mind a constant, z-scores leave it out.
    let survey = (survey.0, survey.1[..3].to_vec());
    let raw = combine(&survey, &[], Scaling::Raw);
    let tau = raw.averages.matrix(Statistic::KendallTauB);
    assert_eq!((tau[0][2], tau[2][2]), (tau[0][0], None));
    for scaling in [Scaling::Raw, Scaling::ZScore, Scaling::Rank] {
        let found = combine(&survey, &[], scaling);
        assert_eq!(found.weights.weights.unwrap()[2].weight, 0.0);
        assert!(!found.subsets.overall.metrics.contains(&"flat".to_owned()));
    }
}

#[test]
fn small_surveys_have_no_cross_validation_and_tied_ones_nothing() {
    let (ratings, metrics) = simulated(9, 3, &[0.9, 0.8]);
    let found = combine(&(ratings, metrics.clone()), &[], Scaling::Raw);
    assert!(found.subsets.overall.in_sample[1].value.is_ok());
    let held_out = &found.subsets.overall.cross_validated[1];
    assert_eq!(held_out.value, Err(Undefined::TooFewItemsPerFold));
    assert_eq!(
        found.weights.cross_validated[1].value,
        Err(Undefined::TooFewItemsPerFold)
    );
    let tied = Ratings::new(3, vec![Some(2.0); 27]).unwrap();
    let found = combine(&(tied, metrics), &[composite(&[0, 1])], Scaling::Rank);
    assert_eq!(found.weights.weights, Err(Undefined::TiedRatings));
    assert_eq!(
        found.subsets.sizes[0].in_sample[1].value,
        Err(Undefined::TiedRatings)
    );
    assert_eq!(
        found.composites[0].statistics[0].value,
        Err(Undefined::TiedRatings)
    );
    for word in ["stimulus", "reconstruction"] {
        assert!(!serde_json::to_string(&found).unwrap().contains(word));
    }
}

#[test]
fn nonsense_is_refused() {
    let (ratings, metrics) = simulated(10, 3, &[0.9, 0.8]);
    let run = |parts: &[usize], folds| {
        let options = CombinationOptions {
            folds,
            ..CombinationOptions::default()
        };
        combine_metrics(&ratings, &metrics, &[composite(parts)], &few(5), &options).is_ok()
    };
    assert!(run(&[0, 1], 2));
    assert!(!run(&[0, 1], 1));
    for parts in [&[0][..], &[0, 0], &[0, 2], &[]] {
        assert!(!run(parts, 2));
    }
    let short = [metric("short", vec![Some(1.0)])];
    assert!(
        combine_metrics(
            &ratings,
            &short,
            &[],
            &few(5),
            &CombinationOptions::default()
        )
        .is_err()
    );
    let none =
        combine_metrics(&ratings, &[], &[], &few(5), &CombinationOptions::default()).unwrap();
    assert!(none.averages.cells.is_empty() && none.subsets.sizes.is_empty());
}

#[test]
fn threads_change_nothing_and_the_seed_does() {
    let survey = simulated(50, 5, &[0.5, 0.2, 0.1, 0.4, 0.0]);
    let with = |threads: usize, seed: u64| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let meta = MetaOptions {
            bootstrap: BootstrapOptions {
                seed: Seed(seed),
                ..few(30).bootstrap
            },
            ..few(30)
        };
        let run = || {
            let options = CombinationOptions::default();
            combine_metrics(&survey.0, &survey.1, &[composite(&[0, 1])], &meta, &options).unwrap()
        };
        serde_json::to_string(&pool.build().unwrap().install(run)).unwrap()
    };
    assert_eq!(with(1, 1), with(8, 1));
    assert_ne!(with(1, 1), with(1, 2));
}
