//! Simulated surveys.

use crate::support::*;

pub(crate) fn few(resamples: usize) -> MetaOptions {
    seed_options(resamples, 2)
}

/// Raters near the truth, and metrics that mix the truth (`share`) with noise.
pub(crate) fn simulated(n: u64, n_raters: u64, shares: &[f32]) -> (Ratings, Vec<MetricColumn>) {
    simulation(3, n, n_raters, shares)
}

pub(crate) fn simulation(seed: u64, n: u64, n_raters: u64, shares: &[f32]) -> (Ratings, Vec<MetricColumn>) {
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
        let score = |item| f64::from(share * truth.uniform(item) + (1.0 - share) * own.uniform(item));
        metric(&format!("m{m}"), (0..n).map(score))
    });
    (ratings, metrics.collect())
}

pub(crate) fn composite(parts: &[usize]) -> Composite {
    Composite {
        name: "all".into(),
        parts: parts.to_vec(),
    }
}

pub(crate) fn combine(
    survey: &(Ratings, Vec<MetricColumn>),
    composites: &[Composite],
    scaling: Scaling,
) -> CombinationResult {
    let options = CombinationOptions {
        scaling,
        ..CombinationOptions::default()
    };
    combine_metrics((&survey.0, None), &survey.1, composites, &few(40), &options).unwrap()
}
