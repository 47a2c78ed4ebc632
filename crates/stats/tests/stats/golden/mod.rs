//! Reading the goldens of `reference/meta_statistics.py`.

use neurogauge_core::Direction;
use neurogauge_stats::meta::*;
use neurogauge_stats::*;
use serde_json::Value;

pub(crate) fn read(name: &str) -> Value {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../reference/golden/");
    let text = std::fs::read_to_string(format!("{folder}{name}")).expect(name);
    serde_json::from_str(&text).expect(name)
}

pub(crate) fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

pub(crate) fn whole(value: &Value) -> u64 {
    value.as_u64().expect("a whole number")
}

/// Equal to the golden, relative to its size where that exceeds 1.
pub(crate) fn close(found: f64, golden: &Value, tolerance: f64) {
    let expected = number(golden);
    let off = (found - expected).abs();
    assert!(off <= tolerance * expected.abs().max(1.0), "{found:?} is off {expected:?} by {off:e}");
}

/// ICC and alpha of a survey against the script's output.
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
    // Relative: p values of real surveys are as small as 1e-300.
    assert!((icc.p_value - p).abs() <= 1e-11 * p, "{}: p = {:e} is not {p:e}", icc.form.label(), icc.p_value);
    let (low, high) = icc.interval.expect("an interval");
    close(low, &golden["low"], 1e-12);
    close(high, &golden["high"], 1e-12);
}

/// Means over groups against the script's output; `labels` name the group of each item.
pub(crate) fn check_means_over_groups((metric, human): (&[f64], &[f64]), labels: &[String], case: &Value) {
    let column = MetricColumn {
        name: "metric".into(),
        direction: Direction::Higher,
        scores: metric.iter().copied().map(Some).collect(),
    };
    // Two identical raters: their mean equals each one's rating.
    let twice = human.iter().flat_map(|&value| [Some(value); 2]).collect();
    let options = MetaOptions {
        bootstrap: BootstrapOptions {
            resamples: 1,
            ..BootstrapOptions::default()
        },
        permutations: 1,
        ..MetaOptions::default()
    };
    let grouping = Grouping::new("group", labels).expect("few items");
    let ratings = Ratings::new(2, twice).expect("two raters");
    let found = evaluate_metrics_within(&ratings, (&[grouping], None), &[column], &options);
    let found = &found.expect("a result").metrics[0].grouped[0];
    for figure in &found.statistics {
        let value = figure.estimate.value.clone().expect("a value");
        if figure.estimate.statistic == Statistic::CalibratedAccuracy {
            // Exact: the same running mean.
            assert_eq!(value, number(&case["calibrated"]["accuracy"]));
            assert_eq!(found.epsilon, case["calibrated"]["epsilon"].as_f64());
            continue;
        }
        let golden = &case["means"][figure.estimate.statistic.id()];
        close(value, &golden["mean"], 1e-12);
        assert_eq!(figure.n_groups_left_out as u64, whole(&golden["n_left_out"]));
    }
}
