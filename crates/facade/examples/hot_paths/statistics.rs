//! Intervals, tests and agreement.

use crate::inputs::{defined, outcomes, paired_rows, uniform};
use crate::{Failure, HotPath, Work};
use neurogauge::core::{Direction, Outcome};
use neurogauge::stats::{
    BootstrapOptions, Measurement, PairedTest, Ratings, Similarity, TieCalibration, average_ranks, compare_systems,
    estimate, kendall_tau_b, krippendorff_alpha, sign_flip_test, similarities,
};

pub(crate) const PATHS: &[HotPath] = &[
    ("bootstrap-studentised", bootstrap),
    ("sign-flip-test", sign_flips),
    ("comparison-of-systems", systems),
    ("kendall-tau-b", kendall),
    ("ranks", ranks),
    ("tie-calibration", ties),
    ("krippendorff-alpha", agreement),
    ("similarities", products),
];

fn options() -> BootstrapOptions {
    BootstrapOptions {
        resamples: 500,
        ..BootstrapOptions::default()
    }
}

fn bootstrap() -> Result<Work, Failure> {
    let column = outcomes("column", 500);
    Ok(Box::new(move || defined(estimate(&[&column], &options())?.value)))
}

fn sign_flips() -> Result<Work, Failure> {
    let differences: Vec<f64> = uniform("differences", 60).iter().map(|d| d - 0.4).collect();
    Ok(Box::new(move || {
        Ok(sign_flip_test(&differences, 1, &options())?.ok_or("60 differences are enough")?.p_value)
    }))
}

fn systems() -> Result<Work, Failure> {
    let systems: Vec<Vec<Outcome>> = (0..6).map(|system| outcomes(&format!("system {system}"), 100)).collect();
    Ok(Box::new(move || {
        let columns: Vec<Vec<&[Outcome]>> = systems.iter().map(|s| vec![s.as_slice()]).collect();
        let test = (PairedTest::SignFlip, 1);
        Ok(compare_systems(&columns, Direction::Higher, test, &options())?.differences.len() as f64)
    }))
}

fn kendall() -> Result<Work, Failure> {
    let (x, y) = (uniform("x", 5000), uniform("y", 5000));
    Ok(Box::new(move || defined(kendall_tau_b(&x, &y)?)))
}

fn ranks() -> Result<Work, Failure> {
    let values = uniform("values", 20_000);
    Ok(Box::new(move || Ok(average_ranks(&values)?[0])))
}

fn ties() -> Result<Work, Failure> {
    let metric = uniform("metric", 300);
    let human: Vec<f64> = (uniform("human", 300).iter()).map(|score| (score * 5.0).floor()).collect();
    Ok(Box::new(move || {
        let calibration = defined(TieCalibration::new(&metric)?)?;
        Ok(defined(calibration.best(&human)?)?.epsilon)
    }))
}

fn agreement() -> Result<Work, Failure> {
    let values = uniform("ratings", 500 * 10);
    let given = |v: f64| (v > 0.1).then_some((v * 5.0).floor());
    let ratings = Ratings::new(10, values.iter().map(|&v| given(v)).collect())?;
    Ok(Box::new(move || defined(krippendorff_alpha(&ratings, Measurement::Interval))))
}

fn products() -> Result<Work, Failure> {
    let (x, y) = paired_rows(100, 512);
    Ok(Box::new(move || {
        let x: Vec<&[f32]> = x.iter().map(Vec::as_slice).collect();
        let y: Vec<&[f32]> = y.iter().map(Vec::as_slice).collect();
        Ok(similarities(&x, &y, Similarity::Cosine)?.get(3, 4))
    }))
}
