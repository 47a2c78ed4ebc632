//! BASIC-L's levels and the mask matching ratio against pycocotools and SciPy (`reference/basic_l.py`,
//! `reference/mask_matching_ratio.py`), from files.

use neurogauge::core::Masks;
use neurogauge::formats::categorisation::read_categorisation;
use neurogauge::formats::masks::read_grounded_sam;
use neurogauge::metrics::decoding::basic_l::BasicLOptions;
use neurogauge::metrics::{Options, PairFunction, find};
use serde::Deserialize;
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

/// A run's input: the script's JSON, from a file.
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

#[test]
fn all_levels_and_options_equal_the_reference() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../reference/golden/basic_l.json");
    let golden: Golden = serde_json::from_str(&std::fs::read_to_string(path).expect("the golden of BASIC-L")).unwrap();
    assert_eq!((golden.variants.len(), golden.cases.len()), (6, 16));
    let dir = tempfile::tempdir().unwrap();
    let mut n_values = 0;
    for (number, case) in golden.cases.iter().enumerate() {
        let [gt, recon] = [0, 1].map(|s| side(dir.path(), &case.masks[s], &case.categories[s]));
        for (options, scores) in golden.variants.iter().zip(&case.scores) {
            let options = Options {
                basic_l: options.clone(),
                ..Options::default()
            };
            assert_eq!(scores.len(), 10);
            for (id, expected) in scores {
                let Some(function) = find(id).and_then(|metric| metric.compute.function::<PairFunction<Masks>>())
                else {
                    panic!("no metric {id} of masks");
                };
                let found = function(&gt, &recon, &options).unwrap().outcome.ok();
                let place = format!("case {number}, {:?}, {id}", options.basic_l);
                match (found, expected) {
                    (None, None) => {}
                    (Some(found), Some(expected)) if id.ends_with("_ap") => {
                        assert_eq!(found.to_bits(), expected.to_bits(), "{place}");
                    }
                    (Some(found), Some(expected)) => {
                        assert!((found - expected).abs() < 1e-12, "{place}: {found} {expected}");
                    }
                    _ => panic!("{place}: {found:?} {expected:?}"),
                }
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
    let read = |name: &str| {
        let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../reference/golden");
        std::fs::read_to_string(golden.join(name)).expect(name)
    };
    let scenes: Golden = serde_json::from_str(&read("basic_l.json")).unwrap();
    let ratios: Ratios = serde_json::from_str(&read("mask_matching_ratio.json")).unwrap();
    assert_eq!((ratios.variants.len(), ratios.cases.len()), (3, scenes.cases.len()));
    let compute = find("mask_matching_ratio").map(|metric| metric.compute);
    let Some(function) = compute.and_then(|compute| compute.function::<PairFunction<Masks>>()) else {
        panic!("no metric of masks");
    };
    let dir = tempfile::tempdir().unwrap();
    for (number, (case, expected)) in scenes.cases.iter().zip(&ratios.cases).enumerate() {
        let [gt, recon] = [0, 1].map(|s| side(dir.path(), &case.masks[s], &case.categories[s]));
        for (options, expected) in ratios.variants.iter().zip(expected) {
            let options = Options {
                basic_l: options.clone(),
                ..Options::default()
            };
            let found = function(&gt, &recon, &options).unwrap().outcome.ok();
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
