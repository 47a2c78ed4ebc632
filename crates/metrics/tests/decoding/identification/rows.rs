//! Rows of features like those of reference/identification.py, and their scores.

use crate::support::*;

pub(crate) const N_PAIRS: usize = 45;
pub(crate) const N_POOL: usize = 70;
const N_FEATURES: usize = 300;

pub(crate) type Rows = Vec<Vec<f32>>;

/// The same as `features` of reference/identification.py.
pub(crate) fn features(name: &str, n_rows: usize) -> Rows {
    let (common, own) = (Synthetic::new("common", 0), Synthetic::new(name, 0));
    let value = |row: usize, feature: usize| {
        0.5 * common.uniform(feature as u64) + 0.5 * own.uniform((row * N_FEATURES + feature) as u64)
    };
    (0..n_rows).map(|row| (0..N_FEATURES).map(|f| value(row, f)).collect()).collect()
}

/// The same as `reconstructions` of that script.
pub(crate) fn reconstructions(gt: &Rows, weight: f32) -> Rows {
    let noise = Synthetic::new("noise", 0);
    let value =
        |row: usize, f: usize| weight * gt[row][f] + (1.0 - weight) * noise.uniform((row * N_FEATURES + f) as u64);
    (0..gt.len()).map(|row| (0..N_FEATURES).map(|f| value(row, f)).collect()).collect()
}

pub(crate) fn pairs<'a>(gt: &'a Rows, recon: &'a Rows) -> Vec<(&'a [f32], &'a [f32])> {
    let recon = recon.iter().map(Vec::as_slice);
    gt.iter().map(Vec::as_slice).zip(recon).collect()
}

pub(crate) fn identified(
    gt: &Rows,
    recon: &Rows,
    pool: Option<&Rows>,
    options: &IdentificationOptions,
) -> Identification {
    let pool: Option<Vec<&[f32]>> = pool.map(|rows| rows.iter().map(Vec::as_slice).collect());
    identify(&pairs(gt, recon), pool.as_deref(), options).unwrap()
}

pub(crate) fn values(identification: &Identification) -> Vec<f64> {
    identification.outcomes.iter().map(|outcome| outcome.clone().unwrap()).collect()
}

pub(crate) fn small(rows: &[[f32; 3]]) -> Rows {
    rows.iter().map(|row| row.to_vec()).collect()
}

pub(crate) const STIMULUS: IdentificationOptions = IdentificationOptions {
    direction: IdentificationDirection::Stimulus,
    ties: Ties::Lose,
    n_way: 2,
    top_k: 1,
    draws: Draws::Exact,
    subtract_own: false,
};
