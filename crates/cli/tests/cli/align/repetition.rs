//! Threads, interruptions and the order of rows change nothing; a seed and a null do.

use crate::support::alignments::{Arrays, arguments, record, same_numbers, units};
use crate::support::{arg, folder, succeed};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

const TABLES: [&str; 4] = ["profiles", "references", "fits", "block_use"];

/// The simulated study in miniature, with two draws of the null so that it is quick.
pub(super) const SIMULATED: [&str; 5] = ["align", "--simulate", "miniature", "--null", "2"];

fn simulate(run: &Path, more: &[&str]) {
    succeed(&[&SIMULATED[..], &["--out", arg(run)], more].concat());
}

/// Everything that must be equal in two equal runs.
pub(super) fn files(run: &Path) -> BTreeMap<String, Vec<u8>> {
    let names = TABLES.map(|table| format!("{table}.parquet"));
    let names = names.into_iter().chain(["align.json", "align.md", "plan.json"].map(str::to_owned));
    names.map(|name| (name.clone(), std::fs::read(run.join(name)).unwrap())).collect()
}

fn unit_files(run: &Path) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    for folder in std::fs::read_dir(run.join("units")).unwrap() {
        let files = std::fs::read_dir(folder.unwrap().path()).unwrap();
        paths.extend(files.map(|file| file.unwrap().path()));
    }
    paths.sort();
    paths
}

#[track_caller]
pub(super) fn same_files(one: &BTreeMap<String, Vec<u8>>, run: &Path) {
    for (name, bytes) in files(run) {
        assert!(one[&name] == bytes, "{name} differs");
    }
}

#[test]
fn an_interrupted_run_and_one_of_other_threads_end_with_the_same_bytes() {
    let root = folder();
    let (first, second) = (root.path().join("first"), root.path().join("second"));
    simulate(&first, &[]);
    let whole = files(&first);

    for threads in ["1", "4"] {
        let other = Command::new(env!("CARGO_BIN_EXE_neurogauge"))
            .args(SIMULATED)
            .args(["--threads", threads, "--out", arg(&second)])
            .output()
            .unwrap();
        assert!(other.status.success());
        same_files(&whole, &second);
        std::fs::remove_dir_all(&second).unwrap();
    }

    let kept = unit_files(&first);
    assert_eq!(kept.len(), 3);
    for path in kept.iter().step_by(2) {
        std::fs::remove_file(path).unwrap();
    }
    let bytes = std::fs::read(&kept[1]).unwrap();
    std::fs::write(&kept[1], &bytes[..bytes.len() / 2]).unwrap();
    for name in whole.keys() {
        std::fs::remove_file(first.join(name)).unwrap();
    }
    simulate(&first, &[]);
    same_files(&whole, &first);

    // Another number in the file of a unit: it is aligned again.
    let text = std::fs::read_to_string(&kept[1]).unwrap();
    let (before, number) = text.rsplit_once("0.").unwrap();
    let digit = if number.starts_with('1') { '2' } else { '1' };
    std::fs::write(&kept[1], format!("{before}0.{digit}{}", &number[1..])).unwrap();
    simulate(&first, &[]);
    same_files(&whole, &first);
    assert!(std::fs::read_to_string(&kept[1]).unwrap() == text);
    assert!(std::fs::read(&kept[1]).unwrap() == bytes, "the damaged unit was computed again");
}

#[test]
fn sources_that_span_all_that_subjects_share_recover_more_than_those_of_two_dimensions() {
    let root = folder();
    let run = root.path().join("run");
    succeed(&["align", "--simulate", "small", "--null", "0", "--out", arg(&run)]);
    let record = record(&run);
    let sources = record["sources"].as_array().unwrap();
    let mean = |name: &str| {
        let source = sources.iter().find(|source| source["source"] == name).unwrap();
        let means = source["profile_means"].as_array().unwrap();
        means.iter().find(|mean| mean[0] == 10).unwrap()[1]["mean"].as_f64().unwrap()
    };
    for (trained, untrained) in [("A trained", "A untrained 42"), ("B trained", "B untrained 0")] {
        assert!(mean(trained) > mean(untrained) + 0.05, "{} {}", mean(trained), mean(untrained));
    }
    let position = |name: &str| sources.iter().position(|source| source["source"] == name);
    assert_eq!(position("other subjects"), Some(0));
}

#[test]
fn another_seed_is_another_study() {
    let root = folder();
    let small = "null = 0\nouter_folds = 3\ninner_folds = 2\npartitions = 2\nresamples = 20\n";
    let fingerprint = |seed: u64| {
        let mut arrays = Arrays::new(root.path());
        arrays.settings = format!("{small}seed = {seed}\n");
        let run = root.path().join(seed.to_string());
        succeed(&arguments(&arrays.write(), &run));
        record(&run)["fingerprint"].as_str().unwrap().to_owned()
    };
    assert_ne!(fingerprint(1), fingerprint(2));
}

#[test]
fn the_order_of_trials_and_rows_and_other_columns_change_nothing() {
    let root = folder();
    let arrays = Arrays::new(root.path());
    let first = root.path().join("first");
    succeed(&arguments(&arrays.write(), &first));

    let elsewhere = root.path().join("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    let mut other = Arrays::new(&elsewhere);
    for trials in other.trials.values_mut() {
        // Repeats keep their order among themselves: partitions are drawn over them.
        trials.sort_by_key(|trial| (trial.0 * 7 % 46, trial.0));
    }
    let ids: Vec<u64> = (10..46).rev().collect();
    other.layer("early", 3, &ids);
    other.layer("late", 5, &ids);
    let second = root.path().join("second");
    succeed(&arguments(&other.write(), &second));

    let (one, other) = (units(&first), units(&second));
    assert_eq!(one.len(), 2);
    assert!(one.keys().eq(other.keys()));
    for (name, unit) in &one {
        same_numbers(unit, &other[name]);
        let model = unit["sources"].as_array().unwrap().last().unwrap();
        assert_eq!(model["source"], "model");
        for fit in model["fits"].as_array().unwrap() {
            let shares = fit["block_use"].as_array().unwrap();
            assert_eq!(shares.len(), 2, "one for each layer");
            let sum: f64 = shares.iter().map(|share| share.as_f64().unwrap()).sum();
            assert!((sum - 1.0).abs() < 1e-12, "{sum}");
        }
    }
}

#[test]
fn a_reselected_null_is_another_null() {
    let root = folder();
    let config = Arrays::new(root.path()).write();
    let (kept, again) = (root.path().join("kept"), root.path().join("again"));
    let run = root.path().join("asked for");
    succeed(&[&arguments(&config, &kept)[..], &["--null-keep"]].concat());
    succeed(&arguments(&config, &again));
    let [kept, again] = [&kept, &again].map(|run| record(run));
    assert_ne!(kept["fingerprint"], again["fingerprint"]);
    assert_eq!(kept["sources"][1]["profile_means"], again["sources"][1]["profile_means"]);
    assert_eq!(kept["config"]["settings"]["null_select"], false);
    assert_eq!(again["config"]["settings"]["null_select"], true);
    let fingerprint = again["fingerprint"].clone();
    succeed(&[&arguments(&config, &run)[..], &["--null-select"]].concat());
    assert_eq!(record(&run)["fingerprint"], fingerprint);
}
