//! `neurogauge align`: its figures, and a run without them.

use crate::support::{contains, folder, write};
use neurogauge::core::synthetic::Synthetic;
use neurogauge::formats::npy;
use std::path::Path;

const CONFIG: &str = r#"
[[targets]]
subject = "one"
hemisphere = "lh"
roi = "V1v"
trials = "trials.npy"
stimuli = "shown.npy"

[[sources]]
name = "alone"
features = ["features.npy"]

[settings]
outer_folds = 3
partitions = 2
prefixes = 5
resamples = 20
"#;

/// Thirty stimuli, each seen twice; the responses follow the features.
fn study(dir: &Path) {
    let (n, p, q) = (30_usize, 6_usize, 8_usize);
    let draw = |n: usize, seed: u64| -> Vec<f64> {
        let drawn = Synthetic::new("alignment", seed);
        (0..n as u64).map(|index| f64::from(drawn.uniform(index)) - 0.5).collect()
    };
    let features = draw(n * p, 1);
    let noise = draw(2 * n * q, 2);
    let response = |trial: usize, voxel: usize| {
        let signal = features[trial / 2 * p + voxel % 3] * (1.0 + voxel as f64);
        signal + 0.2 * noise[trial * q + voxel]
    };
    let trials: Vec<f64> = (0..2 * n)
        .flat_map(|trial| (0..q).map(move |voxel| (trial, voxel)))
        .map(|(trial, voxel)| response(trial, voxel))
        .collect();
    let shown: Vec<f64> = (0..2 * n).map(|trial| (trial / 2) as f64).collect();
    npy::write_f64(&dir.join("features.npy"), &[n as u64, p as u64], &features).unwrap();
    npy::write_f64(&dir.join("trials.npy"), &[2 * n as u64, q as u64], &trials).unwrap();
    npy::write_f64(&dir.join("shown.npy"), &[2 * n as u64], &shown).unwrap();
    write(&dir.join("study.toml"), CONFIG);
}

#[test]
fn figures_are_drawn_unless_they_are_not_wanted() {
    let dir = folder();
    study(dir.path());
    let align = "align --config study.toml --out out --null 2";
    let ran = dir.succeed(align);
    assert!(!ran.stderr.contains("warning"), "{ran}");
    for name in ["accuracy_profile", "recovery_curves", "reference", "source_diagnostics"] {
        contains(&dir.read(format!("out/figures/{name}.svg")), &["<svg"]);
        assert!(dir.bytes(format!("out/figures/{name}.png")).starts_with(b"\x89PNG"));
    }
    // One source, its null, and no source to compare it with.
    let curves = dir.read("out/figures/recovery_curves.svg");
    assert!(curves.contains("null, mean ± SD"), "{curves}");
    assert!(!curves.contains("other subjects"), "{curves}");

    dir.write("out/figures/mine.svg", "mine");
    dir.succeed(&format!("{align} --no-figures"));
    assert_eq!(dir.names("out/figures"), ["mine.svg"]);
}
