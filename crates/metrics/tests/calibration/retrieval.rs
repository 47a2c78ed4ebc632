//! `retrieve`'s interval of its expectation: over items, among which each searches for its counterpart.

use super::page::{Rate, Rates, write_part};
use super::populations::Draws;
use neurogauge_core::Outcome;
use neurogauge_metrics::decoding::retrieval::{RetrievalOptions, retrieve};
use neurogauge_stats::BootstrapOptions;
use neurogauge_stats::u_statistic::{IdentificationScores, estimate_of_stimuli};
use rayon::prelude::*;

/// How embeddings of the brain and of the image belong together.
struct Decoder {
    name: &'static str,
    n_features: usize,
    /// Standard deviation of the noise of each feature, whose own is 1.
    noise: f64,
}

const DECODERS: [Decoder; 2] = [
    Decoder {
        name: "a good decoder (8 features, noise 0.5)",
        n_features: 8,
        noise: 0.5,
    },
    Decoder {
        name: "a poor decoder (8 features, noise 1.5)",
        n_features: 8,
        noise: 1.5,
    },
];

/// Each item's expectation with its pseudo-value, of brain to image.
fn expected(decoder: &Decoder, n: usize, candidates: usize, draws: &mut Draws) -> (Vec<Outcome>, Vec<Outcome>) {
    let mut brain: Vec<Vec<f32>> = Vec::new();
    let mut image: Vec<Vec<f32>> = Vec::new();
    for _ in 0..n {
        let own: Vec<f64> = (0..decoder.n_features).map(|_| draws.normal()).collect();
        let noisy = |value: &f64| (value + decoder.noise * draws.normal()) as f32;
        brain.push(own.iter().map(noisy).collect());
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

/// The expectation over all sets of items, by the mean of many experiments, which is unbiased.
fn truth(decoder: &Decoder, n: usize, candidates: usize, n_experiments: usize) -> f64 {
    let mean = |experiment: usize| {
        let (found, _) = expected(decoder, n, candidates, &mut Draws::of(31, experiment));
        found.iter().flatten().sum::<f64>() / n as f64
    };
    let means: Vec<f64> = (0..n_experiments).into_par_iter().map(mean).collect();
    means.iter().sum::<f64>() / n_experiments as f64
}

fn coverage(decoder: &Decoder, n: usize, candidates: usize, n_experiments: usize) -> Rate {
    let truth = truth(decoder, n, candidates, 4 * n_experiments);
    let items: Vec<usize> = (0..n).collect();
    let experiment = |experiment: usize| {
        let draws = &mut Draws::of(37, experiment);
        let (found, pseudo) = expected(decoder, n, candidates, draws);
        let options = BootstrapOptions::default();
        let estimate = estimate_of_stimuli(IdentificationScores::of(&found, &pseudo), &items, (0.0, 1.0), &options);
        let (low, high) = estimate.unwrap().interval?;
        Some(low <= truth && truth <= high)
    };
    let all: Vec<Option<bool>> = (0..n_experiments).into_par_iter().map(experiment).collect();
    Rate::of(&all)
}

#[test]
fn intervals_of_retrieval_cover_what_they_say() {
    for decoder in &DECODERS {
        let rate = coverage(decoder, 30, 10, 400);
        let bound = 0.92 - 4.0 * rate.standard_error(0.92);
        assert!(rate.share() >= bound, "{}: {rate:?}", decoder.name);
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
    let mut table = Rates::new(title, "embeddings", &NS);
    for decoder in &DECODERS {
        let of = |place: usize| coverage(decoder, NS[place], CANDIDATES[place], N_EXPERIMENTS[place]);
        let rates: Vec<Rate> = (0..NS.len()).map(of).collect();
        table.row(decoder.name, &NS, &rates, (93.0, 97.0));
    }
    // The jackknife counts a part of the variance that c items make together about c (n - 1) / (n - c) times.
    const N: usize = 100;
    const SHARES: [usize; 4] = [10, 50, 90, 100];
    let names = SHARES.map(|share| format!("{share} of 100 items drawn"));
    let mut shares = Rates::named("The same of 100 items by how many are drawn at once.", "embeddings", &names);
    for decoder in &DECODERS {
        let rates = SHARES.map(|candidates| coverage(decoder, N, candidates, 1_000));
        shares.row(decoder.name, &[N; 4], &rates, (93.0, 97.0));
    }
    write_part("retrieval", &(table.text() + &shares.text()));
}
