//! The interval that `retrieve` gives to its expectation: over items, among which each looks for its own.

use crate::page::{Rate, Rates, write_part};
use crate::populations::Draws;
use neurogauge_core::{Outcome, Seed};
use neurogauge_stats::{BootstrapOptions, estimate};
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

type Embeddings = Vec<Vec<f64>>;

/// Embeddings of the brain and of the images, all of length 1.
fn embeddings(decoder: &Decoder, n: usize, draws: &mut Draws) -> (Embeddings, Embeddings) {
    let unit = |mut row: Vec<f64>| {
        let length = row.iter().map(|value| value * value).sum::<f64>().sqrt();
        row.iter_mut().for_each(|value| *value /= length);
        row
    };
    let pairs = (0..n).map(|_| {
        let image: Vec<f64> = (0..decoder.n_features).map(|_| draws.normal()).collect();
        let noisy = |value: &f64| value + decoder.noise * draws.normal();
        let brain = image.iter().map(noisy).collect();
        (unit(brain), unit(image))
    });
    pairs.unzip()
}

/// How many other images are more similar to a brain embedding than its own.
fn n_more_similar(item: usize, brain: &Embeddings, image: &Embeddings) -> usize {
    let similarity = |other: &Vec<f64>| -> f64 {
        let products = brain[item].iter().zip(other).map(|(a, b)| a * b);
        products.sum()
    };
    let own = similarity(&image[item]);
    image.iter().filter(|other| similarity(other) > own).count()
}

/// The probability that none of so many candidates is among those that are more similar, by drawing without replacement.
fn success(n: usize, n_more: usize, candidates: usize) -> f64 {
    let factor =
        |drawn: usize| (n - 1 - drawn).saturating_sub(n_more) as f64 / (n - 1 - drawn) as f64;
    (0..candidates - 1).map(factor).product()
}

/// For each item of an experiment the probability that it is found.
fn expected(decoder: &Decoder, n: usize, candidates: usize, draws: &mut Draws) -> Vec<Outcome> {
    let (brain, image) = embeddings(decoder, n, draws);
    let of_item = |item: usize| Ok(success(n, n_more_similar(item, &brain, &image), candidates));
    (0..n).map(of_item).collect()
}

/// The expectation over all sets of items, by the mean of many experiments, which is unbiased.
fn truth(decoder: &Decoder, n: usize, candidates: usize, n_experiments: usize) -> f64 {
    let mean = |experiment: usize| {
        let found = expected(decoder, n, candidates, &mut Draws::of(31, experiment));
        found.iter().flatten().sum::<f64>() / n as f64
    };
    let means: Vec<f64> = (0..n_experiments).into_par_iter().map(mean).collect();
    means.iter().sum::<f64>() / n_experiments as f64
}

fn coverage(decoder: &Decoder, n: usize, candidates: usize, n_experiments: usize) -> Rate {
    let truth = truth(decoder, n, candidates, 4 * n_experiments);
    let experiment = |experiment: usize| {
        let found = expected(decoder, n, candidates, &mut Draws::of(37, experiment));
        let options = BootstrapOptions {
            resamples: 500,
            seed: Seed(experiment as u64),
            ..BootstrapOptions::default()
        };
        let (low, high) = estimate(&[&found], &options).unwrap().interval?;
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
        let of =
            |place: usize| coverage(decoder, NS[place], CANDIDATES[place], N_EXPERIMENTS[place]);
        let rates: Vec<Rate> = (0..NS.len()).map(of).collect();
        table.row(decoder.name, &NS, &rates, (93.0, 97.0));
    }
    write_part("retrieval", &table.text());
}
