//! Numbers, words and images that inputs are made of.

use crate::Failure;
use neurogauge::core::synthetic::Synthetic;
use neurogauge::core::{Image, Outcome, Undefined};

/// What is undefined is a failure here.
pub(crate) fn defined<T>(found: Result<T, Undefined>) -> Result<T, Failure> {
    found.map_err(|reason| reason.to_string().into())
}

/// From 0 to 1.
pub(crate) fn uniform(name: &str, n: usize) -> Vec<f64> {
    let noise = Synthetic::new(name, 0);
    (0..n as u64).map(|i| f64::from(noise.uniform(i))).collect()
}

/// From -0.5 to 0.5.
pub(crate) fn centred(name: &str, n: usize) -> Vec<f32> {
    let noise = Synthetic::new(name, 0);
    (0..n as u64).map(|i| noise.uniform(i) - 0.5).collect()
}

pub(crate) fn outcomes(name: &str, n: usize) -> Vec<Outcome> {
    uniform(name, n).into_iter().map(Ok).collect()
}

/// `n_rows` rows of `n_features` values, and rows that are like them.
pub(crate) fn paired_rows(n_rows: usize, n_features: usize) -> (Vec<Vec<f32>>, Vec<Vec<f32>>) {
    let rows = |name: &str| centred(name, n_rows * n_features);
    let (gt, noise) = (rows("rows"), rows("noise"));
    let recon: Vec<f32> = gt.iter().zip(&noise).map(|(a, b)| a + 2.0 * b).collect();
    let split = |values: &[f32]| values.chunks(n_features).map(<[f32]>::to_vec).collect();
    (split(&gt), split(&recon))
}

/// Waves with some noise, in levels of 8 bits.
pub(crate) fn image_u8(name: &str, size_px: usize) -> Image<u8> {
    let noise = Synthetic::new(name, 0);
    let level = |index: usize| {
        let (pixel, channel) = (index / 3, index % 3);
        let (x, y) = (pixel % size_px, pixel / size_px);
        let wave = ((x * (channel + 2) + 3 * y) as f64 / 17.0).sin();
        (120.0 + 80.0 * wave) as u8 + noise.byte(index as u64) / 8
    };
    let levels = (0..size_px * size_px * 3).map(level).collect();
    Image::new(size_px, size_px, levels).unwrap_or_else(|_| unreachable!("three channels"))
}

pub(crate) fn image(name: &str, size_px: usize) -> Image<f32> {
    image_u8(name, size_px).to_unit_float()
}

const WORDS: [&str; 24] = [
    "a",
    "the",
    "man",
    "woman",
    "dogs",
    "running",
    "on",
    "in",
    "green",
    "grass",
    "near",
    "two",
    "small",
    "boats",
    "with",
    "red",
    "sails",
    "standing",
    "street",
    "at",
    "night",
    "holding",
    "umbrellas",
    "trains",
];

/// Sentences of six to thirteen words.
pub(crate) fn sentences(name: &str, n: usize) -> Vec<String> {
    let noise = Synthetic::new(name, 0);
    let sentence = |index: usize| {
        let at = |word: usize| noise.bits((index * 16 + word) as u64) as usize;
        let n_words = 6 + at(15) % 8;
        let words: Vec<&str> = (0..n_words).map(|w| WORDS[at(w) % WORDS.len()]).collect();
        words.join(" ") + "."
    };
    (0..n).map(sentence).collect()
}
