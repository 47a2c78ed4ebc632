//! Surveys, given and simulated.

use neurogauge_core::Direction;
use neurogauge_core::synthetic::Synthetic;
use neurogauge_stats::meta::*;
use neurogauge_stats::*;

pub(crate) fn ratings(n_raters: usize, values: &[f64]) -> Ratings {
    // A negative number stands for a missing rating.
    let values = values.iter().map(|&v| (v >= 0.0).then_some(v)).collect();
    Ratings::new(n_raters, values).unwrap()
}

pub(crate) fn metric(name: &str, scores: &[f64]) -> MetricColumn {
    MetricColumn {
        name: name.into(),
        direction: Direction::Higher,
        scores: scores.iter().copied().map(Some).collect(),
    }
}

pub(crate) fn few(resamples: usize) -> MetaOptions {
    MetaOptions {
        bootstrap: BootstrapOptions {
            resamples,
            ..BootstrapOptions::default()
        },
        permutations: 50,
        ..MetaOptions::seed()
    }
}

/// A survey in which rater noise is known, and metrics that are the truth plus some noise.
pub(crate) fn simulated(n: u64, n_raters: u64, noises: &[f32]) -> (Ratings, Vec<MetricColumn>) {
    let truth = Synthetic::new("truth", 1);
    let rater_noise = Synthetic::new("raters", 1);
    let mut values = Vec::new();
    for item in 0..n {
        for rater in 0..n_raters {
            let noise = rater_noise.uniform(item * n_raters + rater) - 0.5;
            let opinion = 1.0 + 4.0 * truth.uniform(item) + 2.0 * noise;
            values.push(f64::from(opinion.round().clamp(1.0, 5.0)));
        }
    }
    let metrics = noises.iter().enumerate().map(|(m, noise)| {
        let own = Synthetic::new("metric", m as u64);
        let score = |item| f64::from(truth.uniform(item) + noise * (own.uniform(item) - 0.5));
        metric(&format!("m{m}"), &(0..n).map(score).collect::<Vec<f64>>())
    });
    (ratings(n_raters as usize, &values), metrics.collect())
}

pub(crate) fn value(result: &MetaResult, m: usize, statistic: Statistic) -> f64 {
    result.metrics[m].statistics[statistic as usize].value.clone().unwrap()
}
