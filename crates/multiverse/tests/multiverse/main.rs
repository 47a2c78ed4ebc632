//! Main effects against statsmodels, and the cost of a multiverse.

#![allow(clippy::unwrap_used)]

mod cost;

use neurogauge_multiverse::{FactorLevels, main_effects};
use serde_json::Value;

fn strings(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|value| value.as_str().unwrap().to_owned()).collect()
}

#[test]
fn main_effects_equal_those_of_statsmodels() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../reference/golden/multiverse.json");
    let golden: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let designs = golden.as_array().unwrap();
    assert_eq!(designs.len(), 3);
    for design in designs {
        let values = design["values"].as_array().unwrap();
        let values: Vec<f64> = values.iter().map(|value| value.as_f64().unwrap()).collect();
        let factors = design["factors"].as_array().unwrap().iter();
        let factors: Vec<FactorLevels> = factors
            .map(|factor| FactorLevels {
                name: factor["name"].as_str().unwrap().to_owned(),
                options: strings(&factor["options"]),
                levels: (factor["levels"].as_array().unwrap().iter())
                    .map(|level| usize::try_from(level.as_u64().unwrap()).unwrap())
                    .collect(),
            })
            .collect();
        let effects = main_effects(&values, &factors).unwrap();
        for (name, expected) in design["shares"].as_object().unwrap() {
            let found = effects.iter().find(|effect| effect.factor == *name).unwrap();
            let difference = found.share - expected.as_f64().unwrap();
            assert!(difference.abs() < 1e-12, "{name}: {difference:e}");
        }
        let total: f64 = effects.iter().map(|effect| effect.share).sum();
        assert!((total - 1.0).abs() < 1e-12);
    }
}

#[test]
fn values_that_do_not_vary_have_no_effects() {
    let factor = FactorLevels {
        name: "antialias".to_owned(),
        options: vec!["off".to_owned(), "on".to_owned()],
        levels: vec![0, 1],
    };
    let one = std::slice::from_ref(&factor);
    assert_eq!(main_effects(&[0.1 + 0.2, 0.3], one), None);
    assert_eq!(main_effects(&[], &[]), None);
    let effects = main_effects(&[0.25, 0.5], &[factor]).unwrap();
    assert_eq!(effects[0].share, 1.0);
    assert_eq!(effects[0].lowest, Some(("off".to_owned(), 0.25)));
    assert_eq!((effects[1].factor.as_str(), effects[1].share), ("interactions", 0.0));
}
