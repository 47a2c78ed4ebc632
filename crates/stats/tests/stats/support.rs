//! Shared parts of several tests: goldens, simulated surveys, options, and comparisons of plain columns.

pub(crate) use crate::golden_values::*;
pub(crate) use neurogauge_core::synthetic::Synthetic;
pub(crate) use neurogauge_core::*;
pub(crate) use neurogauge_stats::combination::*;
pub(crate) use neurogauge_stats::meta::*;
pub(crate) use neurogauge_stats::*;
pub(crate) use rayon::prelude::*;
pub(crate) use serde_json::Value;
pub(crate) use std::fmt::Write;

/// The tests of a comparison that is its own family of tests.
pub(crate) const SIGN_FLIP: (PairedTest, usize) = (PairedTest::SignFlip, 1);

/// Asserts equality with the golden, relative to its size if that exceeds 1.
#[track_caller]
pub(crate) fn close(found: f64, golden: &Value, tolerance: f64) {
    near(found, number(golden), tolerance * number(golden).abs().max(1.0));
}

/// Compares both ends of an interval.
#[track_caller]
pub(crate) fn near_ends(found: Option<(f64, f64)>, expected: [f64; 2], tolerance: f64) {
    let (low, high) = found.expect("an interval");
    near(low, expected[0], tolerance);
    near(high, expected[1], tolerance);
}

/// Compares both ends of an interval with a golden's.
#[track_caller]
pub(crate) fn near_golden(found: Option<(f64, f64)>, golden: &Value, tolerance: f64) {
    near_ends(found, [number(&golden[0]), number(&golden[1])], tolerance);
}

/// A value on a grid of `levels` steps; unchanged for 0.
pub(crate) fn on_grid(value: f64, levels: f64) -> f64 {
    if levels == 0.0 {
        value
    } else {
        (value * levels).floor() / levels
    }
}

pub(crate) fn with_threads<T: Send>(n_threads: usize, run: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(n_threads).build().unwrap().install(run)
}

pub(crate) fn outcomes(values: impl IntoIterator<Item = f64>) -> Vec<Outcome> {
    values.into_iter().map(Ok).collect()
}

pub(crate) fn slices(columns: &[Vec<Outcome>]) -> Vec<&[Outcome]> {
    columns.iter().map(Vec::as_slice).collect()
}

pub(crate) fn resampled(resamples: usize) -> BootstrapOptions {
    BootstrapOptions {
        resamples,
        ..BootstrapOptions::default()
    }
}

pub(crate) fn at_level(level: f64) -> BootstrapOptions {
    BootstrapOptions {
        level,
        ..BootstrapOptions::default()
    }
}

/// Compares systems with one column each, by sign flips.
pub(crate) fn compare_columns(columns: &[impl AsRef<[Outcome]>], options: &BootstrapOptions) -> Comparison {
    compare_columns_by(PairedTest::SignFlip, columns, options)
}

pub(crate) fn compare_columns_by(
    test: PairedTest,
    columns: &[impl AsRef<[Outcome]>],
    options: &BootstrapOptions,
) -> Comparison {
    let systems: Vec<Vec<&[Outcome]>> = columns.iter().map(|column| vec![column.as_ref()]).collect();
    compare_systems(&systems, Direction::Higher, (test, 1), options).unwrap()
}

/// Compares systems with a column for each of their subjects, by sign flips.
pub(crate) fn compare_tables<'a>(
    systems: &'a [Vec<Vec<Outcome>>],
    population: SubjectPopulation,
    options: &BootstrapOptions,
) -> SubjectComparison {
    let subject = |column| SubjectScores {
        columns: vec![column],
        pseudo_values: None,
        too_low_by: 0.0,
    };
    let of_system = |system: &'a Vec<Vec<Outcome>>| slices(system).into_iter().map(subject).collect();
    let scores: Vec<Vec<SubjectScores<'_>>> = systems.iter().map(of_system).collect();
    let stimuli: Vec<usize> = (0..systems[0][0].len()).collect();
    compare_subjects(&scores, &stimuli, Direction::Higher, SIGN_FLIP, population, options).unwrap()
}

/// A metric for which higher is better, from scores or options of scores.
pub(crate) fn metric(name: &str, scores: impl IntoIterator<Item = impl Into<Option<f64>>>) -> MetricColumn {
    MetricColumn {
        name: name.into(),
        direction: Direction::Higher,
        scores: scores.into_iter().map(Into::into).collect(),
    }
}

/// Ratings; a negative number means a missing one.
pub(crate) fn ratings(n_raters: usize, values: impl IntoIterator<Item = f64>) -> Ratings {
    let values = values.into_iter().map(|value| (value >= 0.0).then_some(value));
    Ratings::new(n_raters, values.collect()).unwrap()
}

/// SEED's bootstrap, with few draws.
pub(crate) fn seed_options(resamples: usize, permutations: usize) -> MetaOptions {
    MetaOptions {
        bootstrap: resampled(resamples),
        permutations,
        ..MetaOptions::seed()
    }
}

/// The defaults without the computation of chance levels.
pub(crate) fn without_chance() -> MetaOptions {
    MetaOptions {
        permutations: 1,
        ..MetaOptions::default()
    }
}

/// Compares ICC and alpha of a survey with the script's output.
pub(crate) fn check_agreement(ratings: &Ratings, case: &Value) {
    let table = |convention| intraclass_correlations(ratings, 0.95, convention).unwrap().unwrap();
    let found = table(IccConvention::Pingouin);
    assert_eq!(found.n_items as u64, whole(&case["n_complete"]));
    for icc in &found.forms {
        let golden = &case["icc"][icc.form.label()];
        close(icc.value, &golden["value"], 1e-12);
        close(icc.f, &golden["f"], 1e-12);
        assert_eq!(icc.df1, number(&golden["df1"]));
        assert_eq!(icc.df2, number(&golden["df2"]));
        check_test(icc, golden);
    }
    for icc in &table(IccConvention::Irr).forms {
        let golden = &case["irr"][icc.form.label()];
        if golden.is_null() {
            continue;
        }
        close(icc.df2, &golden["df2"], 1e-10);
        check_test(icc, golden);
    }
    for (name, measurement) in [
        ("nominal", Measurement::Nominal),
        ("ordinal", Measurement::Ordinal),
        ("interval", Measurement::Interval),
    ] {
        let alpha = krippendorff_alpha(ratings, measurement).unwrap();
        close(alpha, &case["alpha"][name], 1e-12);
    }
}

fn check_test(icc: &Icc, golden: &Value) {
    let p = number(&golden["p"]);
    // Relative, since p values of real surveys are as small as 1e-300.
    assert!((icc.p_value - p).abs() <= 1e-11 * p, "{}: p = {:e} is not {p:e}", icc.form.label(), icc.p_value);
    let (low, high) = icc.interval.expect("an interval");
    close(low, &golden["low"], 1e-12);
    close(high, &golden["high"], 1e-12);
}

/// Compares means over groups with the script's output; `labels` are the groups of the items.
pub(crate) fn check_means_over_groups((metric, human): (&[f64], &[f64]), labels: &[String], case: &Value) {
    let column = self::metric("metric", metric.to_vec());
    // Two identical raters, whose mean equals each one's rating.
    let twice = human.iter().flat_map(|&value| [Some(value); 2]).collect();
    let options = MetaOptions {
        bootstrap: resampled(1),
        ..without_chance()
    };
    let grouping = Grouping::new("group", labels).expect("few items");
    let ratings = Ratings::new(2, twice).expect("two raters");
    let found = evaluate_metrics_within(&ratings, (&[grouping], None), &[column], &options);
    let found = &found.expect("a result").metrics[0].grouped[0];
    for figure in &found.statistics {
        let value = figure.estimate.value.clone().expect("a value");
        if figure.estimate.statistic == Statistic::CalibratedAccuracy {
            // Exact, since the running mean is the same.
            assert_eq!(value, number(&case["calibrated"]["accuracy"]));
            assert_eq!(found.epsilon, case["calibrated"]["epsilon"].as_f64());
            continue;
        }
        let golden = &case["means"][figure.estimate.statistic.id()];
        close(value, &golden["mean"], 1e-12);
        assert_eq!(figure.n_groups_left_out as u64, whole(&golden["n_left_out"]));
    }
}
