//! references.json: reproducible target references and their convergence.

use super::inputs::{labels, trials};
use super::*;
use crate::prelude::*;

#[test]
fn references() {
    let goldens = golden("references.json");
    assert!(goldens.as_object().unwrap().len() >= 8);
    for (name, golden) in goldens.as_object().unwrap() {
        let trials = trials(&golden["trials_recipe"]);
        let pool = Pool::new(integers(&golden["pool"]), integer_lists(&golden["inner_folds"]));
        let (pool, labels) = (pool.unwrap(), labels(&golden["labels"]));
        let reference = reference(&trials, &pool, labels.clone());
        check(name, &reference, golden);
        let half = self::reference(&trials, &pool, labels[..labels.len() / 2].to_vec());
        if !reference.weights.is_empty() {
            let similarity = half.similarity(&reference).unwrap();
            let expected = &golden["half_similarity"];
            assert_near_or_none(name, Some(similarity.soft), &expected["soft"]);
            if !expected["hard"].is_null() {
                assert_near(name, similarity.hard, &expected["hard"]);
            }
        }
        axes(name, &reference, &golden["axes"]);
    }
}

pub(crate) fn reference(trials: &Trials, pool: &Pool, labels: Vec<Vec<u8>>) -> TargetReference {
    let partitions = Partitions::new(labels, trials).unwrap();
    TargetReference::new(trials, pool, &partitions, &ReferenceOptions::default()).unwrap()
}

/// Compares what every reference of the goldens has.
pub(crate) fn check(name: &str, reference: &TargetReference, golden: &Value) {
    let selections = list(&golden["selections"]);
    let found = reference.selections.iter().zip(&reference.ranks);
    let found = found.flat_map(|(selections, ranks)| selections.iter().zip(ranks));
    assert_eq!(selections.len(), 2 * reference.n_partitions(), "{name}");
    for (fit, ((selection, &rank), expected)) in found.zip(selections).enumerate() {
        let found = [selection.rank as f64, selection.alpha, rank as f64];
        assert_eq!(found.to_vec(), numbers(expected), "{name} fit {fit}");
    }
    let soft = weighted(&reference.directions, &reference.weights);
    assert_matrix(&format!("{name} matrix"), &soft, &golden["matrix"]);
    let mut weights = reference.weights.clone();
    weights.resize(reference.n_voxels(), 0.0);
    assert_all_near(&format!("{name} weights"), &weights, &golden["weights"]);
    assert_near_or_none(&format!("{name} effective rank"), reference.effective_rank(), &golden["effective_rank"]);
    if !golden["consensus"].is_null() {
        let basis = reference.consensus_basis().unwrap();
        assert_projector(&format!("{name} consensus"), &basis, &golden["consensus"]);
    }
    for (place, expected) in list(&golden["convergence"]).iter().enumerate() {
        let what = format!("{name} convergence {}", place + 1);
        let partitions: Vec<usize> = (0..=place).collect();
        let found = reference.convergence_of(&partitions).unwrap();
        assert_near_or_none(&what, found.coverage, &expected["coverage"]);
        assert_near_or_none(&what, found.purity, &expected["purity"]);
        if !reference.weights.is_empty() {
            assert_near_or_none(&what, found.rank_ratio, &expected["rank_ratio"]);
        }
    }
}

/// Compares how the first two axes of the voxel space cover the reference.
fn axes(name: &str, reference: &TargetReference, golden: &Value) {
    let n_voxels = reference.n_voxels();
    let basis = Matrix::from_fn(n_voxels, 2, |row, column| f64::from(u8::from(row == column)));
    let profile = match FoldProfile::new(reference, &basis, n_voxels).unwrap() {
        Ok(profile) => profile,
        Err(_) => {
            assert!(reference.weights.is_empty());
            return;
        }
    };
    if let Some(expected) = golden.get("dir_cov") {
        let n = list(expected).len();
        assert_all_near(&format!("{name} DirCov"), &profile.directional[..n], expected);
        assert_all_near(&format!("{name} TopKCov"), &profile.top_k, &golden["top_k_cov"]);
        let profile = Profile::of_folds(std::slice::from_ref(&profile)).unwrap();
        let means = [5, 10, 20].map(|k| profile.mean(k).unwrap());
        assert_all_near(&format!("{name} means"), &means, &golden["profile_means"]);
    }
    if let Some(expected) = golden.get("full_ref_cov") {
        assert_near(&format!("{name} FullRefCov"), profile.full, expected);
    }
}
