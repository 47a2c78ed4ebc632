//! The interval of `retrieve`'s expectation over items, each of which searches for its counterpart among all.

use super::populations::Draws;
use super::rates::{Rate, Rates, holds, rates, write_part};
use crate::support::*;
use neurogauge_stats::u_statistic::IdentificationScores;

/// How embeddings of the brain and of the image are related: eight features, with noise of this standard deviation;
/// their own is 1.
const DECODERS: [(&str, f64); 2] =
    [("a good decoder (8 features, noise 0.5)", 0.5), ("a poor decoder (8 features, noise 1.5)", 1.5)];
const N_FEATURES: usize = 8;

/// Each item's expectation and pseudo-value, from brain to image.
fn expected(noise: f64, n: usize, candidates: usize, draws: &mut Draws) -> (Vec<Outcome>, Vec<Outcome>) {
    let mut brain: Vec<Vec<f32>> = Vec::new();
    let mut image: Vec<Vec<f32>> = Vec::new();
    for _ in 0..n {
        let own: Vec<f64> = (0..N_FEATURES).map(|_| draws.normal()).collect();
        brain.push(own.iter().map(|value: &f64| (value + noise * draws.normal()) as f32).collect());
        image.push(own.iter().map(|value| *value as f32).collect());
    }
    let pairs: Vec<(&[f32], &[f32])> = (brain.iter().map(Vec::as_slice)).zip(image.iter().map(Vec::as_slice)).collect();
    let options = RetrievalOptions {
        candidates,
        repeats: 1,
        ..RetrievalOptions::default()
    };
    let found = retrieve(&pairs, &options).unwrap().forward;
    let outcomes = found.expected.into_iter().map(Ok).collect();
    (outcomes, found.pseudo_values)
}

/// The expectation over all sets of items: the mean of many experiments, which is unbiased.
fn truth(noise: f64, n: usize, candidates: usize, n_experiments: usize) -> f64 {
    let mean = |experiment: usize| {
        let (found, _) = expected(noise, n, candidates, &mut Draws::of(31, experiment));
        found.iter().flatten().sum::<f64>() / n as f64
    };
    (0..n_experiments).into_par_iter().map(mean).collect::<Vec<_>>().iter().sum::<f64>() / n_experiments as f64
}

fn coverage(noise: f64, n: usize, candidates: usize, n_experiments: usize) -> Rate {
    let truth = truth(noise, n, candidates, 4 * n_experiments);
    let items: Vec<usize> = (0..n).collect();
    let experiment = |experiment: usize| {
        let draws = &mut Draws::of(37, experiment);
        let (found, pseudo) = expected(noise, n, candidates, draws);
        let options = BootstrapOptions::default();
        let estimate = estimate_of_stimuli(IdentificationScores::of(&found, &pseudo), &items, (0.0, 1.0), &options);
        [holds(estimate.unwrap().interval, truth)]
    };
    let [rate] = rates(n_experiments, experiment);
    rate
}

#[test]
fn intervals_of_retrieval_cover_what_they_say() {
    for (name, noise) in DECODERS {
        coverage(noise, 30, 10, 400).assert_at_least(0.92, name);
    }
}

#[test]
#[ignore = "minutes; make calibration"]
fn table_of_retrieval() {
    const NS: [usize; 4] = [10, 30, 100, 1000];
    const CANDIDATES: [usize; 4] = [5, 10, 30, 300];
    const N_EXPERIMENTS: [usize; 4] = [3_000, 2_000, 1_000, 150];
    let title = "95% intervals of the expectation (top 1; among 5, 10, 30 and 300 candidates) that hold what other items and other \
                 candidates of the same kind would give, in %.";
    let mut table = Rates::new(title, &NS);
    for (name, noise) in DECODERS {
        let of = |place: usize| coverage(noise, NS[place], CANDIDATES[place], N_EXPERIMENTS[place]);
        let rates: Vec<Rate> = (0..NS.len()).map(of).collect();
        table.row(name, &rates);
    }
    // The jackknife counts the part of the variance from c items together about c (n - 1) / (n - c) times.
    const N: usize = 100;
    const SHARES: [usize; 4] = [10, 50, 90, 100];
    let names = SHARES.map(|share| format!("{share} of 100 items drawn"));
    let mut shares = Rates::named("The same of 100 items by how many are drawn at once.", &names);
    for (name, noise) in DECODERS {
        let rates = SHARES.map(|candidates| coverage(noise, N, candidates, 1_000));
        shares.row(name, &rates);
    }
    write_part("retrieval", &(table.text() + &shares.text()));
}
