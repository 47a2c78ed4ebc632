//! Against the independent implementation in reference/recovery/paper.py.

#![allow(clippy::unwrap_used)]

use super::*;
use neurogauge::align::{AlignConfig, SourceFiles, SourceState, UnitResult};
use neurogauge::alignment::study::unit_scores;
use serde_json::Value;
use std::path::Path;

fn golden() -> (Aligned, Value) {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reference/golden/recovery/paper.json");
    let golden: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let models = golden["models"].as_object().unwrap().iter();
    let sources = models.map(|(name, of)| SourceFiles {
        name: name.clone(),
        architecture: of[0].as_str().map(str::to_owned),
        state: match of[1].as_bool().unwrap() {
            true => SourceState::Pretrained,
            false => SourceState::Random,
        },
        seed: of[2].as_u64(),
        ..SourceFiles::default()
    });
    let mut config = AlignConfig {
        sources: sources.collect(),
        ..AlignConfig::default()
    };
    config.settings.prefixes = 12;
    config.settings.resamples = 20;
    let units: Vec<UnitResult> = serde_json::from_value(golden["units"].clone()).unwrap();
    let aligned = Aligned {
        entries: unit_scores(&units, &config.settings).unwrap(),
        config,
        units,
    };
    (aligned, golden)
}

#[track_caller]
fn close(found: &[f64], expected: &Value) {
    let expected = expected.as_array().unwrap();
    assert_eq!(found.len(), expected.len(), "{found:?} {expected:?}");
    for (found, expected) in found.iter().zip(expected) {
        let expected = expected.as_f64().unwrap();
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    }
}

#[test]
fn seeds_are_those_of_the_reference() {
    let (aligned, golden) = golden();
    let found = SeedControl::all(&aligned);
    let expected = golden["seeds"].as_array().unwrap();
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert_eq!(found.architecture, expected[0]);
        let numbers = [
            found.pretrained,
            found.mean,
            found.sd,
            found.range.0,
            found.range.1,
            found.gap,
            found.sd_over_gap.unwrap(),
        ];
        close(&numbers, &expected[1]);
    }
}

#[test]
fn pairs_and_the_matched_case_are_those_of_the_reference() {
    let (aligned, golden) = golden();
    let found = pair_categories::categories(&aligned).unwrap();
    let words = [
        ("two subjects", "subject subject"),
        ("a subject and a pretrained model", "subject pretrained"),
        ("a subject and an untrained model", "subject untrained"),
        ("two pretrained models", "pretrained pretrained"),
        ("two untrained models", "untrained untrained"),
        (
            "pretrained and untrained, same architecture",
            "pretrained untrained same",
        ),
        (
            "pretrained and untrained, other architecture",
            "pretrained untrained other",
        ),
    ];
    for (ours, theirs) in words {
        let found = found
            .iter()
            .find(|own| own.pairs == ours && own.limit == pair_categories::MAIN_LIMIT)
            .unwrap();
        let expected = &golden["categories"][theirs];
        assert_eq!(found.difference.n, expected[0].as_u64().unwrap() as usize);
        let threshold = found.human_threshold.unwrap();
        close(
            &[threshold],
            &serde_json::json!([golden["human_threshold"]]),
        );
        let numbers = [found.difference.mean.unwrap(), found.beyond.unwrap()];
        close(&numbers, &serde_json::json!([expected[1], expected[2]]));
        assert_eq!(found.beyond_in_favour, expected[3].as_f64(), "{ours}");
    }
    let case = pair_categories::matched_case(&aligned).unwrap();
    let [one, other] = case.sources;
    assert_eq!(
        serde_json::json!([case.unit.to_string(), one, other]),
        golden["matched_case"]
    );
}

#[test]
fn the_most_accurate_quarter_and_the_next_fold_are_those_of_the_reference() {
    let (aligned, golden) = golden();
    let found = high_accuracy::high_accuracy(&aligned).unwrap().unwrap();
    close(
        &[found.threshold],
        &serde_json::json!([golden["high_accuracy"][0]]),
    );
    assert_eq!(found.brain_ref_score.len(), 2);
    for (kind, of) in &found.brain_ref_score {
        let [low, middle, high] = of.quartiles;
        let numbers = [of.n as f64, of.mean, low, middle, high];
        close(&numbers, &golden["high_accuracy"][1][kind]);
    }
    let found = high_accuracy::next_fold(&aligned).unwrap();
    let numbers = [found.pearson.unwrap(), found.mean_ratio.unwrap()];
    close(&numbers, &golden["next_fold"]);
}

#[test]
fn weights_and_penalties_are_those_of_the_reference() {
    let (aligned, golden) = golden();
    let found = references::weights(&aligned, 20);
    close(&found.cumulative, &golden["cumulative"]);
    let medians = [found.median_effective_rank, found.median_consensus_rank];
    close(&medians.map(Option::unwrap), &golden["median_ranks"]);
    let (found, expected) = (
        references::penalties(&aligned).unwrap(),
        &golden["penalties"],
    );
    close(&found.subspace.quartiles, &expected["subspace"]);
    close(&found.readout.quartiles, &expected["readout"]);
    let numbers = [found.equal, found.pearson.unwrap(), found.spearman.unwrap()];
    let names = ["equal", "pearson", "spearman"];
    close(
        &numbers,
        &serde_json::json!(names.map(|name| expected[name].clone())),
    );
}

#[test]
fn nothing_is_made_up_where_there_is_nothing() {
    let (mut aligned, _) = golden();
    aligned.config.sources.clear();
    aligned.entries.retain(|entry| entry.donor);
    for unit in &mut aligned.units {
        unit.sources.retain(|source| source.donor);
        unit.references
            .iter_mut()
            .for_each(|own| own.weights.clear());
    }
    assert!(SeedControl::all(&aligned).is_empty());
    assert!(pair_categories::matched_case(&aligned).is_none());
    assert!(high_accuracy::high_accuracy(&aligned).unwrap().is_none());
    assert!(layers::depth_profiles(&aligned).unwrap().is_empty());
    let weights = references::weights(&aligned, 20);
    assert!(weights.cumulative.is_empty() && weights.n == 0);
    let categories = pair_categories::categories(&aligned).unwrap();
    let models = categories.iter().filter(|own| own.pairs.contains("model"));
    for found in models {
        assert_eq!(
            (found.difference.n, found.difference.mean, found.beyond),
            (0, None, None)
        );
    }
}
