//! Fixed and simulated surveys.

use crate::support::*;

pub(crate) fn few(resamples: usize) -> MetaOptions {
    seed_options(resamples, 50)
}

/// A survey with known rater noise, and metrics that are the truth plus some noise.
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
        metric(&format!("m{m}"), (0..n).map(score))
    });
    (ratings(n_raters as usize, values), metrics.collect())
}

pub(crate) fn value(result: &MetaResult, m: usize, statistic: Statistic) -> f64 {
    result.metrics[m].statistics[statistic as usize].value.clone().unwrap()
}

/// Compares intervals and p values of two metrics and their difference with a case of `reference/meta_intervals.py` or
/// `reference/meta_stimuli.py`.
pub(crate) fn check_inference(found: &MetaResult, case: &Value) {
    let difference = &found.differences[0].statistics;
    for statistic in Statistic::ALL {
        let (s, id) = (statistic as usize, statistic.id());
        let figures = || found.metrics.iter().map(|metric| &metric.statistics[s]);
        let difference = &difference[s];
        let pairs = &case["pairs"][id];
        if pairs.is_object() {
            let (lowest, highest) = match statistic {
                Statistic::Accuracy | Statistic::AccuracyOverUntied => (0.0_f64, 1.0),
                _ => (-1.0, 1.0),
            };
            // The script's derivatives are numerical.
            let around = |value: &Outcome, reach: &Value, (lowest, highest): (f64, f64)| {
                let (value, reach) = (value.clone().unwrap(), number(reach));
                [(value - reach).max(lowest), (value + reach).min(highest)]
            };
            for (figure, reach) in figures().zip(list(&pairs["reach"])) {
                near_ends(figure.interval, around(&figure.value, reach, (lowest, highest)), 1e-8);
            }
            let range = (lowest - highest, highest - lowest);
            near_ends(difference.interval, around(&difference.value, &pairs["difference_reach"], range), 1e-8);
        }
        let correlations = &case["correlations"][id];
        if correlations.is_object() {
            for (figure, ends) in figures().zip(list(&correlations["intervals"])) {
                near_golden(figure.interval, ends, 1e-11);
            }
            near_golden(difference.interval, &correlations["difference"], 1e-11);
            near(difference.p_value.unwrap(), number(&correlations["difference_p"]), 1e-9);
        }
    }
}
