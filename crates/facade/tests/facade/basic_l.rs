//! BASIC-L's levels and the mask matching ratio against pycocotools and SciPy (`reference/basic_l.py`,
//! `reference/mask_matching_ratio.py`), read from files.

use neurogauge::core::Masks;
use neurogauge::formats::categorisation::read_categorisation;
use neurogauge::formats::masks::read_grounded_sam;
use neurogauge::metrics::decoding::basic_l::BasicLOptions;
use neurogauge::metrics::{Options, PairFunction, find};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::path::Path;

#[derive(Deserialize)]
struct Golden {
    variants: Vec<BasicLOptions>,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    masks: [serde_json::Value; 2],
    categories: [serde_json::Value; 2],
    scores: Vec<BTreeMap<String, Option<f64>>>,
}

/// The masks of one side, read from a file with the script's JSON.
fn side(dir: &Path, masks: &serde_json::Value, categories: &serde_json::Value) -> Masks {
    let written = |name: &str, value: &serde_json::Value| {
        let path = dir.join(name);
        std::fs::write(&path, value.to_string()).unwrap();
        path
    };
    let masks = read_grounded_sam(&written("masks.json", masks)).unwrap();
    let categories = read_categorisation(&written("categories.json", categories)).unwrap();
    Masks {
        categories: Some(categories),
        ..masks
    }
}

fn golden<T: DeserializeOwned>(name: &str) -> T {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reference/golden").join(name);
    serde_json::from_str(&std::fs::read_to_string(path).expect(name)).unwrap()
}

impl Case {
    fn sides(&self, dir: &Path) -> [Masks; 2] {
        [0, 1].map(|s| side(dir, &self.masks[s], &self.categories[s]))
    }
}

/// The score of a metric of masks for the two sides.
fn score(id: &str, [gt, recon]: &[Masks; 2], basic_l: &BasicLOptions) -> Option<f64> {
    let options = Options {
        basic_l: basic_l.clone(),
        ..Options::default()
    };
    let Some(function) = find(id).and_then(|metric| metric.compute.function::<PairFunction<Masks>>()) else {
        panic!("no metric {id} of masks");
    };
    function(gt, recon, &options).unwrap().outcome.ok()
}

#[test]
fn all_levels_and_options_equal_the_reference() {
    let golden: Golden = golden("basic_l.json");
    assert_eq!((golden.variants.len(), golden.cases.len()), (6, 16));
    let dir = tempfile::tempdir().unwrap();
    let mut n_values = 0;
    for (number, case) in golden.cases.iter().enumerate() {
        let sides = case.sides(dir.path());
        for (options, scores) in golden.variants.iter().zip(&case.scores) {
            assert_eq!(scores.len(), 10);
            for (id, expected) in scores {
                let found = score(id, &sides, options);
                let is_equal = match (found, expected) {
                    (Some(found), Some(expected)) if id.ends_with("_ap") => found.to_bits() == expected.to_bits(),
                    (Some(found), Some(expected)) => (found - expected).abs() < 1e-12,
                    (found, expected) => found == *expected,
                };
                assert!(is_equal, "case {number}, {options:?}, {id}: {found:?} {expected:?}");
                n_values += usize::from(found.is_some());
            }
        }
    }
    assert!(n_values > 700, "{n_values} values are not much of a test");
}

#[derive(Deserialize)]
struct Ratios {
    variants: Vec<BasicLOptions>,
    cases: Vec<Vec<Option<f64>>>,
}

#[test]
fn mask_matching_ratios_equal_the_reference() {
    let (scenes, ratios): (Golden, Ratios) = (golden("basic_l.json"), golden("mask_matching_ratio.json"));
    assert_eq!((ratios.variants.len(), ratios.cases.len()), (3, scenes.cases.len()));
    let dir = tempfile::tempdir().unwrap();
    for (number, (case, expected)) in scenes.cases.iter().zip(&ratios.cases).enumerate() {
        let sides = case.sides(dir.path());
        for (options, expected) in ratios.variants.iter().zip(expected) {
            let found = score("mask_matching_ratio", &sides, options);
            let is_equal = match (found, expected) {
                (Some(found), Some(expected)) => (found - expected).abs() < 1e-12,
                (found, expected) => found == *expected,
            };
            assert!(is_equal, "case {number}: {found:?} {expected:?}");
        }
    }
    let n_values = ratios.cases.iter().flatten().flatten().count();
    assert!(n_values > 30, "{n_values} values are not much of a test");
}
