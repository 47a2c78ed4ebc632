//! `neurogauge audit`: its files, and what it refuses. Its numbers are tested where they are computed (`crates/audit/tests`).

use crate::support::{Folder, folder};
use insta::assert_snapshot;
use neurogauge::core::synthetic::Synthetic;
use neurogauge::formats::npy::write_f32;

const N_FEATURES: usize = 6;

/// Features that are written into a folder with the ids of their rows.
fn write(dir: &Folder, name: &str, prefix: &str, n: usize) {
    let folder = dir.join(name);
    std::fs::create_dir_all(&folder).unwrap();
    let values = Synthetic::new(name, 1);
    let values: Vec<f32> = (0..n * N_FEATURES)
        .map(|place| values.uniform(place as u64))
        .collect();
    write_f32(
        &folder.join("f.npy"),
        &[n as u64, N_FEATURES as u64],
        &values,
    )
    .unwrap();
    let ids: Vec<String> = (0..n).map(|row| format!("{prefix}{row}")).collect();
    std::fs::write(folder.join("ids.json"), serde_json::to_vec(&ids).unwrap()).unwrap();
}

fn features() -> Folder {
    let dir = folder();
    write(&dir, "train", "t", 40);
    write(&dir, "test", "s", 12);
    write(&dir, "recon", "s", 12);
    dir
}

const ALL: &str =
    "audit --train train/f.npy --test test/f.npy --recon recon/f.npy --clusters 3 --out out";

/// A regression snapshot of the sections; the numbers have their own tests.
#[test]
fn every_question_has_numbers_and_an_answer() {
    let dir = features();
    let table = dir.succeed(ALL).stdout;
    let questions: Vec<&str> = table.lines().filter(|line| line.ends_with('?')).collect();
    assert_snapshot!(questions.join("\n"), @"
    Do test stimuli resemble training stimuli, and reconstructions training stimuli more than their own?
    How accurate are the decoded features?
    Is the stimulus identified among the training stimuli?
    How much of identification is the cluster?
    Can the decoder express what distinguishes test stimuli?
    What do controls get that never saw the brain?
    ");
    let written = [
        "audit.json",
        "audit.md",
        "audit.csv",
        "items.csv",
        "folds.csv",
    ];
    for file in written {
        assert!(dir.join("out").join(file).is_file(), "{file}");
    }
    assert!(dir.join("out/figures/by_cluster_alone.svg").is_file());
    assert_eq!(dir.read("out/items.csv").lines().count(), 13);
    assert_eq!(dir.read("out/folds.csv").lines().count(), 41);
    // The same inputs and options: the same result, whatever the number of threads.
    let before = dir.read("out/audit.json");
    dir.succeed(&format!("--threads 1 {ALL} --overwrite"));
    assert_eq!(dir.read("out/audit.json"), before);
    assert_snapshot!(dir.run(&format!("{ALL} --seed 7")), @"
    exit 1, stderr:
    error: out: holds a finished run of other inputs or options, which is not replaced; choose another --out, or say --overwrite. What differs:
      options.bootstrap.seed: 42 then, 7 now
    ");
}

#[test]
fn without_training_stimuli_clusters_and_collapse_are_looked_at() {
    let dir = features();
    let table = dir
        .succeed("audit --test test/f.npy --clusters 3 --out out")
        .stdout;
    let questions: Vec<&str> = table.lines().filter(|line| line.ends_with('?')).collect();
    assert_snapshot!(questions.join("\n"), @"
    How much of identification is the cluster?
    Can the decoder express what distinguishes test stimuli?
    ");
    assert!(!dir.join("out/folds.csv").exists());
    dir.succeed("audit --test test/f.npy --recon recon/f.npy --clusters 3 --out decoded");
    let first = dir.read("decoded/items.csv");
    assert_eq!(first.lines().count(), 13);
}

#[test]
fn files_that_do_not_belong_together_are_refused() {
    let dir = features();
    write_f32(&dir.join("narrow.npy"), &[12, 5], &[0.5; 60]).unwrap();
    dir.write("clusters.csv", "item,cluster\ns0,a\n");
    dir.write("scores.csv", "item,ssim\ns0_0,0.5\ns0_1,0.25\ns1_0,0.5\n");
    let refused = [
        "--recon narrow.npy",
        "--clusters clusters.csv",
        "--clusters 100",
        "--clusters nowhere.csv",
        "--folds 1",
        "--sample-scores scores.csv",
        "--sample-scores scores.csv --sample-pattern stem",
        "--random-fold-scores scores.csv",
    ]
    .map(|more| {
        dir.run(&format!(
            "audit --train train/f.npy --test test/f.npy {more} --out out"
        ))
        .to_string()
    });
    assert_snapshot!(refused.join("\n"), @r#"
    exit 2, stderr: error: narrow.npy: 5 features in a row; expected 6, as in train/f.npy: make both with the same model and layer
    exit 1, stderr: error: clusters.csv: item "s1": expected a cluster for every training and test stimulus; it has none
    exit 2, stderr: error: --clusters 100: there are 52 stimuli; expected at most as many clusters
    exit 1, stderr: error: nowhere.csv: not found; expected a table (.csv, .tsv, .txt) with the columns item and cluster
    exit 2, stderr: error: --folds 1: expected 2 or more
    exit 1, stderr: error: scores.csv: item "s1": expected 2 samples of every stimulus, as of others; it has 1
    exit 2, stderr: error: --sample-pattern "stem": expected {stem}, something between, and {sample}, as in {stem}_{sample}
    exit 2, stderr:
    error: the following required arguments were not provided:
      --cluster-fold-scores <FILE>

    Usage: neurogauge audit --test <FILE> --out <DIR> --random-fold-scores <FILE> --cluster-fold-scores <FILE> --train <FILE>
    "#);
    assert!(!dir.join("out").exists());
}
