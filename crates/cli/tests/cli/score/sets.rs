//! `neurogauge score sets`: distances of sets from features and from images, and bad input.

use crate::support::*;
use neurogauge::core::synthetic::Synthetic;

/// Features of twelve stimuli, of a system that is near them, of one that is far, and of one that is neither.
fn features() -> Folder {
    let dir = folder();
    let write = |name: &str, shift: f32, scale: f32| {
        let (gt, noise) = (Synthetic::new("gt", 0), Synthetic::new(name, 0));
        let value = |i: u64| shift + (1.0 - scale) * gt.uniform(i) + scale * noise.uniform(i);
        write_f32(&dir.join(format!("{name}.npy")), &[12, 4], &(0..48).map(value).collect::<Vec<f32>>()).unwrap();
    };
    for (name, shift, scale) in [("gt", 0.0, 0.0), ("near", 0.0, 1.0), ("alike", 0.01, 1.0), ("far", 2.0, 0.5)] {
        write(name, shift, scale);
    }
    dir
}

const SETS: &str = "score sets gt.npy";

#[test]
fn systems_are_measured_and_what_cannot_be_told_apart_is_said() {
    let dir = features();
    let ran = dir.succeed(&format!("{SETS} near.npy alike.npy far.npy --out out"));
    let words = [
        "Distances of sets: 12 pairs",
        "FID if alike",
        "Differences of KID",
        "near - far",
        "jackknife over pairs",
    ];
    contains(&ran.stdout, &words);
    let record = dir.json("out/run.json");
    let is_said = |finding: &&Value| finding["code"].as_str().is_some_and(|code| code.starts_with("sets_"));
    let said = record["findings"].list().iter().filter(is_said).filter_map(|finding| finding["subject"].as_str());
    let said: Vec<&str> = said.collect();
    assert_eq!(said, ["near", "alike", "near and alike"]);
    let differences = record["differences"].list();
    let [same, one, other] = [0, 1, 2].map(|place| &differences[place]);
    assert!(same["p_value"].as_f64().unwrap() > 0.05 && same["n_needed"].as_u64().unwrap() > 12, "{same}");
    assert!(one["p_value"].as_f64().unwrap() < 0.05 && other["p_value"].as_f64().unwrap() < 0.05);
    // The mean of the pseudo-values is the unbiased distance, and a difference is that of two means.
    let mean = |name: &str| dir.values("out", &format!("{name}/kid_unbiased")).iter().sum::<f64>() / 12.0;
    let far = record["rows"][2]["measures"].list().iter().find(|measure| measure["id"] == "kid_unbiased").unwrap();
    assert!((far["value"].as_f64().unwrap() - mean("far")).abs() < 1e-9);
    assert!((one["kid"].as_f64().unwrap() - (mean("near") - mean("far"))).abs() < 1e-9);
    let bits = |threads: &str| {
        dir.succeed(&format!("{SETS} far.npy --out {threads} --threads {threads}"));
        dir.json(format!("{threads}/run.json"))["rows"].clone()
    };
    assert_eq!(bits("1"), bits("3"));
}

#[test]
fn a_model_makes_the_features_of_images() {
    let dir = images(&["0", "1", "2", "3", "4"]);
    let ran = dir.succeed("score sets gt recon --features placeholder --out out");
    contains(&ran.stdout, &["Distances of sets: 5 pairs", "recon†"]);
    let record = dir.json("out/run.json");
    assert_eq!(record["inputs"].list().len(), 2, "{record}");
    assert_eq!(record["models"].list().len(), 1, "{record}");
}

#[test]
fn bad_sets_are_refused_by_name() {
    let dir = features();
    dir.succeed(&format!("{SETS} near.npy --out done"));
    write_f32(&dir.join("wide.npy"), &[12, 5], &[0.5; 60]).unwrap();
    write_f32(&dir.join("three.npy"), &[3, 4], &[0.5; 12]).unwrap();
    write_f32(&dir.join("nan.npy"), &[12, 4], &[f32::NAN; 48]).unwrap();
    fs::create_dir(dir.join("folder")).unwrap();
    let refused = |args: &str, words: &str| {
        let said = format!("{}", dir.run(args));
        assert!(said.contains("exit ") && said.contains(words), "{words}: {said}");
    };
    refused("score sets gt.npy wide.npy --out out", "wide.npy: features of 5 values, and those of gt.npy have 4");
    refused("score sets gt.npy three.npy --out out", "three.npy");
    refused("score sets three.npy three.npy --out out", "4 to 4096 pairs, and these are 3");
    refused("score sets gt.npy nan.npy --out out", "nan.npy");
    refused(
        "score sets gt.npy folder --out out",
        "folder: a folder; expected a file of features, or name the model",
    );
    refused("score sets gt.npy near.npy --features placeholder --out out", "none of the inputs are images");
}
