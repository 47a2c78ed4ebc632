//! Bootstrap estimates for known truth, and edge cases.

use crate::support::*;

const GAP: Outcome = Err(Undefined::Constant(Side::Recon));

fn noise(seed: u64, n: usize) -> Vec<Outcome> {
    let values = Synthetic::new("bootstrap", seed);
    (0..n as u64).map(|i| Ok(f64::from(values.uniform(i)))).collect()
}

#[test]
fn intervals_cover_the_true_mean_about_as_often_as_they_claim() {
    let (n_experiments, n_pairs, truth) = (400, 60, 0.5);
    let options = BootstrapOptions {
        resamples: 300,
        level: 0.9,
        seed: Seed(3),
        interval: MeanInterval::Studentized,
    };
    let mut covered = 0;
    for experiment in 0..n_experiments {
        let mut column = noise(experiment, n_pairs);
        // A quarter of the pairs has no value, independently of the values.
        column.iter_mut().step_by(4).for_each(|outcome| *outcome = GAP);
        let (low, high) = estimate(&[&column], &options).unwrap().interval.unwrap();
        covered += u64::from(low <= truth && truth <= high);
    }
    let coverage = covered as f64 / n_experiments as f64;
    // The standard error of the coverage is 0.015.
    assert!((0.86..=0.94).contains(&coverage), "{coverage}");
}

#[test]
fn width_of_the_interval_is_that_of_the_normal_approximation() {
    let column = noise(0, 5000);
    let (low, high) = estimate(&[&column], &BootstrapOptions::default()).unwrap().interval.unwrap();
    let expected = 2.0 * 1.96 * (1.0f64 / 12.0 / 5000.0).sqrt();
    assert!(((high - low) / expected - 1.0).abs() < 0.08, "{}", high - low);
}

#[test]
fn same_bits_with_one_thread_and_with_eight() {
    let mut column = noise(1, 333);
    column[5] = GAP;
    let other = noise(2, 333);
    let run = |threads| with_threads(threads, || estimate(&[&column, &other], &BootstrapOptions::default()).unwrap());
    let (one, eight) = (run(1), run(8));
    let bits = |interval: Option<(f64, f64)>| interval.map(|(a, b)| (a.to_bits(), b.to_bits()));
    assert_eq!(bits(one.interval), bits(eight.interval));
    assert_eq!(one, eight);
}

#[test]
fn the_seed_decides() {
    let column = noise(1, 50);
    let interval = |seed| {
        let options = BootstrapOptions {
            seed: Seed(seed),
            ..Default::default()
        };
        estimate(&[&column], &options).unwrap().interval
    };
    assert_eq!(interval(1), interval(1));
    assert_ne!(interval(1), interval(2));
}

#[test]
fn metrics_over_as_many_pairs_see_the_same_resamples() {
    let column = noise(1, 50);
    let doubled: Vec<Outcome> = column.iter().cloned().map(|o| o.map(|v| 2.0 * v)).collect();
    let interval = |column: &[Outcome]| estimate(&[column], &BootstrapOptions::default()).unwrap().interval.unwrap();
    let (low, high) = interval(&column);
    assert_eq!(interval(&doubled), (2.0 * low, 2.0 * high));
}

#[test]
fn a_composite_is_the_mean_of_the_means_of_its_parts() {
    let a = [Ok(1.0), GAP, Ok(3.0)];
    let found = estimate(&[&a, &[Ok(0.0), Ok(10.0), GAP]], &BootstrapOptions::default()).unwrap();
    assert_eq!(found.value, Ok(3.5));
    assert_eq!((found.n, found.n_undefined, found.interval), (1, 2, None));

    let found = estimate(&[&[Ok(1.0), GAP], &[GAP, Ok(2.0)]], &Default::default()).unwrap();
    assert_eq!((found.value, found.n, found.interval), (Ok(1.5), 0, None));
}

#[test]
fn too_few_values_have_no_interval() {
    let options = BootstrapOptions::default();
    let of = |column: &[Outcome]| estimate(&[column], &options).unwrap();
    let found = of(&[]);
    assert_eq!((found.value, found.interval, found.n), (Err(Undefined::NoPairs), None, 0));
    let found = of(&[GAP, GAP]);
    assert_eq!((found.value, found.n_undefined), (Err(Undefined::NoPairs), 2));
    let found = of(&[GAP, Ok(0.25)]);
    assert_eq!((found.value, found.interval, found.n), (Ok(0.25), None, 1));
    for interval in MeanInterval::ALL {
        let options = BootstrapOptions { interval, ..options };
        let found = estimate(&[&[Ok(0.25), GAP, Ok(0.25)]], &options).unwrap();
        assert_eq!((found.value, found.interval), (Ok(0.25), None));
    }
    let one_part_missing = estimate(&[&[Ok(1.0), Ok(2.0)], &[GAP, GAP]], &options).unwrap();
    assert_eq!(one_part_missing.value, Err(Undefined::NoPairs));
}

#[test]
fn intervals_are_never_narrower_than_students_and_shares_have_wilsons() {
    let options = BootstrapOptions::default();
    // Half of the resamples of such a column have no variance.
    let column: Vec<Outcome> = (0..10).map(|i| Ok(f64::from(i == 3) + 0.5)).collect();
    let found = estimate(&[&column], &options).unwrap();
    let (low, high) = found.interval.unwrap();
    let student = 2.0 * student_reach(10, 0.95) * 0.1;
    assert!(high - low >= student - 1e-12, "{low} {high}");

    let share: Vec<Outcome> = (0..10).map(|i| Ok(f64::from(i != 3))).collect();
    let found = estimate(&[&share], &options).unwrap();
    assert_eq!(found.interval, Some(wilson_interval(9, 10, 0.95).unwrap()));
    let with_gaps: Vec<Outcome> = share.iter().cloned().chain([GAP, GAP]).collect();
    assert_eq!(estimate(&[&with_gaps], &options).unwrap().interval, found.interval);
    // The mean of two columns is not a share.
    let both = estimate(&[&share, &share], &options).unwrap();
    assert_ne!(both.interval, found.interval);
    assert!(wilson_interval(3, 2, 0.95).is_err() && wilson_interval(0, 0, 0.95).is_err());
    assert!((wilson_interval(10, 10, 0.95).unwrap().1 - 1.0).abs() < 1e-12);
    assert_eq!((student_reach(1, 0.95), student_reach(0, 0.5)), (f64::INFINITY, f64::INFINITY));
}

#[test]
fn a_share_that_is_all_or_nothing_has_wilsons_interval_too() {
    let options = BootstrapOptions::default();
    let of = |values: &[f64], range| {
        let column: Vec<Outcome> = values.iter().map(|&v| Ok(v)).chain([GAP]).collect();
        estimate_within(&[&column], range, &options).unwrap().interval
    };
    let wilsons = |ones| Some(wilson_interval(ones, 5, 0.95).unwrap());
    assert_eq!(of(&[1.0; 5], (0.0, 1.0)), wilsons(5));
    assert_eq!(of(&[0.0; 5], (0.0, 1.0)), wilsons(0));
    // Equal values within the range, values of another range, and a single value show nothing about the variance.
    assert_eq!(of(&[0.5; 5], (0.0, 1.0)), None);
    assert_eq!(of(&[1.0; 5], (-1.0, 1.0)), None);
    assert_eq!(of(&[1.0], (0.0, 1.0)), None);
    let column = vec![Ok(1.0); 5];
    let percentile = BootstrapOptions {
        interval: MeanInterval::Percentile,
        ..options
    };
    let found = estimate_within(&[&column], (0.0, 1.0), &percentile).unwrap();
    assert_eq!(found.interval, None);
    let of_two = estimate_within(&[&column, &column], (0.0, 1.0), &options).unwrap();
    assert_eq!(of_two.interval, None);
}

#[test]
fn ways_to_make_intervals_have_names() {
    for way in MeanInterval::ALL {
        assert_eq!(way.id().parse(), Ok(way));
        assert_eq!(serde_json::json!(way), way.id());
    }
    let refused = "t".parse::<MeanInterval>().unwrap_err().to_string();
    assert!(refused.contains("studentized, bca or percentile"), "{refused}");
}

#[test]
fn bad_input_is_an_error_that_names_the_place() {
    let default = BootstrapOptions::default();
    let refused = |columns: &[&[Outcome]], options: &BootstrapOptions, words: &str| {
        let error = estimate(columns, options).unwrap_err().to_string();
        assert!(error.starts_with(words), "{error}");
    };
    refused(&[], &default, "no column of outcomes was given");
    refused(&[&[Ok(1.0)], &[]], &default, "column 1 of system 0 holds 0 pairs and the first column 1");
    refused(&[&[Ok(1.0), Ok(f64::NAN)]], &default, "pair 1 of column 0 of system 0 has the value NaN");
    for (resamples, level, words) in [(0, 0.95, "resamples is 0"), (10, 0.0, "level is 0"), (10, 1.0, "level is 1")] {
        let options = BootstrapOptions {
            resamples,
            level,
            ..default
        };
        refused(&[&[Ok(1.0)]], &options, words);
    }
}
