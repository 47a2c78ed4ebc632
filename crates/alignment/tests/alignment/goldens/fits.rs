//! fits.json: one source, one target, one outer fold.

use super::inputs::{matrix, single_fold, unit};
use super::*;
use crate::prelude::*;

#[test]
fn fits() {
    let goldens = golden("fits.json");
    assert!(goldens.as_object().unwrap().len() >= 12);
    for (name, golden) in goldens.as_object().unwrap() {
        check(name, golden);
    }
}

fn check(name: &str, golden: &Value) {
    let (features, responses) = (matrix(&golden["source_recipe"]), matrix(&golden["target_recipe"]));
    let plan = single_fold(golden);
    let source = PreparedSource::new(name, &features, &plan, 0).unwrap();
    let target = PreparedTarget::new(&unit(), &responses, &plan, 0).unwrap();
    let scores = cross_validate(&source, &target, &SubspaceOptions::default()).unwrap();
    let means = list(&golden["selection"]["mean"]);
    assert_eq!(scores.max_rank(), means.len(), "{name}");
    for (rank, means) in means.iter().enumerate() {
        let found: Vec<f64> = (0..scores.alphas().len())
            .map(|alpha| scores.of(rank + 1, alpha))
            .map(|folds| folds.iter().sum::<f64>() / folds.len() as f64)
            .collect();
        assert_all_near(&format!("{name} scores of rank {}", rank + 1), &found, means);
    }
    let selection = scores.select().unwrap();
    assert_selection(name, &selection, &golden["selection"]);
    let subspace = fit(&source, &target, &selection).unwrap();
    assert_all_near(&format!("{name} strengths"), &subspace.strengths, &golden["strengths"]);
    assert_projector(&format!("{name} target"), &subspace.basis, &golden["target"]);
    let basis = SourceBasis::new(&source, &features, &subspace).unwrap();
    assert_projector(&format!("{name} source"), &basis.standardised, &golden["source"]);
    assert_projector(&format!("{name} original"), &basis.original, &golden["original"]);
    let blocks: Vec<_> = integer_lists(&golden["blocks"]).iter().map(|block| block[0]..block[1]).collect();
    match basis.block_use(&blocks).unwrap() {
        Some(shares) => assert_all_near(name, &shares, &golden["block_use"]),
        None => assert!(golden["block_use"].is_null(), "{name}"),
    }
    assert_near_or_none(name, source_effective_rank(&subspace), &golden["effective_rank"]);
    for rank in [2, 3] {
        let Some(golden) = golden["fixed_rank"].get(rank.to_string()) else {
            continue;
        };
        let selection = scores.select_alpha(rank).unwrap();
        let what = format!("{name} rank {rank}");
        assert_eq!(selection.rank as f64, number(&golden["k"]), "{what}");
        assert_eq!(selection.alpha, number(&golden["alpha"]), "{what}");
        let fixed = fit(&source, &target, &selection).unwrap();
        assert_projector(&what, &fixed.basis, &golden["target"]);
    }
    if golden.get("readout").is_some() {
        let readout = read_out(&source, &target, &subspace, &READOUT_ALPHAS).unwrap();
        assert_eq!(readout.alpha, number(&golden["readout"]["alpha"]), "{name}");
        assert_near(&format!("{name} accuracy"), readout.accuracy, &golden["accuracy"]);
    }
    if let Some(golden) = golden.get("auxiliary") {
        let options = AuxiliaryReadouts::options();
        let found = AuxiliaryReadouts::new(&source, &target, &options, &READOUT_ALPHAS).unwrap();
        assert_auxiliary(&format!("{name} auxiliary"), &found, golden);
    }
}
