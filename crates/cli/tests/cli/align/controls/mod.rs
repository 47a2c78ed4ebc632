//! The controls of `neurogauge align`.

mod of_recordings;
mod of_the_library;
mod refused;

use crate::support::alignments::{Arrays, N_STIMULI, arguments, record};
use crate::support::{folder, succeed};
use neurogauge::align::StudyPlan;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

const TABLES: [&str; 6] = ["controls", "directions", "auxiliary", "attribution", "block_shares", "contributions"];

/// A run of these arrays with all controls.
pub(crate) fn run_all(arrays: &Arrays, run: &Path) {
    succeed(&[&arguments(&arrays.write(), run)[..], &["--controls", "all"]].concat());
}

pub(crate) fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value}"))
}

#[test]
fn an_interrupted_run_and_any_number_of_threads_end_with_the_same_bytes() {
    let root = folder();
    let arrays = Arrays::new(root.path());
    let names = TABLES.map(|table| format!("{table}.parquet"));
    let others = ["fits.parquet", "align.json", "align.md", "plan.json"].map(str::to_owned);
    let names: Vec<String> = names.into_iter().chain(others).collect();
    let files = |run: &Path| -> Vec<Vec<u8>> {
        let read = |name: &String| std::fs::read(run.join(name)).unwrap();
        names.iter().map(read).collect()
    };
    let config = arrays.write();
    let of_threads = |threads: &str| {
        let run = root.path().join(threads);
        let ran = Command::new(env!("CARGO_BIN_EXE_neurogauge"))
            .args(arguments(&config, &run))
            .args(["--controls", "all", "--threads", threads])
            .output()
            .unwrap();
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        run
    };
    let one = of_threads("1");
    let whole = files(&one);
    assert!(whole == files(&of_threads("2")));
    assert!(whole == files(&of_threads("4")));

    let of_fingerprint = std::fs::read_dir(one.join("units")).unwrap().next().unwrap();
    std::fs::remove_file(of_fingerprint.unwrap().path().join("b.lh.V1.json")).unwrap();
    for name in &names {
        std::fs::remove_file(one.join(name)).unwrap();
    }
    of_threads("1");
    assert!(whole == files(&one));
}

#[test]
fn a_run_without_controls_leaves_no_tables_of_an_earlier_one() {
    let root = folder();
    let arrays = Arrays::new(root.path());
    let (config, run) = (arrays.write(), root.path().join("run"));
    let of = |controls: &str| {
        succeed(&[&arguments(&config, &run)[..], &["--controls", controls]].concat());
        record(&run)
    };
    of("all");
    for table in TABLES {
        assert!(run.join(format!("{table}.parquet")).exists(), "{table}");
    }
    let without = of("none");
    for table in TABLES {
        assert!(!run.join(format!("{table}.parquet")).exists(), "{table}");
    }
    assert_eq!(without["controls"], Value::Array(Vec::new()));
    let named = of("auxiliary-readouts,target-pca");
    assert_eq!(named["config"]["settings"]["controls"], serde_json::json!(["target-pca", "auxiliary-readouts"]));
    assert_eq!(named["controls"].as_array().unwrap().len(), 6, "two of sources, three of the target");
    assert!(!run.join("directions.parquet").exists());
    // The same sources, regardless of the controls.
    assert_eq!(without["sources"], named["sources"]);
}

#[test]
fn balanced_views_have_as_many_trials_of_a_session() {
    let root = folder();
    let mut arrays = Arrays::new(root.path());
    arrays.settings += "balance = \"sessions\"\n";
    let run = root.path().join("run");
    succeed(&arguments(&arrays.write(), &run));
    let plan: StudyPlan = serde_json::from_slice(&std::fs::read(run.join("plan.json")).unwrap()).unwrap();
    for (unit, partitions) in &plan.partitions {
        for labels in partitions {
            let (first, second) = labels.split_at(N_STIMULI);
            for session in [first, second] {
                let ones = session.bytes().filter(|&label| label == b'1').count();
                assert_eq!(ones, N_STIMULI / 2, "{unit}");
            }
        }
    }
    let conventions = &record(&run)["conventions"];
    assert!(conventions.as_array().unwrap().contains(&"recovery-balance".into()));
}

#[test]
fn weights_and_layers_stand_in_the_summary_of_models() {
    let root = folder();
    let mut arrays = Arrays::new(root.path());
    let run = root.path().join("run");
    succeed(&arguments(&arrays.write(), &run));
    let markdown = std::fs::read_to_string(run.join("align.md")).unwrap();
    assert!(markdown.contains("early, late"), "{markdown}");
    arrays.sources = arrays.sources.replace(
        "name =",
        "architecture = \"ResNet-18\"\nweights = \"ImageNet-1K V1\"\nlayer_names = \"stages 1 and 2\"\nname =",
    );
    succeed(&arguments(&arrays.write(), &run));
    let markdown = std::fs::read_to_string(run.join("align.md")).unwrap();
    for words in ["ResNet-18", "ImageNet-1K V1", "stages 1 and 2"] {
        assert!(markdown.contains(words), "{words} in\n{markdown}");
    }
}
