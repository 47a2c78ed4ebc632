//! `neurogauge score` for matrices that are not read into memory as a whole.

use crate::support::*;
use neurogauge::metrics::decoding::identification::{IdentificationOptions, identify};

/// More than two blocks of 32 MiB for both sides together.
const N_PAIRS: usize = 40;
const N_FEATURES: usize = 210_001;

/// Rows in a different order. Only a few features of one block distinguish a stimulus from the others, so that a lost
/// or shifted block would be detected.
fn write(side: &Path, name: &str, order: impl Fn(usize) -> usize) -> Features {
    let (common, noise) = (Synthetic::new("common", 0), Synthetic::new(name, 0));
    let stimuli: Vec<usize> = (0..N_PAIRS).map(order).collect();
    let row = |&stimulus: &usize| {
        let telling = stimulus * (N_FEATURES / N_PAIRS)..(stimulus + 1) * (N_FEATURES / N_PAIRS);
        let value = move |feature: usize| {
            let own = noise.uniform((stimulus * N_FEATURES + feature) as u64);
            let shift = if telling.contains(&feature) { 0.4 } else { 0.0 };
            common.uniform(feature as u64) + 3.0 * own + shift
        };
        (0..N_FEATURES).map(value).collect::<Vec<f32>>()
    };
    let data = stimuli.iter().flat_map(row).collect();
    let features = Features::new(stimuli.iter().map(usize::to_string).collect(), N_FEATURES, data).unwrap();
    features::write(&side.join("features"), "clip", &features).unwrap();
    features
}

#[test]
fn blocks_of_files_give_what_whole_matrices_give() {
    let dir = folder();
    let gt = write(&dir.path().join("gt"), "gt", |row| (row * 7) % N_PAIRS);
    let recon = write(&dir.path().join("recon"), "recon", |row| (row * 11 + 3) % N_PAIRS);
    let row = |of: &Features, stimulus: usize| {
        let id = stimulus.to_string();
        of.ids().iter().position(|known| *known == id).unwrap()
    };
    let pairs: Vec<(&[f32], &[f32])> = (0..N_PAIRS).map(|s| (gt.row(row(&gt, s)), recon.row(row(&recon, s)))).collect();
    let expected = identify(&pairs, None, &IdentificationOptions::default()).unwrap();
    let expected: Vec<f64> = expected.outcomes.into_iter().map(Result::unwrap).collect();
    assert!((2..N_PAIRS).contains(&expected.iter().filter(|&&share| share == 1.0).count()), "{expected:?}");
    for threads in ["1", "3"] {
        dir.succeed(&format!("score --observations . --metrics clip --threads {threads} --out run"));
        assert_eq!(dir.values("run", "clip"), expected);
        dir.remove("run");
    }
}
