//! Decoders whose reconstructions have a known quality.

use super::populations::Draws;

pub(crate) type Rows = Vec<Vec<f32>>;

/// How a stimulus is decoded.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Decoder {
    /// Features with noise of this standard deviation, while the stimuli's features have 1.
    Clean { n_features: usize, noise: f64 },
    /// Features shrunk to the mean, with noise: stimuli near the mean become the nearest of many (hubs).
    Hub { noise: f64 },
    /// The category and nothing else; 40 categories, with frequencies like those of words (Zipf).
    Category,
}

const HUB_FEATURES: usize = 30;
const CATEGORIES: usize = 40;
const CATEGORY_FEATURES: usize = 60;

/// The same numbers in every experiment.
fn fixed(seed: u64, which: usize, n: usize) -> Vec<f64> {
    let mut draws = Draws::of(seed, which);
    (0..n).map(|_| draws.normal()).collect()
}

impl Decoder {
    /// Features of stimuli from this decoder's population.
    pub(crate) fn stimuli(self, n: usize, draws: &mut Draws) -> Rows {
        let normal = |n: usize, draws: &mut Draws| -> Vec<f64> { (0..n).map(|_| draws.normal()).collect() };
        let of_pair = |_: usize| -> Vec<f64> {
            match self {
                Decoder::Clean { n_features, .. } => normal(n_features, draws),
                Decoder::Hub { .. } => {
                    let centre = fixed(1, 0, HUB_FEATURES);
                    let nearness = 0.7 * (1.0 + 0.5 * draws.normal());
                    let own = normal(HUB_FEATURES, draws);
                    own.iter().zip(centre).map(|(own, c)| own + nearness * c).collect()
                }
                Decoder::Category => {
                    let total: f64 = (1..=CATEGORIES).map(|rank| 1.0 / rank as f64).sum();
                    let mut left = draws.uniform() * total;
                    let is_this = |rank: &usize| {
                        left -= 1.0 / *rank as f64;
                        left < 0.0
                    };
                    let category = (1..=CATEGORIES).find(is_this).unwrap_or(CATEGORIES);
                    // The category is stored with the features, for the decoder.
                    let mut features = vec![category as f64];
                    features.extend(normal(CATEGORY_FEATURES, draws));
                    features
                }
            }
        };
        (0..n).map(of_pair).collect::<Vec<Vec<f64>>>().into_iter().map(|row| singles(&row)).collect()
    }

    pub(crate) fn decoded(self, stimuli: &Rows, draws: &mut Draws) -> Rows {
        let of_stimulus = |stimulus: &Vec<f32>| match self {
            Decoder::Clean { noise, .. } => noisy(stimulus, noise, draws),
            Decoder::Hub { noise } => {
                let centre = fixed(1, 0, HUB_FEATURES);
                let shrunk = stimulus.iter().zip(centre).map(|(value, c)| 0.5 * value + 0.5 * c as f32);
                noisy(&shrunk.collect::<Vec<f32>>(), noise, draws)
            }
            Decoder::Category => {
                let mut category = vec![stimulus[0]];
                category.extend(noisy(&[0.0; CATEGORY_FEATURES], 1.0, draws));
                category
            }
        };
        stimuli.iter().map(of_stimulus).collect()
    }

    /// Rows for the comparison: categories become features that are far apart.
    pub(crate) fn compared(self, rows: &Rows) -> Rows {
        let of_row = |row: &Vec<f32>| match self {
            Decoder::Category => {
                let centre = fixed(2, row[0] as usize, CATEGORY_FEATURES);
                row[1..].iter().zip(centre).map(|(own, c)| own + 3.0 * c as f32).collect()
            }
            _ => row.clone(),
        };
        rows.iter().map(of_row).collect()
    }
}

fn noisy(row: &[f32], noise: f64, draws: &mut Draws) -> Vec<f32> {
    row.iter().map(|value| value + (noise * draws.normal()) as f32).collect()
}

fn singles(row: &[f64]) -> Vec<f32> {
    row.iter().map(|value| *value as f32).collect()
}
