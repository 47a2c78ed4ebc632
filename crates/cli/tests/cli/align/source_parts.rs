//! Which features and layers carry the recovery, and brains that predict models.

use crate::support::alignments::{ALIGN, Arrays, N_STIMULI, N_VOXELS, record, refused, units};
use crate::support::folder;
use insta::assert_snapshot;
use serde_json::Value;

fn numbers(of: &Value) -> Vec<f64> {
    let values = of.as_array().unwrap().iter();
    values.map(|value| value.as_f64().unwrap()).collect()
}

#[test]
fn features_and_layers_that_carry_the_recovery() {
    let dir = folder();
    Arrays::new(dir.path()).write();
    let controls = "--controls attribution,block-ablation";
    let printed = dir
        .succeed(&format!("{ALIGN} {controls} --format markdown"))
        .stdout;
    assert!(printed.contains("Contributions of layers"), "{printed}");
    let found = record(&dir.join("run"));
    let ids = found["conventions"].as_array().unwrap();
    for id in ["recovery-attribution", "recovery-blocks"] {
        assert!(ids.iter().any(|own| own == id), "{id}");
    }
    let layers = found["contributions"].as_array().unwrap();
    let mean = |of: &Value, key: &str| of[key]["mean"].as_f64().unwrap();
    let names: Vec<&str> = layers
        .iter()
        .map(|own| own["block"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["early", "late"]);
    let shapley: f64 = layers.iter().map(|own| mean(own, "shapley")).sum();
    assert!((shapley - mean(&layers[0], "whole")).abs() < 1e-12);
    // Of two layers, what is lost without one is what the other does not have alone.
    let loss = mean(&layers[0], "whole") - mean(&layers[1], "alone");
    assert!((mean(&layers[0], "loss") - loss).abs() < 1e-12);

    let of_units = units(&dir.join("run"));
    let sources = of_units["a.lh.V1.json"]["sources"].as_array().unwrap();
    for (source, n_features) in sources.iter().zip([N_VOXELS, 8]) {
        for fit in source["fits"].as_array().unwrap() {
            let directions = fit["attribution"].as_array().unwrap();
            assert!(!directions.is_empty());
            for direction in directions.iter().map(|own| &own["Ok"]) {
                let features = direction["features"].as_array().unwrap();
                assert_eq!(features.len(), n_features);
                let of = |key: &str| {
                    features
                        .iter()
                        .map(|own| own[key].as_f64().unwrap())
                        .collect::<Vec<f64>>()
                };
                assert!(of("share").is_sorted_by(|one, other| one >= other));
                assert!((of("share").iter().sum::<f64>() - 1.0).abs() < 1e-9);
                assert!((of("weight").iter().map(|w| w * w).sum::<f64>() - 1.0).abs() < 1e-9);
                let blocks: f64 = numbers(&direction["blocks"]).iter().sum();
                let expected = if n_features == 8 { 1.0 } else { 0.0 };
                assert!((blocks - expected).abs() < 1e-9);
            }
        }
    }
    let tables = ["attribution", "block_shares", "contributions"];
    let is_there = |name: &str| dir.join(format!("run/{name}.parquet")).exists();
    assert!(tables.iter().all(|name| is_there(name)));
    assert!(dir.join("run/figures/contributions.svg").exists());
    dir.succeed(&format!("{ALIGN} --controls none"));
    assert!(!tables.iter().any(|name| is_there(name)));
    assert!(!dir.join("run/figures/contributions.svg").exists());
}

#[test]
fn brains_predict_models() {
    let dir = folder();
    Arrays::new(dir.path()).write();
    dir.succeed(ALIGN);
    assert!(dir.join("run/paper.json").exists());
    let printed = dir
        .succeed(&format!("{ALIGN} --reverse --controls all"))
        .stdout;
    assert_snapshot!(printed, @"");
    let found = record(&dir.join("run"));
    assert_eq!(found["units"][0][0]["subject"], "model");
    assert_eq!(found["units"][0][1], 8);
    assert_eq!(
        (
            &found["config"]["reverse"],
            &found["config"]["settings"]["donors"]
        ),
        (&true.into(), &false.into())
    );
    let sources = found["sources"].as_array().unwrap();
    let names: Vec<&str> = sources
        .iter()
        .map(|own| own["source"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["a lh V1", "b lh V1"]);
    assert!(
        sources
            .iter()
            .all(|own| own["brain_ref_score"]["mean"].is_null())
    );
    // Four latents make up the responses and the features.
    assert!(sources[0]["accuracy"]["mean"].as_f64().unwrap() > 0.9);
    // The paper has no such results.
    for name in ["paper.json", "paper.md", "figures/cumulative_weights.svg"] {
        assert!(!dir.join(format!("run/{name}")).exists(), "{name}");
    }
    assert!(dir.join("run/figures/recovery_curves.svg").exists());
    // The same command reads it back, and the file can ask for it too.
    let again = "align --config align.toml --out run";
    dir.succeed(&format!("{again} --reverse --controls all"));
    let text = dir.read("align.toml");
    dir.write("align.toml", format!("reverse = true\n{text}"));
    dir.succeed(&format!("{again} --controls all"));
    assert_snapshot!(dir.run(&format!("{again} --controls all --dry-run")), @"");
}

#[test]
fn what_brains_cannot_predict_is_refused() {
    let dir = folder();
    let mut arrays = Arrays::new(dir.path());
    arrays.write();
    let mut said = format!(
        "{}\n",
        dir.run(&format!("{ALIGN} --reverse --stimulus-scores"))
    );
    let text = dir.read("align.toml");
    dir.write(
        "align.toml",
        format!(
            "reverse = true\n{}",
            text.replace("inner_folds = 2", "inner_folds = 5")
        ),
    );
    said += &refused(&dir);
    dir.write(
        "align.toml",
        text.replace("[settings]\n", "[settings]\nreverse = true\n"),
    );
    said += &refused(&dir);
    arrays.sources.clear();
    arrays.write();
    let text = dir.read("align.toml");
    dir.write("align.toml", format!("reverse = true\n{text}"));
    said += &refused(&dir);
    assert_eq!(N_STIMULI, 36);
    assert_snapshot!(said, @"");
}
