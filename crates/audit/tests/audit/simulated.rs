//! Decoders with known skill, on stimuli in simulated clusters.

use super::{line, normal, request, run, value, write};
use neurogauge::core::Seed;
use neurogauge_audit::{Audit, ClustersFrom};
use std::fmt::Write;
use std::path::Path;

const N_FEATURES: usize = 40;

/// The weights of a decoded stimulus's parts: its cluster's centre, its own deviation, and noise.
#[derive(Clone, Copy)]
struct Skill {
    own: f64,
    noise: f64,
}

/// An audit of a decoder on test stimuli of clusters of these sizes, with three times as many training stimuli.
fn audited(folder: &Path, sizes: &[usize], skill: Skill, seed: u64) -> Audit {
    let mut rng = Seed(seed).stream(0);
    let centres: Vec<Vec<f64>> =
        sizes.iter().map(|_| (0..N_FEATURES).map(|_| 3.0 * normal(&mut rng)).collect()).collect();
    let (mut train, mut test, mut decoded) = (Vec::new(), Vec::new(), Vec::new());
    let mut table = String::from("item,cluster\n");
    let (mut n_train, mut n_test) = (0, 0);
    for (cluster, &size) in sizes.iter().enumerate() {
        for _ in 0..3 * size {
            train.extend(centres[cluster].iter().map(|centre| centre + normal(&mut rng)));
            writeln!(table, "t{n_train},c{cluster}").unwrap();
            n_train += 1;
        }
        for _ in 0..size {
            for centre in &centres[cluster] {
                let own = normal(&mut rng);
                test.push(centre + own);
                decoded.push(centre + skill.own * own + skill.noise * normal(&mut rng));
            }
            writeln!(table, "s{n_test},c{cluster}").unwrap();
            n_test += 1;
        }
    }
    let clusters = folder.join("clusters.csv");
    std::fs::write(&clusters, table).unwrap();
    let mut request = request(folder, N_FEATURES, true, [&train, &test]);
    request.decoded = Some(write(folder, "decoded", Some("s"), N_FEATURES, &decoded));
    request.clusters = ClustersFrom::File(clusters);
    run(&request)
}

/// A decoder that knows the cluster alone has the accuracy of the closed form, and chance within clusters; the interval
/// of the latter contains one half in about 95% of simulations.
#[test]
fn a_classifier_has_the_closed_form_and_chance_within_clusters() {
    let dir = tempfile::tempdir().unwrap();
    let knows_cluster = Skill { own: 0.0, noise: 0.5 };
    let sizes = [12, 8, 20, 5];
    let (mut all, mut within, mut held) = (0.0, 0.0, 0);
    let n = 60;
    for seed in 0..n {
        let found = audited(dir.path(), &sizes, knows_cluster, seed);
        let two_way = line(&found, "clusters", "2-way");
        let ceiling = two_way.compared_with.as_ref().unwrap().value;
        let expected: f64 = sizes.iter().map(|&m| m as f64 / 45.0 * (1.0 - (m - 1) as f64 / 88.0)).sum();
        assert!((ceiling - expected).abs() < 1e-12);
        all += value(&found, "clusters", "2-way") - ceiling;
        let inside = line(&found, "clusters", "two-way identification within");
        within += inside.estimate.value.clone().unwrap() - 0.5;
        let (low, high) = inside.estimate.interval.unwrap();
        held += usize::from(low <= 0.5 && 0.5 <= high);
    }
    let n = n as f64;
    assert!((all / n).abs() < 0.01, "{}", all / n);
    assert!((within / n).abs() < 0.02, "{}", within / n);
    // 95% of 60 is 57 with a standard error of 1.7.
    assert!((51..=60).contains(&held), "{held}");
}

#[test]
fn a_decoder_that_knows_more_than_the_cluster_is_above_chance_within_it() {
    let dir = tempfile::tempdir().unwrap();
    let found = audited(dir.path(), &[20; 4], Skill { own: 0.8, noise: 0.3 }, 1);
    let within = line(&found, "clusters", "two-way identification within").estimate.interval.unwrap();
    assert!(within.0 > 0.8, "{within:?}");
    let section = found.record.sections.iter().find(|section| section.id == "clusters").unwrap();
    assert!(section.answer.contains("better than chance"), "{}", section.answer);
    assert!(value(&found, "overlap", "share of reconstructions") < 0.1);
}

/// Reconstructions that are training stimuli are all copies, and never the first among the training stimuli.
#[test]
fn copies_of_training_stimuli_are_found() {
    let dir = tempfile::tempdir().unwrap();
    let mut rng = Seed(5).stream(0);
    let train: Vec<f64> = (0..200 * N_FEATURES).map(|_| normal(&mut rng)).collect();
    let test: Vec<f64> = (0..30 * N_FEATURES).map(|_| normal(&mut rng)).collect();
    let mut request = request(dir.path(), N_FEATURES, false, [&train, &test]);
    request.decoded = Some(write(dir.path(), "decoded", None, N_FEATURES, &train[..30 * N_FEATURES]));
    request.clusters = ClustersFrom::KMeans(3);
    let found = run(&request);
    assert_eq!(value(&found, "overlap", "share of reconstructions"), 1.0);
    assert_eq!(value(&found, "among_training", "top-1"), 0.0);
    let oracle = line(&found, "controls", "the same of the training stimulus nearest to the reconstruction");
    assert_eq!(oracle.estimate.value, line(&found, "controls", "two-way").estimate.value);
}

/// A decoder of two directions is called collapsed.
#[test]
fn outputs_of_few_directions_are_called_collapsed() {
    let dir = tempfile::tempdir().unwrap();
    let mut rng = Seed(6).stream(0);
    let mut random = |n: usize| -> Vec<f64> { (0..n * N_FEATURES).map(|_| normal(&mut rng)).collect() };
    let (train, test, axes) = (random(300), random(60), random(2));
    let decoded: Vec<f64> = test
        .chunks(N_FEATURES)
        .flat_map(|row| {
            let along = |axis: &[f64]| row.iter().zip(axis).map(|(a, b)| a * b).sum::<f64>();
            let (one, two) = (along(&axes[..N_FEATURES]), along(&axes[N_FEATURES..]));
            (0..N_FEATURES).map(move |f| (one, two, f)).collect::<Vec<_>>()
        })
        .map(|(one, two, f)| one * axes[f] + two * axes[N_FEATURES + f])
        .collect();
    let mut request = request(dir.path(), N_FEATURES, false, [&train, &test]);
    request.decoded = Some(write(dir.path(), "decoded", None, N_FEATURES, &decoded));
    let found = run(&request);
    assert_eq!(
        line(&found, "collapse", "effective rank of what was decoded").compared_with.as_ref().unwrap().value,
        2.0
    );
    let section = found.record.sections.iter().find(|section| section.id == "collapse").unwrap();
    assert!(section.answer.contains("collapsed"), "{}", section.answer);
    // Two of forty directions have a twentieth of the variance of independent features.
    let share = value(&found, "collapse", "share of the test stimuli's variance in the span of what");
    assert!((share - 0.05).abs() < 0.03, "{share}");
}
